"""Who learns what happened to a reminder or a debt: the audit log, and through webhooks other programs.

Both name things by their ids and hold nothing personal. They are written together, right after the table.
"""

from collections.abc import Mapping

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import Deed, DetailValue, Subject
from almanac.desks.reminders.model.draft import SUBJECT_KIND, Draft
from almanac.services import Services
from almanac.webhooks import EventType

SENT, FAILED, UNKNOWN, CANCELLED = "reminder.sent", "reminder.failed", "reminder.unknown", "reminder.cancelled"
DELIVERY, OPTED_OUT, REPLIED = "reminder.delivery", "customer.opted_out", "customer.replied"
PAID, PAYMENT = "invoice.paid", "payment.recorded"
EVENTS = (
    EventType("reminder.drafted", "A reminder was drafted and waits for a person."),
    EventType("reminder.approved", "Somebody approved a reminder."),
    EventType("reminder.rejected", "Somebody rejected a reminder, with a note."),
    EventType(SENT, "A reminder was handed over to the mail server."),
    EventType(FAILED, "A reminder was certainly not sent, and never will be."),
    EventType(UNKNOWN, "Nobody knows whether a reminder left; a person or a delivery event settles it."),
    EventType(CANCELLED, "A reminder was taken back before it left."),
    EventType(DELIVERY, "News of a reminder's recipients: delivered, delayed, bounced or complained."),
    EventType(PAYMENT, "A payment was recorded."),
    EventType(PAID, "An invoice was paid in full."),
    EventType(REPLIED, "A customer replied; reminders wait until a person says what it means."),
    EventType(OPTED_OUT, "A customer opted out of reminders by the link in a mail."),
)
_NAMES = frozenset(event.name for event in EVENTS)


async def announce(
    services: Services, by: Principal, action: str, subject: Subject, detail: Mapping[str, DetailValue], why: str = ""
) -> None:
    """Enter a deed into the audit log; where it is one of the desk's events, tell whoever wants to know."""
    async with services.database.unit() as unit:
        await audit.record(unit, services.clock, Deed(by.actor, action, subject, why, detail))
        if action in _NAMES:
            await services.webhooks.publish(unit, action, {"id": subject.id, **detail})


async def announce_draft(services: Services, by: Principal, action: str, draft: Draft, why: str = "") -> None:
    """What was decided about a draft, or became of it."""
    facts: dict[str, DetailValue] = {
        "customer": draft.customer_id,
        "level": draft.level,
        "cycle": draft.cycle,
        "content": draft.content_hash,
    }
    if draft.facts is not None:
        owed = {"amount": str(draft.facts.total), "currency": draft.facts.currency}
        facts |= {**owed, "invoices": [fact.number for fact in draft.facts.invoices]}
    await announce(services, by, action, Subject(SUBJECT_KIND, draft.id), facts, why)
