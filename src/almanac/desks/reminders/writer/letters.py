"""Letters to customers: from a template, or written by a model and checked against the ledger; as text and HTML."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from pydantic import Field

from almanac.desks.reminders.model.draft import DebtFacts, LetterWording, ReminderTemplate
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.writer.checks import describe_ledger, require_complete, require_stated
from almanac.desks.reminders.writer.templates import (
    MAX_BODY,
    MAX_SUBJECT,
    TemplateText,
    fill_placeholders,
    letter_language,
    placeholder_values,
)
from almanac.errors import InputError
from almanac.kit.catalogs import base_language
from almanac.kit.messages import gettext
from almanac.kit.text import one_line, shorten
from almanac.llm.answer import StepAnswer
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import StepWriter, WritingStep
from almanac.llm.prompts import load_prompt
from almanac.llm.sources import StepSource
from almanac.llm.steps.summaries import WritingInput

_TONES = {
    "first": "friendly; it was probably overlooked",
    "second": "polite and firm",
    "final": "serious and respectful",
}


def tone_for(level: str) -> str:
    return _TONES.get(level, "polite and firm")


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterInput(WritingInput):
    """What the model gets: level, customer, and the template's letter as a fallback."""

    level: str
    customer_name: str
    sender_name: str
    subject: str
    text: str


class Letter(StepAnswer):
    """A complete letter."""

    subject: str = Field(min_length=1, max_length=MAX_SUBJECT)
    text: str = Field(min_length=1, max_length=MAX_BODY)


def _extract(letter_input: LetterInput) -> Letter:
    return Letter(subject=letter_input.subject, text=letter_input.text)


LETTER = WritingStep(name="letter", prompt=load_prompt(__package__, "letter"), output=Letter, extract=_extract)
MAX_HTML_BYTES = 90_000
_BODY = "margin:0;padding:24px;background:#ffffff;color:#1a1a1a"
_COLUMN = "max-width:36em;font:16px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif"
_PARAGRAPHS = re.compile(r"\n\s*\n")


def letter_html(text: str, language: str = "en") -> str | None:
    """The text's paragraphs and lines as a plain HTML page; None if it would be too long."""
    paragraphs = [part.strip("\n") for part in _PARAGRAPHS.split(text.strip()) if part.strip()]
    inner = "\n".join(f'<p style="margin:0 0 1em">{_lines(part)}</p>' for part in paragraphs)
    page = (
        f'<!doctype html>\n<html lang="{escape(language, quote=True)}">\n<head><meta charset="utf-8"></head>\n'
        f'<body style="{_BODY}">\n<div style="{escape(_COLUMN, quote=True)}">\n{inner}\n</div>\n</body>\n</html>\n'
    )
    return page if len(page.encode()) <= MAX_HTML_BYTES else None


def _lines(paragraph: str) -> str:
    return "<br>\n".join(escape(line.rstrip()) for line in paragraph.splitlines())


DESK = "reminders"
MAX_LETTER_BYTES = 100_000


def write_from_template(
    template: ReminderTemplate, customer: Customer, facts: DebtFacts, *, level: str, sender_name: str
) -> LetterWording:
    """The template's letter. Figures come from the ledger or from the template's own text only."""
    language = letter_language(template, customer)
    values = placeholder_values(customer, facts, level=level, sender_name=sender_name, language=language)
    subject, text = one_line(fill_placeholders(template.subject, values)), fill_placeholders(template.body, values)
    if len(text.encode()) > MAX_LETTER_BYTES:
        raise InputError(
            gettext("The letter would be too long; use {{invoice_count}} instead of the list in its template.")
        )
    # Checked before it is cut to its length: half an invoice number would pass for another one.
    require_stated(subject, text, facts, customer_name=customer.name, also=template_words(template, sender_name))
    return LetterWording(
        subject=shorten(subject, MAX_SUBJECT),
        text=text,
        recipients=customer.recipients,
        template_id=template.id,
        template_version=template.version,
        written_by="template",
        html=letter_html(text, language),
    )


def template_words(template: ReminderTemplate, sender_name: str) -> Sequence[str]:
    """The template's own text and the sender's name, whose figures are not checked against the ledger."""
    return (TemplateText(template.subject, template.body).own_words, sender_name)


async def write_by_model(
    writer: StepWriter,
    template: ReminderTemplate,
    customer: Customer,
    facts: DebtFacts,
    *,
    level: str,
    sender_name: str,
    instruction: str = "",
) -> LetterWording:
    """A letter by the model, based on the ledger and the template's letter; without a model, the template's."""
    basis = write_from_template(template, customer, facts, level=level, sender_name=sender_name)
    letter_input = _letter_input(customer, facts, basis, level=level, sender_name=sender_name, instruction=instruction)
    written = await writer.write(LETTER, letter_input, desk=DESK, subject=customer.id)
    if written.provenance.model == EXTRACTIVE:
        return basis
    return _check_letter(written.output, basis, customer, facts, template_words(template, sender_name))


def _letter_input(
    customer: Customer, facts: DebtFacts, basis: LetterWording, *, level: str, sender_name: str, instruction: str
) -> LetterInput:
    ledger = StepSource(id="ledger", text=describe_ledger(customer.name, facts), title="Ledger")
    letter = StepSource(id="template", text=basis.text, title="Letter by template")
    return LetterInput(
        sources=(ledger, letter),
        language=base_language(customer.language),
        tone=tone_for(level),
        instruction=instruction,
        level=level,
        customer_name=customer.name,
        sender_name=sender_name,
        subject=basis.subject,
        text=basis.text,
    )


def _check_letter(
    letter: Letter, basis: LetterWording, customer: Customer, facts: DebtFacts, also: Sequence[str]
) -> LetterWording:
    subject = one_line(letter.subject)
    require_stated(subject, letter.text, facts, customer_name=customer.name, also=also)
    require_complete(letter.text, facts)
    return LetterWording(
        subject=subject,
        text=letter.text,
        recipients=customer.recipients,
        template_id=basis.template_id,
        template_version=basis.template_version,
        written_by="model",
        html=letter_html(letter.text, customer.language),
    )
