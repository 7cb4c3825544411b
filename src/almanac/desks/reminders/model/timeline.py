"""A customer's timeline: everything that happened, as one list."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from typing import Literal

from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import level_words
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, Payment
from almanac.desks.reminders.model.sent import SentReminder
from almanac.kit.messages import day_text, gettext
from almanac.kit.money import Money

TimelineKind = Literal["customer", "invoice", "payment", "hold", "lifted", "draft", "decided", "sent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerTimelineEntry:
    """One event. `of` is the id of what it is about: an invoice number, a hold, a draft, a sent reminder.

    `state` is that of a draft, or the delivery status of a sent reminder; `by` is a user id.
    """

    at: datetime
    kind: TimelineKind
    of: str
    sentence: str
    amount: Money | None = None
    state: str = ""
    by: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CustomerHistory:
    """All records of a customer."""

    customer: Customer
    invoices: Sequence[Invoice] = ()
    payments: Sequence[Payment] = ()
    holds: Sequence[Hold] = ()
    drafts: Sequence[ReminderDraft] = ()
    sent: Sequence[SentReminder] = ()


def build_timeline(history: CustomerHistory) -> list[CustomerTimelineEntry]:
    """The latest first; entries of the same moment are ordered by kind and id."""
    entries = [
        *_customer(history.customer),
        *(_invoice(invoice) for invoice in history.invoices),
        *(_payment(payment) for payment in history.payments),
        *(entry for hold in history.holds for entry in _hold(hold)),
        *(entry for draft in history.drafts for entry in _draft(draft)),
        *(_sent(sent) for sent in history.sent),
    ]
    return sorted(entries, key=lambda entry: (entry.at, entry.kind, entry.of), reverse=True)


def _customer(customer: Customer) -> Iterator[CustomerTimelineEntry]:
    if customer.created_at is not None:
        yield CustomerTimelineEntry(
            at=customer.created_at, kind="customer", of=customer.id, sentence=gettext("Customer added.")
        )
    if customer.erased_at is not None:
        yield CustomerTimelineEntry(
            at=customer.erased_at, kind="customer", of=customer.id, sentence=gettext("Personal data was erased.")
        )


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)


def _invoice(invoice: Invoice) -> CustomerTimelineEntry:
    return CustomerTimelineEntry(
        at=_midnight(invoice.issued or invoice.due),
        kind="invoice",
        of=invoice.number,
        sentence=gettext(
            "Invoice %(number)s over %(amount)s, due on %(due)s.",
            number=invoice.number,
            amount=invoice.amount,
            due=day_text(invoice.due, "short_date"),
        ),
        amount=invoice.amount,
        state="disputed" if invoice.disputed and invoice.outstanding else invoice.state,
        note=invoice.dispute_note,
    )


def _payment(payment: Payment) -> CustomerTimelineEntry:
    towards = ", ".join(sorted(payment.towards))
    return CustomerTimelineEntry(
        at=payment.received_at,
        kind="payment",
        of=payment.id,
        sentence=gettext("Paid %(amount)s towards %(invoices)s.", amount=payment.amount, invoices=towards)
        if towards
        else gettext("Paid %(amount)s.", amount=payment.amount),
        amount=payment.amount,
        by=payment.recorded_by,
        note=payment.note,
    )


_HOLDS = {
    "promise": gettext("Promised to pay"),
    "dispute": gettext("A dispute"),
    "pause": gettext("A pause"),
    "reply": gettext("Replied"),
    "never": gettext("Set to never remind"),
}
_LIFTED_HOLDS = {
    "promise": gettext("promised to pay"),
    "dispute": gettext("a dispute"),
    "pause": gettext("a pause"),
    "reply": gettext("replied"),
    "never": gettext("set to never remind"),
}


def _describe_hold(hold: Hold, kinds: Mapping[str, str]) -> str:
    if not hold.invoice:
        return kinds[hold.kind]
    return gettext("%(hold)s, about %(invoice)s", hold=kinds[hold.kind], invoice=hold.invoice)


def _hold(hold: Hold) -> Iterator[CustomerTimelineEntry]:
    if hold.created_at is not None:
        about = _describe_hold(hold, _HOLDS)
        yield CustomerTimelineEntry(
            at=hold.created_at,
            kind="hold",
            of=hold.id,
            sentence=gettext(
                "%(hold)s. Reminders wait until %(day)s.", hold=about, day=day_text(hold.until, "short_date")
            )
            if hold.until
            else gettext("%(hold)s. Reminders wait.", hold=about),
            by=hold.by,
            note=hold.note,
            state="lifted" if hold.lifted_at else "standing",
        )
    if hold.lifted_at is not None:
        yield CustomerTimelineEntry(
            at=hold.lifted_at,
            kind="lifted",
            of=hold.id,
            sentence=gettext("Lifted: %(hold)s.", hold=_describe_hold(hold, _LIFTED_HOLDS)),
            by=hold.lifted_by,
        )


def _draft(draft: ReminderDraft) -> Iterator[CustomerTimelineEntry]:
    amount = draft.facts.amount if draft.facts else None
    yield CustomerTimelineEntry(
        at=draft.created_at,
        kind="draft",
        of=draft.id,
        sentence=gettext("The %(level)s reminder was drafted.", level=level_words(draft.level)),
        amount=amount,
        state=draft.state,
        by=draft.created_by.id,
        note=draft.reason or draft.outdated,
    )
    if draft.approved is not None:
        level = level_words(draft.level)
        yield CustomerTimelineEntry(
            at=draft.approved.at,
            kind="decided",
            of=draft.id,
            sentence=gettext("The %(level)s reminder was rejected.", level=level)
            if draft.state == "rejected"
            else gettext("The %(level)s reminder was approved.", level=level),
            state=draft.state,
            by=draft.approved.by.id,
            note=draft.approved.note,
        )


def _sent(sent: SentReminder) -> CustomerTimelineEntry:
    amount = Money(sent.amount, sent.currency) if sent.amount is not None and sent.currency else None
    level = level_words(sent.level)
    return CustomerTimelineEntry(
        at=sent.sent_at,
        kind="sent",
        of=sent.id,
        sentence=gettext(
            "The %(level)s reminder is kept here, because mail isn't set up: %(subject)s",
            level=level,
            subject=sent.subject,
        )
        if sent.delivery_status == "kept"
        else gettext("The %(level)s reminder went out: %(subject)s", level=level, subject=sent.subject),
        amount=amount,
        state=sent.delivery_status or sent.status,
        by=sent.approved_by or "",
    )
