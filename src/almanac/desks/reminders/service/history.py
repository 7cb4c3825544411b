"""What was sent and what became of it: by customer, by time, one mail with its exact bytes, and the whole timeline."""

from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.model.timeline import Dealings, TimelineEntry, timeline_of
from almanac.desks.reminders.sending.deciding import READ
from almanac.desks.reminders.store.reading import drafts_of, each_sent_to
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.services import Services


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
    """What went out in a range of time, with the delivery by recipient."""
    by.require(READ)
    return await store.list_sent(services.tables, since, until, newest_first=newest_first, limit=limit, cursor=cursor)


async def history(
    services: Services,
    by: Principal,
    customer_id: str,
    *,
    level: str | None = None,
    since: datetime | None = None,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """What a customer was sent, the latest first; of one level, or since a moment, if said."""
    by.require(READ)
    await store.get_customer(services.tables, customer_id)
    return await store.list_history(services.tables, customer_id, level=level, since=since, limit=limit, cursor=cursor)


async def get_sent(services: Services, by: Principal, sent_id: str) -> SentReminder:
    """One reminder that went out."""
    by.require(READ)
    return await store.get_sent(services.tables, sent_id)


async def sent_mail(services: Services, by: Principal, sent_id: str) -> bytes:
    """The mail exactly as it was handed over."""
    by.require(READ)
    return await store.get_sent_bytes(services.tables, sent_id)


async def timeline(
    services: Services, by: Principal, customer_id: str, *, limit: int = 50, cursor: str | None = None
) -> Page[TimelineEntry]:
    """Everything that happened with a customer, the latest first. The bytes of a `sent` entry are at `sent_mail`."""
    by.require(READ)
    tables = services.tables
    dealings = Dealings(
        customer=await store.get_customer(tables, customer_id),
        invoices=await store.invoices_of(tables, customer_id),
        payments=await store.payments_of(tables, customer_id),
        holds=await store.holds_of(tables, customer_id),
        drafts=await drafts_of(tables, customer_id),
        sent=[sent async for sent in each_sent_to(tables, customer_id)],
    )
    key, of = services.key("cursors"), f"reminders timeline {customer_id}"
    entries, first = timeline_of(dealings), _first_place(cursor, of, key)
    last = first + limit
    more = encode_cursor([last], of=of, key=key) if len(entries) > last else None
    return Page(entries[first:last], more)


def _first_place(cursor: str | None, of: str, key: bytes) -> int:
    if cursor is None:
        return 0
    (place,) = decode_cursor(cursor, of=of, key=key)
    return int(place or 0)
