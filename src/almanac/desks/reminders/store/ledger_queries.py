"""Reads of customers, invoices, payments and holds."""

from collections.abc import AsyncIterator, Awaitable, Callable, Hashable, Iterable
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, InvoiceState, Payment, make_sort_name
from almanac.desks.reminders.store import table
from almanac.errors import NotFound
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.kit.paging import Page
from almanac.kit.ttl_cache import TtlCache
from tablature import at_most, starting_with
from tablature.async_database import AsyncDatabase


def to_customer(item: table.CustomerItem) -> Customer:
    return Customer(
        id=item.customer_id,
        name=item.name,
        email=item.email,
        more_recipients=tuple(item.more_recipients),
        language=item.language,
        time_zone=item.time_zone,
        opted_out=item.opted_out,
        never_remind=item.never_remind,
        notes=item.notes or "",
        version=item.version,
        created_at=item.created_at,
        erased_at=item.erased_at,
    )


def to_invoice(item: table.Invoice) -> Invoice:
    return Invoice(
        customer_id=item.customer_id,
        number=item.number,
        amount=Money(item.amount, item.currency),
        issued=item.issued,
        due=item.due,
        paid=_money(item.paid, item.currency),
        credited=_money(item.credited, item.currency),
        disputed=item.disputed,
        dispute_note=item.dispute_note or "",
        settled_at=item.settled_at,
        version=item.version,
    )


def _money(amount: Decimal, currency: str) -> Money:
    """Most invoices have nothing paid and nothing credited, so zeros are cached."""
    return Money(amount, currency) if amount else _zero(currency)


@lru_cache(maxsize=256)
def _zero(currency: str) -> Money:
    return Money.zero(currency)


def to_payment(item: table.PaymentItem) -> Payment:
    return Payment(
        customer_id=item.customer_id,
        id=item.payment_id,
        amount=Money(item.amount, item.currency),
        received_at=item.received_at,
        towards=dict(item.towards),
        note=item.note or "",
        recorded_by=item.recorded_by or "",
    )


def to_hold(item: table.HoldItem) -> Hold:
    return Hold(
        customer_id=item.customer_id,
        id=item.hold_id,
        kind=item.kind,
        invoice=item.invoice,
        until=item.until,
        note=item.note or "",
        by=item.by or "",
        created_at=item.created_at,
        lifted_at=item.lifted_at,
        lifted_by=item.lifted_by or "",
    )


T = TypeVar("T")


class TableReadCache(Generic[T]):
    """Caches results of table reads for some seconds, or until something is written to the tables.

    Where the tables don't say that they changed, writes of other processes are seen when the time is over.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._of: WeakKeyDictionary[AsyncDatabase, TtlCache[T]] = WeakKeyDictionary()

    async def get(self, tables: AsyncDatabase, key: Hashable, load: Callable[[], Awaitable[T]]) -> T:
        """The cached result for `key`, or a new one. A result that was loading during a write is never reused."""
        cache = self._of.setdefault(tables, TtlCache(self._seconds))
        version = tables.version
        return await cache.get(load, key=key, version=tables.costs.total.wcu if version is None else version)


PAGE_SIZE = 1000


async def get_customer(tables: AsyncDatabase, customer_id: str) -> Customer:
    """The customer. NotFound if the id doesn't exist or isn't valid."""
    is_valid = table.CUSTOMER_ID_PATTERN.fullmatch(customer_id) is not None
    item = await tables.get(table.CustomerItem.key(customer_id=customer_id), consistent=True) if is_valid else None
    if item is None:
        raise NotFound(gettext("Customer %(customer_id)s doesn't exist; check the id.", customer_id=customer_id[:60]))
    return to_customer(item)


async def list_customers(
    tables: AsyncDatabase,
    *,
    name_prefix: str = "",
    descending: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Customer]:
    """Customers by name, optionally only names with this beginning."""
    query = table.CustomerItem.descending if descending else table.CustomerItem.everybody
    condition = {"sort_name": starting_with(make_sort_name(name_prefix))} if name_prefix.strip() else {}
    page = await tables.query(query(**condition), limit=limit, cursor=cursor)
    return Page([to_customer(item) for item in page.items], page.cursor)


async def find_customers(tables: AsyncDatabase, ids: Iterable[str]) -> dict[str, Customer]:
    """The existing customers among these ids, by id."""
    items = await tables.get_many([table.CustomerItem.key(customer_id=customer_id) for customer_id in sorted(set(ids))])
    return {item.customer_id: to_customer(item) for item in items if item is not None}


async def read_all_customers(tables: AsyncDatabase) -> dict[str, Customer]:
    query = table.CustomerItem.everybody()
    return {item.customer_id: to_customer(item) async for item in tables.each(query, page=PAGE_SIZE)}


async def count_customers(tables: AsyncDatabase) -> int:
    return await tables.count(table.CustomerItem.everybody())


async def list_customer_invoices(tables: AsyncDatabase, customer_id: str) -> tuple[Invoice, ...]:
    query = table.Invoice.of_customer(customer_id=customer_id)
    return tuple([to_invoice(item) async for item in tables.each(query)])


async def get_invoice(tables: AsyncDatabase, customer_id: str, number: str) -> Invoice:
    item = await tables.get(table.Invoice.key(customer_id=customer_id, number=number), consistent=True)
    if item is None:
        raise NotFound(gettext("Invoice %(number)s doesn't exist; check its number.", number=number[:60]))
    return to_invoice(item)


async def find_invoice(tables: AsyncDatabase, number: str) -> Invoice | None:
    """The invoice with this number, or None; two reads, however many invoices there are."""
    item = await tables.find_unique(table.Invoice, number=number) if number else None
    return to_invoice(item) if item else None


async def list_invoices(
    tables: AsyncDatabase,
    state: InvoiceState = "open",
    *,
    due_by: date | None = None,
    latest_first: bool = False,
    limit: int = 50,
    cursor: str | None = None,
) -> Page[Invoice]:
    """Everybody's invoices in one state by due date, optionally only those due by a day."""
    query = table.Invoice.latest_due if latest_first else table.Invoice.with_state
    condition = {"due": at_most(due_by)} if due_by is not None else {}
    page = await tables.query(query(state=state, **condition), limit=limit, cursor=cursor)
    return Page([to_invoice(item) for item in page.items], page.cursor)


async def iterate_invoices(tables: AsyncDatabase, state: InvoiceState) -> AsyncIterator[Invoice]:
    """Everybody's invoices in one state, by due date."""
    async for item in tables.each(table.Invoice.with_state(state=state), page=PAGE_SIZE):
        yield to_invoice(item)


async def read_invoices_by_number(tables: AsyncDatabase) -> dict[str, Invoice]:
    """Every invoice of the ledger, settled ones too."""
    states: tuple[InvoiceState, ...] = ("open", "paid", "credited")
    return {invoice.number: invoice for state in states async for invoice in iterate_invoices(tables, state)}


async def count_invoices(tables: AsyncDatabase, state: InvoiceState) -> int:
    return await tables.count(table.Invoice.with_state(state=state))


async def list_payments(tables: AsyncDatabase, customer_id: str) -> list[Payment]:
    query = table.PaymentItem.of_customer(customer_id=customer_id)
    return [to_payment(item) async for item in tables.each(query)]


async def list_customer_holds(tables: AsyncDatabase, customer_id: str) -> tuple[Hold, ...]:
    query = table.HoldItem.of_customer(customer_id=customer_id)
    return tuple([to_hold(item) async for item in tables.each(query)])


async def list_holds(tables: AsyncDatabase, *, limit: int = 50, cursor: str | None = None) -> Page[Hold]:
    """Everybody's holds that were not lifted, the oldest first."""
    page = await tables.query(table.HoldItem.with_state(state="standing"), limit=limit, cursor=cursor)
    return Page([to_hold(item) for item in page.items], page.cursor)


async def list_replies(tables: AsyncDatabase) -> list[Hold]:
    """Holds caused by a reply that nobody lifted, the oldest first."""
    holds = tables.each(table.HoldItem.with_state(state="standing"), page=1000)
    return [to_hold(item) async for item in holds if item.kind == "reply"]


async def list_oldest_replies(tables: AsyncDatabase, *, among: int) -> tuple[list[Hold], bool]:
    """Replies among the oldest `among` holds, and whether there are more holds."""
    page = await list_holds(tables, limit=among)
    return [hold for hold in page.items if hold.kind == "reply"], page.next_cursor is not None
