"""A letter for a debt: by its template or by a model, checked against the ledger before anybody sees it."""

from collections.abc import Sequence

from almanac.desks.reminders.model.draft import Facts, Wording
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.template import Template
from almanac.desks.reminders.writer.checking import ledger_in_words, require_complete, require_stated
from almanac.desks.reminders.writer.html import letter_html
from almanac.desks.reminders.writer.letter import LETTER, Letter, LetterInput, tone_for
from almanac.desks.reminders.writer.templating import LONGEST_SUBJECT, TemplateText, fill
from almanac.desks.reminders.writer.values import base_language, values_of
from almanac.errors import InputError
from almanac.kit.text import one_line, shorten
from almanac.llm.model_config import EXTRACTIVE
from almanac.llm.port import StepWriter
from almanac.llm.sources import StepSource

DESK = "reminders"
LARGEST_LETTER = 100_000


def from_template(template: Template, customer: Customer, facts: Facts, *, level: str, sender_name: str) -> Wording:
    """The template's letter. Its figures come from the ledger alone, or from the template's own words."""
    values = values_of(customer, facts, level=level, sender_name=sender_name)
    subject, text = one_line(fill(template.subject, values)), fill(template.body, values)
    if len(text.encode()) > LARGEST_LETTER:
        raise InputError("The letter would be too long; put {{invoice_count}} in place of the list into its template.")
    # Checked before it is cut to its length: half an invoice number would pass for another one.
    require_stated(subject, text, facts, customer_name=customer.name, also=own_words(template, sender_name))
    return Wording(
        subject=shorten(subject, LONGEST_SUBJECT),
        text=text,
        recipients=customer.recipients,
        template_id=template.id,
        template_version=template.version,
        written_by="template",
        html=letter_html(text, customer.language),
    )


def own_words(template: Template, sender_name: str) -> Sequence[str]:
    """What a template and the sender's name state by themselves; a person answers for them."""
    return (TemplateText(template.subject, template.body).own_words, sender_name)


async def by_model(
    writer: StepWriter,
    template: Template,
    customer: Customer,
    facts: Facts,
    *,
    level: str,
    sender_name: str,
    instruction: str = "",
) -> Wording:
    """A model's letter, from the ledger and the template's letter; without a model it is the template's."""
    basis = from_template(template, customer, facts, level=level, sender_name=sender_name)
    given = _given(customer, facts, basis, level=level, sender_name=sender_name, instruction=instruction)
    written = await writer.write(LETTER, given, desk=DESK, subject=customer.id)
    if written.provenance.model == EXTRACTIVE:
        return basis
    return _checked(written.output, basis, customer, facts, own_words(template, sender_name))


def _given(
    customer: Customer, facts: Facts, basis: Wording, *, level: str, sender_name: str, instruction: str
) -> LetterInput:
    ledger = StepSource(id="ledger", text=ledger_in_words(customer.name, facts), title="Ledger")
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


def _checked(letter: Letter, basis: Wording, customer: Customer, facts: Facts, also: Sequence[str]) -> Wording:
    subject = one_line(letter.subject)
    require_stated(subject, letter.text, facts, customer_name=customer.name, also=also)
    require_complete(letter.text, facts)
    return Wording(
        subject=subject,
        text=letter.text,
        recipients=customer.recipients,
        template_id=basis.template_id,
        template_version=basis.template_version,
        written_by="model",
        html=letter_html(letter.text, customer.language),
    )
