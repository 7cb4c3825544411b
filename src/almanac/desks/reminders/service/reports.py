"""Reports on the ledger, sent reminders and their mails, a customer's timeline, and the consistency check."""

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import ReminderDraft
from almanac.desks.reminders.model.invariants import LadderFinding, find_ladder_problems
from almanac.desks.reminders.model.ladder import OPEN_STATES, Ladder
from almanac.desks.reminders.model.ledger import Payment
from almanac.desks.reminders.model.reports import (
    Ageing,
    Recovered,
    TimeToPay,
    summarize_ageing,
    summarize_recovered,
    summarize_time_to_pay,
)
from almanac.desks.reminders.model.sent import SentReminder, mark_kept
from almanac.desks.reminders.model.timeline import CustomerHistory, CustomerTimelineEntry, build_timeline
from almanac.desks.reminders.permissions import READ
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import iterate_drafts, list_customer_drafts
from almanac.desks.reminders.store.ladders import get_ladder, to_sent_reminder
from almanac.desks.reminders.store.ledger_queries import iterate_invoices
from almanac.desks.reminders.store.sent import iterate_sent_to_customer
from almanac.errors import InputError, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.services import Services

_PAYMENTS_CONCURRENCY = 50


async def get_ageing_report(services: Services, by: Principal, today: date | None = None) -> list[Ageing]:
    """Open invoices by currency and age, by default as of today in the installation's time zone."""
    by.require(READ)
    day = today or services.clock.now().astimezone((await load_rules(services)).zone()).date()
    return summarize_ageing([invoice async for invoice in iterate_invoices(services.tables, "open")], day)


async def get_recovered_report(services: Services, by: Principal, since: datetime, until: datetime) -> list[Recovered]:
    """Payments after the reminders sent in a range of time, by level, template and currency."""
    by.require(READ)
    sent = await _list_sent_between(services, since, until)
    return summarize_recovered(
        sent, await _list_payments_by_customer(services, sorted({mail.customer_id for mail in sent}))
    )


async def get_time_to_pay_report(
    services: Services, by: Principal, since: datetime, until: datetime
) -> list[TimeToPay]:
    """How late invoices were paid in a period."""
    by.require(READ)
    _check_range(since, until)
    return summarize_time_to_pay([invoice async for invoice in iterate_invoices(services.tables, "paid")], since, until)


async def _list_sent_between(services: Services, since: datetime, until: datetime) -> list[SentReminder]:
    _check_range(since, until)
    reminders: list[SentReminder] = []
    cursor: str | None = None
    while True:
        page = await store.list_sent(services.tables, since, until, limit=100, cursor=cursor)
        reminders += page.items
        cursor = page.next_cursor
        if cursor is None:
            return reminders


async def _list_payments_by_customer(services: Services, customers: Sequence[str]) -> dict[str, list[Payment]]:
    by_customer: dict[str, list[Payment]] = defaultdict(list)
    for start in range(0, len(customers), _PAYMENTS_CONCURRENCY):
        some = customers[start : start + _PAYMENTS_CONCURRENCY]
        payments = await asyncio.gather(*(store.list_payments(services.tables, customer) for customer in some))
        by_customer.update(zip(some, payments, strict=True))
    return by_customer


def _check_range(since: datetime, until: datetime) -> None:
    if since.tzinfo is None or until.tzinfo is None:
        raise InputError(gettext("Use times with a time zone, such as 2025-09-21T00:00:00Z."))
    if until <= since:
        raise InputError(gettext("The range ends before it starts; swap the dates."))


async def list_sent(
    services: Services,
    by: Principal,
    since: datetime,
    until: datetime,
    *,
    newest_first: bool = False,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """Reminders sent in a range of time, with the delivery status by recipient."""
    by.require(READ)
    page = await store.list_sent(services.tables, since, until, newest_first=newest_first, limit=limit, cursor=cursor)
    return Page(await _tell_kept(services, page.items), page.next_cursor)


async def list_sent_to_customer(
    services: Services,
    by: Principal,
    customer_id: str,
    *,
    level: str | None = None,
    since: datetime | None = None,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """Reminders sent to a customer, the latest first; optionally of one level or since a moment."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    page = await store.list_sent_to_customer(
        services.tables, customer_id, level=level, since=since, limit=limit, cursor=cursor
    )
    return Page(await _tell_kept(services, page.items), page.next_cursor)


async def get_sent(services: Services, by: Principal, sent_id: str) -> SentReminder:
    """One sent reminder."""
    by.require(READ)
    return (await _tell_kept(services, [await store.get_sent(services.tables, sent_id)]))[0]


async def _tell_kept(services: Services, reminders: Sequence[SentReminder]) -> list[SentReminder]:
    """The reminders with those marked whose mail never left this machine; their records stay as they are."""
    kept = await services.mailbox.find_kept(sent.mail_id for sent in reminders if sent.mail_id)
    return [mark_kept(sent) if sent.mail_id in kept else sent for sent in reminders]


async def get_sent_mail(services: Services, by: Principal, sent_id: str) -> bytes:
    """The exact bytes that were handed to the mail server."""
    by.require(READ)
    return await store.get_sent_mail(services.tables, sent_id)


async def get_timeline(
    services: Services, by: Principal, customer_id: str, *, limit: int = 50, cursor: str | None = None
) -> Page[CustomerTimelineEntry]:
    """Everything that happened with a customer, the latest first."""
    history = await read_history(services, by, customer_id)
    return list_timeline(services, history, limit=limit, cursor=cursor)


async def read_history(services: Services, by: Principal, customer_id: str) -> CustomerHistory:
    """All records of a customer."""
    by.require(READ)
    tables = services.tables
    return CustomerHistory(
        customer=await store.get_customer(tables, customer_id),
        invoices=await store.list_customer_invoices(tables, customer_id),
        payments=await store.list_payments(tables, customer_id),
        holds=await store.list_customer_holds(tables, customer_id),
        drafts=await list_customer_drafts(tables, customer_id),
        sent=await _tell_kept(services, [sent async for sent in iterate_sent_to_customer(tables, customer_id)]),
    )


def list_timeline(
    services: Services, history: CustomerHistory, *, limit: int, cursor: str | None
) -> Page[CustomerTimelineEntry]:
    """A page of the timeline that follows from a customer's records."""
    key, of = services.key("cursors"), f"reminders timeline {history.customer.id}"
    entries, first = build_timeline(history), _parse_position(cursor, of, key)
    last = first + limit
    more = encode_cursor([last], of=of, key=key) if len(entries) > last else None
    return Page(entries[first:last], more)


def _parse_position(cursor: str | None, of: str, key: bytes) -> int:
    if cursor is None:
        return 0
    (position,) = decode_cursor(cursor, of=of, key=key)
    return int(position or 0)


@dataclass(frozen=True, slots=True)
class ConsistencyReport:
    """How many records were checked, and what is wrong."""

    ladders: int
    drafts: int
    sent: int
    findings: tuple[LadderFinding, ...]


async def check_consistency(services: Services) -> ConsistencyReport:
    """Check every ladder against its drafts, sent reminders and mails, and every open draft for its ladder."""
    rules, now = await load_rules(services), services.clock.now()
    ladders = drafts = mails = 0
    wrong: list[LadderFinding] = []
    async for item in services.tables.each(table.LadderItem.everybody()):
        # The index may lag behind; what is compared is read from the table itself.
        ladder = await get_ladder(services.tables, item.customer_id, item.currency)
        own_drafts, sent = (
            await list_customer_drafts(services.tables, item.customer_id),
            await _list_sent(services, item.customer_id),
        )
        wrong += find_ladder_problems(ladder, own_drafts, sent, rules, now)
        wrong += [finding async for finding in _find_mail_disagreements(services, ladder, own_drafts, sent)]
        ladders += 1
        drafts += sum(draft.currency == ladder.currency for draft in own_drafts)
        mails += sum(mail.currency == ladder.currency for mail in sent)
    wrong += [finding async for finding in _find_drafts_without_ladder(services)]
    return ConsistencyReport(ladders, drafts, mails, tuple(wrong))


async def _list_sent(services: Services, customer_id: str) -> list[SentReminder]:
    query = table.SentEmail.history(customer_id=customer_id)
    return [to_sent_reminder(item) async for item in services.tables.each(query)]


async def _find_drafts_without_ladder(services: Services) -> AsyncIterator[LadderFinding]:
    for state in sorted(OPEN_STATES):
        async for draft in iterate_drafts(services.tables, state):
            if draft.currency is None:
                continue
            ladder = await get_ladder(services.tables, draft.customer_id, draft.currency)
            if ladder.version == 0:
                yield LadderFinding(draft.customer_id, draft.currency, f"Draft {draft.id} is {state} without a ladder.")


async def _find_mail_disagreements(
    services: Services, ladder: Ladder, drafts: list[ReminderDraft], sent: list[SentReminder]
) -> AsyncIterator[LadderFinding]:
    """A sent reminder needs a mail that left; a failed or cancelled draft must not have one."""
    for mail in sent:
        status = await _get_mail_status(services, mail.mail_id) if mail.currency == ladder.currency else "sent"
        if status != "sent":
            sentence = f"{mail.id} is recorded as sent, while its mail is {status}."
            yield LadderFinding(ladder.customer_id, ladder.currency, sentence)
    for draft in drafts:
        if draft.currency == ladder.currency and draft.state in ("failed", "cancelled"):
            status = await _get_mail_status(services, draft.mail_id) if draft.mail_id else "failed"
            if status != "failed":
                sentence = f"Draft {draft.id} is {draft.state}, while its mail is {status}."
                yield LadderFinding(ladder.customer_id, ladder.currency, sentence)


async def _get_mail_status(services: Services, mail_id: str | None) -> str:
    """The status of a mail; a mail that is gone counts as what the table says."""
    try:
        return (await services.mailbox.get(mail_id)).line.status if mail_id else "sent"
    except NotFound:
        return "sent"
