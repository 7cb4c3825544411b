"""Reading customers, their ledger, drafts and sent mails."""

import asyncio
from collections.abc import AsyncIterator, Iterable
from contextlib import suppress
from datetime import UTC, date, datetime
from typing import Any

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.draft import TIMESTAMP, Draft, split_draft_id
from almanac.desks.reminders.model.ladder import DraftState, Ladder
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, InvoiceState, Payment, folded
from almanac.desks.reminders.model.sent import SentReminder
from almanac.errors import NotFound
from almanac.kit.paging import Page
from tablature import at_least, at_most, between, starting_with
from tablature.async_database import AsyncDatabase

_STAMP_LENGTH = 15
_LOOKED_BACK = 20


async def get_customer(tables: AsyncDatabase, customer_id: str) -> Customer:
    known = table.CUSTOMER_FORM.fullmatch(customer_id) is not None
    found = await tables.get(table.Customer.key(customer_id=customer_id), consistent=True) if known else None
    if found is None:
        raise NotFound(f"There is no customer {customer_id[:60]}; check the id.")
    return stored.customer_from(found)


async def list_customers(
    tables: AsyncDatabase,
    *,
    beginning: str = "",
    from_the_end: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Customer]:
    """Customers by name; those whose name begins so, if said."""
    query = table.Customer.from_the_end if from_the_end else table.Customer.everybody
    wanted = {"sort_name": starting_with(folded(beginning))} if beginning.strip() else {}
    page = await tables.query(query(**wanted), limit=limit, cursor=cursor)
    return Page([stored.customer_from(item) for item in page.items], page.cursor)


async def customers_among(tables: AsyncDatabase, ids: Iterable[str]) -> dict[str, Customer]:
    """Those customers of a set that there are, by id."""
    found = await tables.get_many([table.Customer.key(customer_id=one) for one in sorted(set(ids))])
    return {item.customer_id: stored.customer_from(item) for item in found if item is not None}


async def invoices_of(tables: AsyncDatabase, customer_id: str) -> tuple[Invoice, ...]:
    query = table.Invoice.of_customer(customer_id=customer_id)
    return tuple([stored.invoice_from(item) async for item in tables.each(query)])


async def get_invoice(tables: AsyncDatabase, customer_id: str, number: str) -> Invoice:
    found = await tables.get(table.Invoice.key(customer_id=customer_id, number=number), consistent=True)
    if found is None:
        raise NotFound(f"There is no invoice {number[:60]}; check its number.")
    return stored.invoice_from(found)


async def find_invoice(tables: AsyncDatabase, number: str) -> Invoice | None:
    """The one invoice with this number, whoever it is of; two reads, however many invoices there are."""
    found = await tables.find_unique(table.Invoice, number=number) if number else None
    return stored.invoice_from(found) if found else None


async def invoices_with_state(
    tables: AsyncDatabase,
    state: InvoiceState = "open",
    *,
    due_by: date | None = None,
    latest_first: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Invoice]:
    """Everybody's open or settled invoices by due date; those due by a day, if said."""
    query = table.Invoice.latest_due if latest_first else table.Invoice.with_state
    wanted = {"due": at_most(due_by)} if due_by is not None else {}
    page = await tables.query(query(state=state, **wanted), limit=limit, cursor=cursor)
    return Page([stored.invoice_from(item) for item in page.items], page.cursor)


async def payments_of(tables: AsyncDatabase, customer_id: str) -> list[Payment]:
    query = table.Payment.of_customer(customer_id=customer_id)
    return [stored.payment_from(item) async for item in tables.each(query)]


async def holds_of(tables: AsyncDatabase, customer_id: str) -> tuple[Hold, ...]:
    query = table.Hold.of_customer(customer_id=customer_id)
    return tuple([stored.hold_from(item) async for item in tables.each(query)])


async def standing_holds(tables: AsyncDatabase, *, limit: int = 50, cursor: str | None = None) -> Page[Hold]:
    """Everybody's holds that were not lifted, the oldest first."""
    page = await tables.query(table.Hold.with_state(state="standing"), limit=limit, cursor=cursor)
    return Page([stored.hold_from(item) for item in page.items], page.cursor)


async def standing_replies(tables: AsyncDatabase) -> list[Hold]:
    """Holds that a reply caused and that nobody lifted, the oldest first."""
    standing = tables.each(table.Hold.with_state(state="standing"), page=1000)
    return [stored.hold_from(item) async for item in standing if item.kind == "reply"]


async def first_replies(tables: AsyncDatabase, *, among: int) -> tuple[list[Hold], bool]:
    """Replies among the longest-standing holds, and whether there are more holds than were looked at."""
    page = await standing_holds(tables, limit=among)
    return [hold for hold in page.items if hold.kind == "reply"], page.next_cursor is not None


async def ladders_of(tables: AsyncDatabase, customer_id: str) -> list[Ladder]:
    query = table.Ladder.of_customer(customer_id=customer_id)
    return [stored.ladder_from(item) async for item in tables.each(query)]


async def get_ladder(tables: AsyncDatabase, customer_id: str, currency: str) -> Ladder:
    """The ladder; one that nothing was written to yet has version 0."""
    if not table.CUSTOMER_FORM.fullmatch(customer_id):
        raise NotFound(f"There is no customer {customer_id[:60]}; check the id.")
    found = await tables.get(table.Ladder.key(customer_id=customer_id, currency=currency), consistent=True)
    return stored.ladder_from(found) if found else Ladder(customer_id=customer_id, currency=currency)


async def read_case(tables: AsyncDatabase, customer_id: str, currency: str) -> Case:
    """What a decision rests on.

    The guards are read before what they guard: whatever changes afterwards fails the write that rests on this.
    """
    ladder = await get_ladder(tables, customer_id, currency)
    customer = await get_customer(tables, customer_id)
    invoices, holds, foreign = await _beside_ladders(tables, customer_id)
    return Case(customer, ladder.knowing(foreign, invoices), invoices, holds)


async def read_cases(tables: AsyncDatabase, customer_id: str) -> list[Case]:
    """One case for each currency in which the customer has invoices or a ladder."""
    ladders = {ladder.currency: ladder for ladder in await ladders_of(tables, customer_id)}
    customer = await get_customer(tables, customer_id)
    invoices, holds, foreign = await _beside_ladders(tables, customer_id)
    currencies = sorted({*ladders, *(invoice.currency for invoice in invoices)})
    known = (ladders.get(currency) or Ladder(customer_id=customer_id, currency=currency) for currency in currencies)
    return [Case(customer, ladder.knowing(foreign, invoices), invoices, holds) for ladder in known]


async def _beside_ladders(
    tables: AsyncDatabase, customer_id: str
) -> tuple[tuple[Invoice, ...], tuple[Hold, ...], list[SentReminder]]:
    return await asyncio.gather(
        invoices_of(tables, customer_id), holds_of(tables, customer_id), sent_by_others(tables, customer_id)
    )


async def sent_by_others(tables: AsyncDatabase, customer_id: str) -> list[SentReminder]:
    """What other programs have sent lately; no ladder was written with it, but nothing may be sent twice."""
    page = await tables.query(table.SentEmail.history(customer_id=customer_id), limit=_LOOKED_BACK)
    sent = (stored.sent_from(item) for item in page.items)
    return [one for one in sent if is_anothers(one)]


def is_anothers(sent: SentReminder) -> bool:
    """Whether another program has sent it: what is sent here names its draft."""
    return sent.draft_id is None and sent.status == "sent"


async def find_draft(tables: AsyncDatabase, draft: str) -> Draft | None:
    moment, customer = split_draft_id(draft)
    found = await tables.get(table.EmailDraft.key(customer_id=customer, timestamp=moment), consistent=True)
    return stored.draft_from(found) if found else None


async def drafts_among(tables: AsyncDatabase, ids: Iterable[str]) -> dict[str, Draft]:
    """Those drafts of a set that there are, by id; what can't be an id is none of them."""
    refs = []
    for one in sorted(set(ids)):
        with suppress(NotFound):
            moment, customer = split_draft_id(one)
            refs.append(table.EmailDraft.key(customer_id=customer, timestamp=moment))
    found = [stored.draft_from(item) for item in await tables.get_many(refs, consistent=True) if item is not None]
    return {draft.id: draft for draft in found}


async def get_draft(tables: AsyncDatabase, draft: str) -> Draft:
    found = await find_draft(tables, draft)
    if found is None:
        raise NotFound(f"There is no draft {draft[:60]}; it may have been sent, or its time is over.")
    return found


async def list_drafts(
    tables: AsyncDatabase, state: DraftState = "draft", *, limit: int = 25, cursor: str | None = None
) -> Page[Draft]:
    """Drafts in one state, the oldest first."""
    page = await tables.query(table.EmailDraft.with_status(status=state), limit=limit, cursor=cursor)
    return Page([stored.draft_from(item) for item in page.items], page.cursor)


async def each_draft(tables: AsyncDatabase, state: DraftState) -> AsyncIterator[Draft]:
    """Every draft in one state."""
    async for item in tables.each(table.EmailDraft.with_status(status=state), page=100):
        yield stored.draft_from(item)


async def drafts_of(tables: AsyncDatabase, customer_id: str) -> list[Draft]:
    """A customer's drafts, the latest first."""
    query = table.EmailDraft.of_customer(customer_id=customer_id)
    return [stored.draft_from(item) async for item in tables.each(query)]


async def list_history(
    tables: AsyncDatabase,
    customer_id: str,
    *,
    level: str | None = None,
    since: datetime | None = None,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """What a customer was sent, the latest first; of one level, or since a moment, if said."""
    wanted: dict[str, Any] = {"reminder_type": level} if level else {}
    if since is not None:
        wanted["sent_date"] = at_least(since)
    query = table.SentEmail.recent_by_type if wanted else table.SentEmail.history
    page = await tables.query(query(customer_id=customer_id, **wanted), limit=limit, cursor=cursor)
    return Page([stored.sent_from(item) for item in page.items], page.cursor)


async def each_sent_to(tables: AsyncDatabase, customer_id: str) -> AsyncIterator[SentReminder]:
    """Everything that a customer was sent, the latest first."""
    async for item in tables.each(table.SentEmail.history(customer_id=customer_id)):
        yield stored.sent_from(item)


async def list_sent(
    tables: AsyncDatabase,
    since: datetime,
    until: datetime,
    *,
    newest_first: bool = False,
    limit: int = 25,
    cursor: str | None = None,
) -> Page[SentReminder]:
    """What went out in a range of time, the oldest first unless said."""
    query = table.SentEmail.latest if newest_first else table.SentEmail.with_status
    page = await tables.query(query(status="sent", sent_date=between(since, until)), limit=limit, cursor=cursor)
    return Page([stored.sent_from(item) for item in page.items], page.cursor)


async def count_sent(tables: AsyncDatabase, since: datetime, until: datetime, *, upto: int) -> int:
    """How much went out in a range of time. Counting reads it, so it stops at a number."""
    return await tables.count(table.SentEmail.with_status(status="sent", sent_date=between(since, until)), upto=upto)


async def get_sent(tables: AsyncDatabase, sent: str) -> SentReminder:
    customer, moment, level = split_sent_id(sent)
    found = await tables.get(table.SentEmail.key(customer_id=customer, timestamp=moment, reminder_type=level))
    if found is None:
        raise NotFound(f"There is no sent reminder {sent[:60]}; check its id.")
    return stored.sent_from(found)


async def get_sent_bytes(tables: AsyncDatabase, sent: str) -> bytes:
    """The mail exactly as it was handed over."""
    customer, moment, level = split_sent_id(sent)
    found = await tables.get(table.SentCopy.key(customer_id=customer, timestamp=moment, reminder_type=level))
    if found is None:
        raise NotFound("The exact mail is not kept, or not any more.")
    return found.mail


def split_sent_id(sent: str) -> tuple[str, datetime, str]:
    """The customer, moment and level in the id of a sent mail."""
    stamp, (level, _, customer) = sent[:_STAMP_LENGTH], sent[_STAMP_LENGTH + 1 :].partition("@")
    try:
        moment = datetime.strptime(stamp, TIMESTAMP).replace(tzinfo=UTC)
    except ValueError:
        raise NotFound(f"There is no sent reminder {sent[:60]}; check its id.") from None
    if not level or not customer:
        raise NotFound(f"There is no sent reminder {sent[:60]}; check its id.")
    return customer, moment, level
