"""Checks that every amount, date and invoice number in a letter is the ledger's, next to the right invoice."""

import re
from collections.abc import Iterator, Sequence

from almanac.desks.reminders.model.draft import DebtFacts, InvoiceFact
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.language.segmentation import split_sentences
from almanac.verify import check_stated_figures


class InventedFact(FieldErrors):
    """The letter states something that the ledger doesn't."""

    code = "invented_fact"


def describe_ledger(customer_name: str, facts: DebtFacts) -> str:
    """Everything a letter may state, one sentence per line."""
    return "\n".join(
        [*_customer_facts(customer_name, facts), *(_invoice_facts(fact, facts.currency) for fact in facts.invoices)]
    )


def require_stated(subject: str, text: str, facts: DebtFacts, *, customer_name: str, also: Sequence[str] = ()) -> None:
    """InventedFact if the letter has a figure of its own. Figures in `also`, such as the template's, are allowed."""
    wrong = {}
    for field, part in (("subject", subject), ("text", text)):
        faults = list(dict.fromkeys(_faults(part, facts, customer_name, also)))
        if faults:
            wrong[field] = " ".join(faults)
    if wrong:
        raise InventedFact(wrong, gettext("The reminder states something that the ledger doesn't."))


def require_complete(text: str, facts: DebtFacts) -> None:
    """InventedFact if the letter leaves out the total or an invoice."""
    absent = [fact.number for fact in facts.invoices if not _names(text, fact.number)]
    if absent:
        raise InventedFact(
            {"text": gettext("It doesn't name %(absent)s.", absent=", ".join(absent))},
            gettext("The reminder leaves out invoices."),
        )
    if check_stated_figures(str(facts.amount), [text]):
        raise InventedFact(
            {"text": gettext("It doesn't give the total of %(amount)s.", amount=facts.amount)},
            gettext("The reminder leaves out the total."),
        )


def _faults(text: str, facts: DebtFacts, customer_name: str, also: Sequence[str]) -> Iterator[str]:
    for line in text.splitlines():
        for sentence in split_sentences(line):
            for finding in check_stated_figures(
                sentence.text, [*_stated_facts(sentence.text, facts, customer_name), *also]
            ):
                yield gettext("“%(found)s” is not in the ledger.", found=finding.found)


def _stated_facts(sentence: str, facts: DebtFacts, customer_name: str) -> list[str]:
    """What a sentence may state; if it names invoices, facts of other invoices don't count."""
    mentioned = [fact for fact in facts.invoices if _names(sentence, fact.number)]
    return [
        *_customer_facts(customer_name, facts),
        *(_invoice_facts(fact, facts.currency) for fact in mentioned or facts.invoices),
    ]


def _names(text: str, number: str) -> bool:
    """Whether the text has this invoice number, not as part of another one."""
    return re.search(rf"(?<![\w-]){re.escape(number)}(?![\w-])", text) is not None


def _customer_facts(customer_name: str, facts: DebtFacts) -> list[str]:
    numbers = ", ".join(fact.number for fact in facts.invoices)
    return [
        f"The customer is {customer_name}.",
        f"{facts.amount} is owed in total on {len(facts.invoices)} invoices: {numbers}.",
    ]


def _invoice_facts(fact: InvoiceFact, currency: str) -> str:
    issued = f" It was issued on {fact.issued}." if fact.issued else ""
    owed = Money(fact.outstanding, currency)
    return f"Invoice {fact.number}: {owed} is owed, due on {fact.due}, {fact.days_overdue} days overdue.{issued}"
