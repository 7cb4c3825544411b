"""Sent reminders: the record that replaces a draft, delivery news, and reads by customer and time."""

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from almanac.desks.reminders.model.draft import ReminderDraft, require_transition, split_draft_id
from almanac.desks.reminders.model.ladder import Ladder, SentMark
from almanac.desks.reminders.model.outbox import OutboxEntry
from almanac.desks.reminders.model.sent import SentReminder, split_sent_id, worst_delivery_status
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import find_draft
from almanac.desks.reminders.store.ladders import get_ladder, to_sent_reminder
from almanac.desks.reminders.store.transactions import commit, ladder_write, outbox_writes
from almanac.errors import Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.kit.retry import WriteConflict, retry_on_conflict
from tablature import Write, at_least, between, create, delete, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed

MAX_SENT_SHIFT_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """The data of a delivered mail that a sent reminder records."""

    mail_id: str
    message_id: str | None
    at: datetime
    raw: bytes
    delivery: Mapping[str, str]


async def record_sent(
    tables: AsyncDatabase, draft: str, mail: SentMail, entry: OutboxEntry | None = None
) -> SentReminder | None:
    """Replace the draft by the record of its sending; its level of the cycle is taken for good.

    None if that was recorded before.
    """

    async def attempt() -> SentReminder | None:
        existing = await find_draft(tables, draft)
        if existing is None or existing.currency is None:
            return None
        require_transition(existing.state, "sent")
        ladder = await get_ladder(tables, existing.customer_id, existing.currency)
        return await _store_sent(tables, existing, _ladder_after_sending(ladder, existing, mail.at), mail, entry)

    return await retry_on_conflict(attempt)


def _ladder_after_sending(ladder: Ladder, draft: ReminderDraft, at: datetime) -> Ladder:
    if ladder.open is not None and ladder.open.draft_id == draft.id:
        ladder = ladder.with_open(None)
    elif draft.state != "failed":
        raise Conflict(gettext("This draft is being sent but isn't on its ladder; run `almanac reminders check`."))
    return ladder.with_sent(draft.level, SentMark(draft.id, draft.cycle, at))


async def _store_sent(
    tables: AsyncDatabase, draft: ReminderDraft, ladder: Ladder, mail: SentMail, entry: OutboxEntry | None
) -> SentReminder:
    """Store it under the first free second, because the key tells sent mails apart by second and level."""
    for second in range(MAX_SENT_SHIFT_SECONDS):
        moment = mail.at.astimezone(UTC).replace(microsecond=0) + timedelta(seconds=second)
        record, copy = _sent_items(draft, mail, moment)
        try:
            await commit(
                tables,
                ladder_write(ladder),
                create(record),
                create(copy),
                _delete_draft_write(draft),
                *outbox_writes(entry),
            )
        except AlreadyExists:
            continue
        except ConditionFailed as error:
            raise WriteConflict from error
        return to_sent_reminder(record)
    raise WriteConflict


def _delete_draft_write(draft: ReminderDraft) -> Write[table.EmailDraft]:
    moment, customer = split_draft_id(draft.id)
    ref = table.EmailDraft.key(customer_id=customer, timestamp=moment)
    return delete(ref, when=table.EmailDraft.status == draft.state)


def _sent_items(draft: ReminderDraft, mail: SentMail, moment: datetime) -> tuple[table.SentEmail, table.SentCopy]:
    facts, wording = draft.facts, draft.wording
    record = table.SentEmail(
        customer_id=draft.customer_id,
        timestamp=moment,
        reminder_type=draft.level,
        email_subject=wording.subject,
        email_content=wording.text,
        status="sent",
        sent_date=mail.at.astimezone(UTC).replace(microsecond=0),
        approved_by=draft.approved.by.id if draft.approved else None,
        ses_message_id=mail.message_id,
        delivery_status=worst_delivery_status(mail.delivery),
        delivery=dict(mail.delivery) or None,
        currency=draft.currency,
        cycle=draft.cycle,
        draft_id=draft.id,
        mail_id=mail.mail_id,
        template_id=wording.template_id,
        template_version=wording.template_version,
        overdue_amount=facts.total if facts else None,
        overdue_invoices=[fact.number for fact in facts.invoices] if facts else None,
    )
    copy = table.SentCopy(customer_id=draft.customer_id, timestamp=moment, reminder_type=draft.level, mail=mail.raw)
    return record, copy


async def record_delivery(
    tables: AsyncDatabase, sent: str, news: Mapping[str, str], make_entry: Callable[[str | None], OutboxEntry]
) -> SentReminder:
    """Store the latest delivery status by recipient, the worst of them as the overall status, and an event."""

    async def attempt() -> SentReminder:
        current = await get_sent(tables, sent)
        delivery = {**current.delivery, **news}
        customer, moment, level = split_sent_id(sent)
        ref = table.SentEmail.key(customer_id=customer, timestamp=moment, reminder_type=level)
        seen = table.SentEmail.delivery == (dict(current.delivery) or None)
        status = worst_delivery_status(delivery)
        update = patch(ref, when=seen, delivery=delivery, delivery_status=status)
        try:
            await commit(tables, update, *outbox_writes(make_entry(status)))
        except ConditionFailed as error:
            raise WriteConflict from error
        return await get_sent(tables, sent)

    return await retry_on_conflict(attempt)


async def list_sent_to_customer(
    tables: AsyncDatabase,
    customer_id: str,
    *,
    level: str | None = None,
    since: datetime | None = None,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """Reminders sent to a customer, the latest first; optionally of one level or since a moment."""
    condition: dict[str, Any] = {"reminder_type": level} if level else {}
    if since is not None:
        condition["sent_date"] = at_least(since)
    query = table.SentEmail.recent_by_type if condition else table.SentEmail.history
    page = await tables.query(query(customer_id=customer_id, **condition), limit=limit, cursor=cursor)
    return Page([to_sent_reminder(item) for item in page.items], page.cursor)


async def iterate_sent_to_customer(tables: AsyncDatabase, customer_id: str) -> AsyncIterator[SentReminder]:
    """All reminders sent to a customer, the latest first."""
    async for item in tables.each(table.SentEmail.history(customer_id=customer_id)):
        yield to_sent_reminder(item)


async def list_sent(
    tables: AsyncDatabase,
    since: datetime,
    until: datetime,
    *,
    newest_first: bool = False,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """Reminders sent in a range of time, the oldest first by default."""
    query = table.SentEmail.latest if newest_first else table.SentEmail.with_status
    page = await tables.query(query(status="sent", sent_date=between(since, until)), limit=limit, cursor=cursor)
    return Page([to_sent_reminder(item) for item in page.items], page.cursor)


async def get_sent(tables: AsyncDatabase, sent: str) -> SentReminder:
    customer, moment, level = split_sent_id(sent)
    item = await tables.get(table.SentEmail.key(customer_id=customer, timestamp=moment, reminder_type=level))
    if item is None:
        raise NotFound(gettext("Sent reminder %(sent)s doesn't exist; check its id.", sent=sent[:60]))
    return to_sent_reminder(item)


async def get_sent_mail(tables: AsyncDatabase, sent: str) -> bytes:
    """The exact bytes that were handed to the mail server. NotFound if they expired."""
    customer, moment, level = split_sent_id(sent)
    item = await tables.get(table.SentCopy.key(customer_id=customer, timestamp=moment, reminder_type=level))
    if item is None:
        raise NotFound(gettext("The exact mail isn't kept, or it expired."))
    return item.mail
