"""Writing what became of a mail: the record of a sent one in place of its draft, and later news of its recipients."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.draft import Draft, require_transition, split_draft_id
from almanac.desks.reminders.model.ladder import Ladder, SentMark
from almanac.desks.reminders.model.notice import Notice
from almanac.desks.reminders.model.sent import SentReminder, overall
from almanac.desks.reminders.store.guarding import Moved, commit, decided_anew, ladder_write
from almanac.desks.reminders.store.notices import notice_writes
from almanac.desks.reminders.store.reading import find_draft, get_ladder, get_sent, split_sent_id
from almanac.errors import Conflict
from tablature import Write, create, delete, patch
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed

FREE_SECONDS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """What is known of a mail that was handed over."""

    mail_id: str
    message_id: str | None
    at: datetime
    raw: bytes
    delivery: Mapping[str, str]


async def record_sent(
    tables: AsyncDatabase, draft: str, mail: SentMail, notice: Notice | None = None
) -> SentReminder | None:
    """The draft gives way to the record of its sending, and its level of the cycle is taken for good.

    None where that was recorded before.
    """

    async def attempt() -> SentReminder | None:
        known = await find_draft(tables, draft)
        if known is None or known.currency is None:
            return None
        require_transition(known.state, "sent")
        ladder = await get_ladder(tables, known.customer_id, known.currency)
        return await _store_sent(tables, known, _after(ladder, known, mail.at), mail, notice)

    return await decided_anew(attempt)


def _after(ladder: Ladder, draft: Draft, at: datetime) -> Ladder:
    if ladder.open is not None and ladder.open.draft_id == draft.id:
        ladder = ladder.with_open(None)
    elif draft.state != "failed":
        raise Conflict("This draft is being sent and doesn't hold its level; run the check of reminders.")
    return ladder.with_sent(draft.level, SentMark(draft.id, draft.cycle, at))


async def _store_sent(
    tables: AsyncDatabase, draft: Draft, ladder: Ladder, mail: SentMail, notice: Notice | None
) -> SentReminder:
    """Under the first second that is free: the documented key tells sent mails apart by seconds and level."""
    for second in range(FREE_SECONDS):
        moment = mail.at.astimezone(UTC).replace(microsecond=0) + timedelta(seconds=second)
        record, copy = _records(draft, mail, moment)
        try:
            await commit(
                tables,
                ladder_write(ladder),
                create(record),
                create(copy),
                _draft_removal(draft),
                *notice_writes(notice),
            )
        except AlreadyExists:
            continue
        except ConditionFailed as error:
            raise Moved from error
        return stored.sent_from(record)
    raise Moved


def _draft_removal(draft: Draft) -> Write[table.EmailDraft]:
    moment, customer = split_draft_id(draft.id)
    ref = table.EmailDraft.key(customer_id=customer, timestamp=moment)
    return delete(ref, when=table.EmailDraft.status == draft.state)


def _records(draft: Draft, mail: SentMail, moment: datetime) -> tuple[table.SentEmail, table.SentCopy]:
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
        delivery_status=overall(mail.delivery),
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


async def note_delivery(
    tables: AsyncDatabase, sent: str, news: Mapping[str, str], tell: Callable[[str | None], Notice]
) -> SentReminder:
    """The latest news by recipient on a sent mail, the worst of it as its delivery status, and a notice of that."""

    async def attempt() -> SentReminder:
        known = await get_sent(tables, sent)
        delivery = {**known.delivery, **news}
        customer, moment, level = split_sent_id(sent)
        ref = table.SentEmail.key(customer_id=customer, timestamp=moment, reminder_type=level)
        seen = table.SentEmail.delivery == (dict(known.delivery) or None)
        status = overall(delivery)
        noted = patch(ref, when=seen, delivery=delivery, delivery_status=status)
        try:
            await commit(tables, noted, *notice_writes(tell(status)))
        except ConditionFailed as error:
            raise Moved from error
        return await get_sent(tables, sent)

    return await decided_anew(attempt)
