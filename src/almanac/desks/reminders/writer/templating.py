"""Templates with `{{placeholders}}`: strict, so that a letter never goes out with a gap or a guess in it."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from almanac.errors import FieldErrors
from almanac.verify import FindingKind, check_stated_figures

PLACEHOLDERS: Mapping[str, str] = {
    "customer_name": "The customer's name",
    "customer_id": "The customer's id",
    "customer_email": "The customer's first mail address",
    "invoice_id": "The numbers of all overdue invoices, separated by commas",
    "invoice_count": "How many invoices are overdue",
    "invoice_list": "One line for each overdue invoice: number, amount, due date, days overdue",
    "overdue_amount": "The sum of all overdue invoices with its currency",
    "currency": "The code of the currency",
    "due_date": "The oldest due date",
    "days_overdue": "Days since the oldest due date",
    "reminder_type": "The level: first, second, final",
    "sender_name": "The name in the sender's address",
}
LONGEST_SUBJECT, LONGEST_BODY = 300, 20_000
_HOLE = re.compile(r"\{\{\s*([^{}]*?)\s*\}\}")
_STATED_ELSEWHERE = frozenset({FindingKind.AMOUNT, FindingKind.DATE})


@dataclass(frozen=True, slots=True)
class TemplateText:
    """Subject and body of a template as they are written, with their placeholders."""

    subject: str
    body: str

    @property
    def own_words(self) -> str:
        """What the template says by itself: everything but the placeholders."""
        return _HOLE.sub(" ", f"{self.subject}\n{self.body}")


def check_template(text: TemplateText) -> TemplateText:
    """Refuse a template that could never be filled, or that states amounts or dates of its own."""
    wrong = {
        name: fault
        for name, part, longest in (
            ("subject", text.subject, LONGEST_SUBJECT),
            ("body", text.body, LONGEST_BODY),
        )
        if (fault := next(_faults(part, longest), None))
    }
    if "\n" in text.subject.strip():
        wrong["subject"] = "Write the subject on one line."
    if wrong:
        raise FieldErrors(wrong)
    return text


def _faults(part: str, longest: int) -> Iterator[str]:
    if not part.strip():
        yield "Write something here."
    if len(part) > longest:
        yield f"Write at most {longest:,} characters."
    for name in _HOLE.findall(part):
        if name not in PLACEHOLDERS:
            yield f"There is no placeholder {{{{{name}}}}}; choose from {', '.join(PLACEHOLDERS)}."
    rest = _HOLE.sub(" ", part)
    if "{{" in rest or "}}" in rest:
        yield "A placeholder has two braces on each side, as in {{customer_name}}; one of them is missing."
    for finding in check_stated_figures(rest, ()):
        if finding.kind in _STATED_ELSEWHERE:
            yield f"{finding.found} would be in every letter; use a placeholder, so that it comes from the ledger."


def fill(text: str, values: Mapping[str, str]) -> str:
    """The text with every placeholder replaced; one that is unknown or has no value is an error that names it."""
    missing = sorted({name for name in _HOLE.findall(text) if not values.get(name)})
    if missing:
        names = ", ".join(f"{{{{{name}}}}}" for name in missing)
        raise FieldErrors(dict.fromkeys(missing, "There is no value for this."), f"The template needs {names}.")
    return _HOLE.sub(lambda hole: values[hole[1]], text)
