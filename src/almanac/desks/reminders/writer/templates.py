"""Letter templates with `{{placeholders}}`: the shipped ones, the stored ones, their checks and their values.

Filling is strict, so that a letter never has a gap in it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from importlib.resources import files

from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact, ReminderTemplate
from almanac.desks.reminders.model.labels import level_words
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.store.templates import add_template_version
from almanac.errors import FieldErrors, NotFound, StaleEdit
from almanac.kit.catalogs import INTERFACE_LANGUAGES, base_language
from almanac.kit.locale_formats import format_day
from almanac.kit.messages import gettext, ngettext, translate
from almanac.kit.money import Money
from almanac.language.detection import detect_language
from almanac.mail.message import Address
from almanac.services import Services
from almanac.verify import FindingKind, check_stated_figures

PLACEHOLDERS: Mapping[str, str] = {
    "customer_name": gettext("The customer's name"),
    "customer_id": gettext("The customer's id"),
    "customer_email": gettext("The customer's first mail address"),
    "invoice_id": gettext("The numbers of all overdue invoices, separated by commas"),
    "invoice_count": gettext("How many invoices are overdue"),
    "invoice_list": gettext("One line for each overdue invoice: number, amount, due date, days overdue"),
    "overdue_amount": gettext("The sum of all overdue invoices with its currency"),
    "currency": gettext("The code of the currency"),
    "due_date": gettext("The oldest due date"),
    "days_overdue": gettext("Days since the oldest due date"),
    "reminder_type": gettext("The level: first, second, final"),
    "sender_name": gettext("The name in the sender's address"),
}
MAX_SUBJECT, MAX_BODY = 300, 20_000
_FEW_LETTERS = 12
_PLACEHOLDER = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_FACTS_FROM_LEDGER = frozenset({FindingKind.AMOUNT, FindingKind.DATE})


@dataclass(frozen=True, slots=True)
class TemplateText:
    """Subject and body of a template, with their placeholders."""

    subject: str
    body: str

    @property
    def own_words(self) -> str:
        """The template's text without its placeholders."""
        return _PLACEHOLDER.sub(" ", f"{self.subject}\n{self.body}")


def check_template(text: TemplateText) -> TemplateText:
    """FieldErrors if a placeholder is unknown, or the template states amounts or dates of its own."""
    wrong = {
        name: fault
        for name, part, longest in (
            ("subject", text.subject, MAX_SUBJECT),
            ("body", text.body, MAX_BODY),
        )
        if (fault := next(_find_faults(part, longest), None))
    }
    if "\n" in text.subject.strip():
        wrong["subject"] = gettext("Write the subject on one line.")
    if wrong:
        raise FieldErrors(wrong)
    return text


def _find_faults(part: str, longest: int) -> Iterator[str]:
    if not part.strip():
        yield gettext("Write something here.")
    if len(part) > longest:
        yield gettext("Write at most %(limit)s characters.", limit=f"{longest:,}")
    for name in _PLACEHOLDER.findall(part):
        if name not in PLACEHOLDERS:
            yield gettext(
                "{{%(name)s}} isn't a placeholder; choose from %(placeholders)s.",
                name=name,
                placeholders=", ".join(PLACEHOLDERS),
            )
    literal_text = _PLACEHOLDER.sub(" ", part)
    if "{{" in literal_text or "}}" in literal_text:
        yield gettext("A placeholder has two braces on each side, as in {{customer_name}}; one of them is missing.")
    for finding in check_stated_figures(literal_text, ()):
        if finding.kind in _FACTS_FROM_LEDGER:
            yield gettext(
                "%(found)s would be in every letter; use a placeholder, so that it comes from the ledger.",
                found=finding.found,
            )


def fill_placeholders(text: str, values: Mapping[str, str]) -> str:
    """The text with every placeholder replaced. FieldErrors if one is unknown or has no value."""
    missing = sorted({name for name in _PLACEHOLDER.findall(text) if not values.get(name)})
    if missing:
        names = ", ".join(f"{{{{{name}}}}}" for name in missing)
        raise FieldErrors(
            dict.fromkeys(missing, gettext("This has no value.")), gettext("The template needs %(names)s.", names=names)
        )
    return _PLACEHOLDER.sub(lambda match: values[match[1]], text)


def letter_language(template: ReminderTemplate, customer: Customer) -> str:
    """The language of the template's own words, which everything else in the letter follows.

    It isn't always the customer's: English templates stand in for languages that have none. A template with hardly any
    words follows the customer.
    """
    words = TemplateText(template.subject, template.body).own_words
    is_short = sum(map(str.isalpha, words)) < _FEW_LETTERS
    detected = detect_language(words)
    if detected == "id" and base_language(customer.language) != "id":
        detected = "ms"  # Few words tell Malay from Indonesian, and a short letter may have none of them.
    return customer.language if is_short or detected == base_language(customer.language) else detected


def format_date(day: date, language: str) -> str:
    """A date as letters in the language write it; in digits where we don't know how."""
    base = base_language(language)
    return format_day(day, base) if base in INTERFACE_LANGUAGES else day.isoformat()


def placeholder_values(
    customer: Customer, facts: DebtFacts, *, level: str, sender_name: str, language: str
) -> dict[str, str]:
    """A value for each placeholder in the letter's language; empty if the ledger has none."""
    oldest = min(facts.invoices, key=lambda fact: fact.due)
    return {
        "customer_name": customer.name,
        "customer_id": customer.id,
        "customer_email": customer.recipients[0] if customer.recipients else "",
        "invoice_id": ", ".join(fact.number for fact in facts.invoices),
        "invoice_count": str(len(facts.invoices)),
        "invoice_list": "\n".join(_format_invoice(fact, facts.currency, language) for fact in facts.invoices),
        "overdue_amount": str(facts.amount),
        "currency": facts.currency,
        "due_date": format_date(oldest.due, language),
        "days_overdue": str(oldest.days_overdue),
        "reminder_type": translate(level_words(level), language),
        "sender_name": sender_name,
    }


def _format_invoice(fact: InvoiceFact, currency: str, language: str) -> str:
    line = ngettext(
        "%(number)s: %(amount)s, due %(due)s, %(num)s day overdue",
        "%(number)s: %(amount)s, due %(due)s, %(num)s days overdue",
        fact.days_overdue,
        number=fact.number,
        amount=str(Money(fact.outstanding, currency)),
        due=format_date(fact.due, language),
    )
    return translate(line, language)


LANGUAGES = ("en", "ms", "zh")
LEVELS = ("first", "second", "final")
_PREFIX = "reminder_"
_FIRST_LANGUAGE = LANGUAGES[0]


def make_template_id(level: str, language: str = _FIRST_LANGUAGE) -> str:
    """The id of a level's template; English ones have the documented ids without a language."""
    return f"{_PREFIX}{level}" if language == _FIRST_LANGUAGE else f"{_PREFIX}{level}_{language}"


SHIPPED: dict[str, tuple[str, str]] = {
    make_template_id(level, language): (level, language) for language in LANGUAGES for level in LEVELS
}


def load_shipped_text(template_id: str) -> TemplateText | None:
    """The shipped text of this template; None if there is none."""
    if template_id not in SHIPPED:
        return None
    level, language = SHIPPED[template_id]
    text = files(__package__).joinpath("shipped", language, f"{level}.txt").read_text(encoding="utf-8")
    subject, _, body = text.partition("\n\n")
    return TemplateText(subject.strip(), body.strip() + "\n")


async def store_shipped_template(services: Services, template: ReminderTemplate) -> ReminderTemplate:
    """Store a shipped text, so that its version never changes afterwards."""
    try:
        return await add_template_version(services.tables, template)
    except StaleEdit:
        return (await store.list_template_versions(services.tables, template.id))[0]


async def select_template(services: Services, level: str, language: str) -> ReminderTemplate:
    """The template of a level in a language, else in English. NotFound if there is none."""
    for name in dict.fromkeys((make_template_id(level, base_language(language)), make_template_id(level))):
        stored = await store.list_template_versions(services.tables, name)
        template = next((version for version in stored if version.active), None) if stored else shipped_template(name)
        if template is not None:
            return template
    raise NotFound(
        gettext(
            "Level %(level)s has no template; save one as %(template)s.", level=level, template=make_template_id(level)
        )
    )


def shipped_template(template_id: str) -> ReminderTemplate | None:
    """The shipped template with this id, as version 1; None if there is none."""
    text = load_shipped_text(template_id)
    if text is None:
        return None
    level, language = SHIPPED[template_id]
    name = f"{level.capitalize()} reminder" + (f" ({language})" if language != "en" else "")
    return ReminderTemplate(
        id=template_id, version=1, name=name, subject=text.subject, body=text.body, kind=f"{level}_reminder"
    )


def get_sender_name(services: Services) -> str:
    """The name that letters are signed with, from the sender's address."""
    sender = Address.parse(services.settings.mail_from)
    return sender.name or sender.email
