"""Outbox entries: events of a change, stored in its transaction until the audit log and the webhooks have them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.audit.model import Actor, AuditAction, AuditSubject, DetailValue
from almanac.desks.reminders.model.draft import SUBJECT_KIND, ReminderDraft
from almanac.desks.reminders.model.ledger import Invoice, Payment
from almanac.kit.ids import new_id

PAYMENT_RECORDED, INVOICE_PAID = "payment.recorded", "invoice.paid"


@dataclass(frozen=True, slots=True)
class OutboxEntry:
    """The audit deeds of one change. Its id makes publishing idempotent."""

    id: str
    at: datetime
    deeds: tuple[AuditAction, ...]


DraftEventFactory = Callable[[ReminderDraft | None, ReminderDraft], OutboxEntry | None]
EventAction = str | Callable[[ReminderDraft | None, ReminderDraft], str | None]
PaymentEventFactory = Callable[[Payment, Sequence[Invoice]], OutboxEntry | None]


def make_outbox_entry(now: datetime, *deeds: AuditAction) -> OutboxEntry:
    """An entry with a new id."""
    return OutboxEntry(new_id(), now, deeds)


def describe_draft_action(actor: Actor, action: str, draft: ReminderDraft, why: str = "") -> AuditAction:
    """The audit deed for an action on a draft."""
    facts: dict[str, DetailValue] = {
        "customer": draft.customer_id,
        "level": draft.level,
        "cycle": draft.cycle,
        "content": draft.content_hash,
    }
    if draft.facts is not None:
        owed = {"amount": str(draft.facts.total), "currency": draft.facts.currency}
        facts |= {**owed, "invoices": [fact.number for fact in draft.facts.invoices]}
    return AuditAction(actor, action, AuditSubject(SUBJECT_KIND, draft.id), why, facts)


def describe_payment(actor: Actor, payment: Payment, invoices: Sequence[Invoice]) -> tuple[AuditAction, ...]:
    """The audit deeds for a payment and for each invoice that it paid in full."""
    customer: Mapping[str, DetailValue] = {"customer": payment.customer_id}
    money = {"amount": str(payment.amount.amount), "currency": payment.amount.currency}
    paid = [invoice for invoice in invoices if invoice.number in payment.towards and invoice.state == "paid"]
    return (
        AuditAction(actor, PAYMENT_RECORDED, AuditSubject("reminders.payment", payment.id), "", {**customer, **money}),
        *(
            AuditAction(actor, INVOICE_PAID, AuditSubject("reminders.invoice", invoice.number), "", customer)
            for invoice in paid
        ),
    )


@dataclass(slots=True)
class DraftEventRecorder:
    """Makes the outbox entry for one change of a draft; `entry` is the one that the store wrote, None without one.

    `action` may depend on the draft before and after; None means no event.
    """

    by: Principal
    action: EventAction
    now: datetime
    why: str = ""
    entry: OutboxEntry | None = field(default=None, init=False)

    def __call__(self, before: ReminderDraft | None, after: ReminderDraft) -> OutboxEntry | None:
        """The entry for this attempt; a change that changes nothing has none."""
        action = self.action if isinstance(self.action, str) else self.action(before, after)
        self.entry = None
        if action is not None and before != after:
            self.entry = make_outbox_entry(self.now, describe_draft_action(self.by.actor, action, after, self.why))
        return self.entry
