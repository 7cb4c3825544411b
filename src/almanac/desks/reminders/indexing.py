"""Customers and invoices as search knows them, and the providers that give them again when the index is rebuilt.

Whoever may read at the desk finds customers by name, id and notes, and invoices by number and customer's id. An erased
customer is found no more; what an invoice says here is nothing personal, and stays.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Customer, Invoice, InvoiceState
from almanac.desks.reminders.sending.deciding import READ
from almanac.desks.reminders.store.whole import count_customers, count_invoices
from almanac.search import Batch, Document, Kind, Provider
from almanac.services import Services
from tablature.async_database import AsyncDatabase

KIND = Kind("customer", "Customer", "Customers", {"language": "Language"})
INVOICE = Kind("invoice", "Invoice", "Invoices", {"currency": "Currency"})
_STATES: tuple[InvoiceState, ...] = ("open", "paid", "credited")
_AT_A_TIME = 500


def as_found(customer: Customer) -> Document:
    return Document(
        kind=KIND.name,
        id=customer.id,
        title=customer.name,
        path=f"/reminders/customers/{customer.id}",
        body=f"{customer.id}\n{customer.notes}",
        date=customer.created_at,
        facets={"language": (customer.language,)},
        permission=READ,
    )


async def index_customers(services: Services, customers: Iterable[Customer]) -> None:
    """Let them be found as they are now; those that were erased no more."""
    found = list(customers)
    for start in range(0, len(found), _AT_A_TIME):
        some = found[start : start + _AT_A_TIME]
        kept = [customer for customer in some if customer.erased_at is None]
        erased = [customer.id for customer in some if customer.erased_at is not None]
        async with services.database.unit() as unit:
            await services.search.put(unit, *map(as_found, kept))
            await services.search.remove(unit, KIND.name, erased)


def invoice_as_found(invoice: Invoice) -> Document:
    return Document(
        kind=INVOICE.name,
        id=_invoice_id(invoice),
        title=f"Invoice {invoice.number}",
        path=f"/reminders/customers/{invoice.customer_id}",
        body=f"{invoice.customer_id}\n{invoice.amount}",
        date=datetime.combine(invoice.issued or invoice.due, time(), UTC),
        facets={"currency": (invoice.currency,)},
        permission=READ,
    )


def _invoice_id(invoice: Invoice) -> str:
    return f"{invoice.customer_id}/{invoice.number}"


async def index_invoices(services: Services, invoices: Iterable[Invoice]) -> None:
    """Let them be found."""
    found = list(invoices)
    for start in range(0, len(found), _AT_A_TIME):
        async with services.database.unit() as unit:
            await services.search.put(unit, *map(invoice_as_found, found[start : start + _AT_A_TIME]))


async def forget(services: Services, customer_id: str, invoices: Iterable[Invoice]) -> None:
    """Let a customer and their invoices be found no more: for content that was never real."""
    async with services.database.unit() as unit:
        await services.search.remove(unit, KIND.name, [customer_id])
        await services.search.remove(unit, INVOICE.name, [_invoice_id(invoice) for invoice in invoices])


@dataclass(frozen=True, slots=True)
class CustomerProvider:
    """Gives every customer to a search index that is rebuilt."""

    tables: AsyncDatabase
    kind: Kind = field(default=KIND)

    async def count(self) -> int:
        return await count_customers(self.tables)

    async def batch(self, after: str | None, limit: int) -> Batch:
        page = await store.list_customers(self.tables, limit=limit, cursor=after)
        kept = [as_found(customer) for customer in page.items if customer.erased_at is None]
        return Batch(kept, page.next_cursor)


@dataclass(frozen=True, slots=True)
class InvoiceProvider:
    """Gives every invoice to a search index that is rebuilt: the open ones, then those that are settled."""

    tables: AsyncDatabase
    kind: Kind = field(default=INVOICE)

    async def count(self) -> int:
        return sum([await count_invoices(self.tables, state) for state in _STATES])

    async def batch(self, after: str | None, limit: int) -> Batch:
        """A place is a state and how far its list was read."""
        state, _, cursor = (after or _STATES[0]).partition(" ")
        at = next(number for number, known in enumerate(_STATES) if known == state)
        page = await store.invoices_with_state(self.tables, _STATES[at], limit=limit, cursor=cursor or None)
        following = f"{state} {page.next_cursor}" if page.next_cursor else next(iter(_STATES[at + 1 :]), None)
        return Batch([invoice_as_found(invoice) for invoice in page.items], following)


def searchable(services: Services) -> tuple[Provider, ...]:
    """What of the desk can be searched for."""
    return (CustomerProvider(services.tables), InvoiceProvider(services.tables))
