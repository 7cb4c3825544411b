"""Events of reminders and debts: what the audit log records and webhooks send to other programs.

Events name things by id and hold nothing personal. They are stored in the transaction of their change, published right
after it, and published by the worker after a crash. Their ids make sure that each is published once.
"""

from collections.abc import Sequence
from contextlib import suppress
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditEntry, AuditSubject, DetailValue
from almanac.audit.sentences import SLOTS
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.labels import reminder_words
from almanac.desks.reminders.model.outbox import (
    INVOICE_PAID,
    PAYMENT_RECORDED,
    OutboxEntry,
    describe_draft_action,
    make_outbox_entry,
)
from almanac.desks.reminders.store.transactions import delete_outbox_entries, list_pending_outbox
from almanac.errors import Retryable
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

REMINDER_SENT = "reminder.sent"
REMINDER_KEPT = "reminder.kept"
REMINDER_FAILED = "reminder.failed"
REMINDER_UNKNOWN = "reminder.unknown"
REMINDER_CANCELLED = "reminder.cancelled"
DELIVERY_NEWS = "reminder.delivery"
CUSTOMER_OPTED_OUT = "customer.opted_out"
CUSTOMER_REPLIED = "customer.replied"
EVENTS = (
    EventType("reminder.drafted", gettext("A reminder was drafted and waits for approval.")),
    EventType("reminder.approved", gettext("Somebody approved a reminder.")),
    EventType("reminder.rejected", gettext("Somebody rejected a reminder, with a note.")),
    EventType("reminder.snoozed", gettext("Somebody put a reminder off until a day.")),
    EventType("reminder.reopened", gettext("A decision about a reminder was taken back; it waits again.")),
    EventType(REMINDER_SENT, gettext("A reminder was handed to the mail server.")),
    EventType(REMINDER_KEPT, gettext("A reminder was kept here, because mail isn't set up; it reached nobody.")),
    EventType(REMINDER_FAILED, gettext("A reminder failed and won't be sent.")),
    EventType(
        REMINDER_UNKNOWN,
        gettext("It is unknown whether a reminder was sent; a person or a delivery event resolves it."),
    ),
    EventType(REMINDER_CANCELLED, gettext("A reminder was cancelled before it was sent.")),
    EventType(DELIVERY_NEWS, gettext("A reminder was delivered, delayed, bounced, reported as spam or failed.")),
    EventType(PAYMENT_RECORDED, gettext("A payment was recorded.")),
    EventType(INVOICE_PAID, gettext("An invoice was paid in full.")),
    EventType(CUSTOMER_REPLIED, gettext("A customer replied; reminders wait until a person confirms what it means.")),
    EventType(CUSTOMER_OPTED_OUT, gettext("A customer opted out of reminders with the link in a mail.")),
)
AUDIT_SENTENCES = {
    "reminder.drafted": gettext("%(actor)s drafted %(reminder)s to %(customer)s", **SLOTS),
    "reminder.edited": gettext("%(actor)s changed the text of %(reminder)s to %(customer)s", **SLOTS),
    "reminder.approved": gettext("%(actor)s approved %(reminder)s to %(customer)s", **SLOTS),
    "reminder.rejected": gettext("%(actor)s rejected %(reminder)s to %(customer)s", **SLOTS),
    "reminder.snoozed": gettext("%(actor)s put off %(reminder)s to %(customer)s", **SLOTS),
    "reminder.reopened": gettext("%(actor)s took back the decision about %(reminder)s to %(customer)s", **SLOTS),
    "reminder.cancelled": gettext("%(actor)s cancelled %(reminder)s to %(customer)s", **SLOTS),
    "reminder.dispatched": gettext("%(actor)s began to send %(reminder)s to %(customer)s", **SLOTS),
    "reminder.sent": gettext("%(actor)s sent %(reminder)s to %(customer)s", **SLOTS),
    "reminder.kept": gettext("%(actor)s kept %(reminder)s to %(customer)s here; it reached nobody", **SLOTS),
    "reminder.failed": gettext("%(actor)s could not send %(reminder)s to %(customer)s", **SLOTS),
    "reminder.unknown": gettext("%(actor)s doesn't know whether %(reminder)s to %(customer)s was sent", **SLOTS),
    "reminder.delivery": gettext("%(actor)s learned about the delivery of %(reminder)s to %(customer)s", **SLOTS),
    "reminder.settled_as_sent": gettext("%(actor)s confirmed that %(reminder)s to %(customer)s was sent", **SLOTS),
    "reminder.settled_as_not_sent": gettext(
        "%(actor)s confirmed that %(reminder)s to %(customer)s was not sent", **SLOTS
    ),
    "customer.added": gettext("%(actor)s added the customer %(name)s", **SLOTS),
    "customer.changed": gettext("%(actor)s changed the customer %(name)s", **SLOTS),
    "customer.erased": gettext("%(actor)s erased a customer on request", **SLOTS),
    "customer.opted_out": gettext("%(actor)s recorded that %(customer)s opted out of reminders", **SLOTS),
    "customer.replied": gettext("%(actor)s received a reply from %(customer)s", **SLOTS),
    "hold.placed": gettext("%(actor)s put reminders to %(customer)s on hold", **SLOTS),
    "hold.lifted": gettext("%(actor)s lifted the hold on reminders to %(customer)s", **SLOTS),
    "invoice.added": gettext("%(actor)s added invoice %(name)s of %(customer)s", **SLOTS),
    "invoice.changed": gettext("%(actor)s changed invoice %(name)s of %(customer)s", **SLOTS),
    "invoice.paid": gettext("%(actor)s recorded invoice %(name)s of %(customer)s as paid", **SLOTS),
    "payment.recorded": gettext("%(actor)s recorded a payment by %(customer)s", **SLOTS),
    "ledger.imported": gettext("%(actor)s imported customers and invoices", **SLOTS),
    "rules.changed": gettext("%(actor)s changed the rules for reminders", **SLOTS),
    "template.saved": gettext("%(actor)s saved a reminder template", **SLOTS),
}


def fill_audit_slots(entry: AuditEntry) -> dict[str, str]:
    """Which reminder an entry is about."""
    level = entry.detail.get("level")
    return {"reminder": reminder_words(level)} if isinstance(level, str) else {}


_NAMES = frozenset(event.name for event in EVENTS)
# Leaves the process that made a change time to publish its events; the worker publishes older ones.
PUBLISH_OVERDUE_AFTER = timedelta(seconds=20)
_MAX_OVERDUE = 1000


async def record_change(
    services: Services, by: Principal, action: str, kind: str, subject_id: str, **detail: DetailValue
) -> None:
    """Audit an action such as `invoice.added` on a subject of a kind; webhooks get it if it is one of EVENTS."""
    deed = AuditAction(by.actor, action, AuditSubject(f"reminders.{kind}", subject_id), "", detail)
    await _publish(services, [make_outbox_entry(services.clock.now(), deed)])


async def record_draft_event(
    services: Services, by: Principal, action: str, draft: ReminderDraft, why: str = ""
) -> None:
    """Audit an action on a draft that has no change of the table to be stored with."""
    deed = describe_draft_action(by.actor, action, draft, why)
    await _publish(services, [make_outbox_entry(services.clock.now(), deed)])


async def publish_events(services: Services, *entries: OutboxEntry | None) -> None:
    """Publish the events of changes that were committed. If that fails now, the worker publishes them later."""
    present = [entry for entry in entries if entry is not None]
    if present:
        with suppress(Retryable):
            await _publish(services, present)
            await delete_outbox_entries(services.tables, [entry.id for entry in present])


async def publish_overdue_events(services: Services, older_than: timedelta = PUBLISH_OVERDUE_AFTER) -> int:
    """Publish events that a crash or an outage left in the outbox; returns the number of changes."""
    entries = await list_pending_outbox(services.tables, until=services.clock.now() - older_than, limit=_MAX_OVERDUE)
    for entry in entries:
        await _publish(services, [entry])
        await delete_outbox_entries(services.tables, [entry.id])
    return len(entries)


async def _publish(services: Services, entries: Sequence[OutboxEntry]) -> None:
    async with services.database.unit() as unit:
        for entry in entries:
            for number, deed in enumerate(entry.deeds):
                await _publish_deed(services, unit, deed, f"{entry.id}-{number}" if number else entry.id)


async def _publish_deed(services: Services, unit: Unit, deed: AuditAction, entry_id: str) -> None:
    """The audit log ignores an id that it already has, so that a repeated deed reaches the webhooks once."""
    if await audit.record_once(unit, services.clock, deed, entry_id=entry_id) and deed.action in _NAMES:
        await services.webhooks.publish(unit, deed.action, {"id": deed.subject.id, **deed.detail})
