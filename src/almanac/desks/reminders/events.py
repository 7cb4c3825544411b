"""Who learns what happened to a reminder or a debt: the audit log, and through webhooks other programs.

Both name things by their ids and hold nothing personal. What a change of the table has to tell is kept with it in one
transaction, told right after, and told by the worker where a crash came between; its id makes sure that it is once.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import Deed, DetailValue, Subject
from almanac.desks.reminders.model.draft import Draft
from almanac.desks.reminders.model.notice import PAID, PAYMENT, Notice, deed_on_draft, notice_of
from almanac.desks.reminders.store.notices import remove_notices, untold_notices
from almanac.errors import Retryable
from almanac.relational import Unit
from almanac.services import Services
from almanac.webhooks import EventType

SENT, FAILED, UNKNOWN, CANCELLED = "reminder.sent", "reminder.failed", "reminder.unknown", "reminder.cancelled"
DELIVERY, OPTED_OUT, REPLIED = "reminder.delivery", "customer.opted_out", "customer.replied"
EVENTS = (
    EventType("reminder.drafted", "A reminder was drafted and waits for a person."),
    EventType("reminder.approved", "Somebody approved a reminder."),
    EventType("reminder.rejected", "Somebody rejected a reminder, with a note."),
    EventType(SENT, "A reminder was handed over to the mail server."),
    EventType(FAILED, "A reminder was certainly not sent, and never will be."),
    EventType(UNKNOWN, "Nobody knows whether a reminder left; a person or a delivery event settles it."),
    EventType(CANCELLED, "A reminder was taken back before it left."),
    EventType(DELIVERY, "News of a reminder's recipients: delivered, delayed, bounced, complained or failed."),
    EventType(PAYMENT, "A payment was recorded."),
    EventType(PAID, "An invoice was paid in full."),
    EventType(REPLIED, "A customer replied; reminders wait until a person says what it means."),
    EventType(OPTED_OUT, "A customer opted out of reminders by the link in a mail."),
)
_NAMES = frozenset(event.name for event in EVENTS)
# Long enough for whoever made a change to tell of it; the worker tells what is older.
OVERDUE_AFTER = timedelta(seconds=20)
_AT_ONCE = 1000


async def announce(
    services: Services, by: Principal, action: str, subject: Subject, detail: Mapping[str, DetailValue], why: str = ""
) -> None:
    """Enter a deed into the audit log; where it is one of the desk's events, tell whoever wants to know."""
    await _tell(services, [notice_of(services.clock.now(), Deed(by.actor, action, subject, why, detail))])


async def announce_draft(services: Services, by: Principal, action: str, draft: Draft, why: str = "") -> None:
    """What was decided about a draft, or became of it."""
    await _tell(services, [notice_of(services.clock.now(), deed_on_draft(by.actor, action, draft, why))])


async def tell(services: Services, *notices: Notice | None) -> None:
    """Tell of changes that are made. Where that isn't possible now the notices stay, and the worker tells them."""
    kept = [notice for notice in notices if notice is not None]
    if kept:
        with suppress(Retryable):
            await _tell(services, kept)
            await remove_notices(services.tables, [notice.id for notice in kept])


async def tell_overdue(services: Services, older_than: timedelta = OVERDUE_AFTER) -> int:
    """Tell what those who made a change could not tell; returns how many changes."""
    notices = await untold_notices(services.tables, until=services.clock.now() - older_than, limit=_AT_ONCE)
    for notice in notices:
        await _tell(services, [notice])
        await remove_notices(services.tables, [notice.id])
    return len(notices)


async def _tell(services: Services, notices: Sequence[Notice]) -> None:
    async with services.database.unit() as unit:
        for notice in notices:
            for number, deed in enumerate(notice.deeds):
                await _tell_deed(services, unit, deed, f"{notice.id}-{number}" if number else notice.id)


async def _tell_deed(services: Services, unit: Unit, deed: Deed, entry_id: str) -> None:
    if await audit.record_once(unit, services.clock, deed, entry_id=entry_id) and deed.action in _NAMES:
        await services.webhooks.publish(unit, deed.action, {"id": deed.subject.id, **deed.detail})
