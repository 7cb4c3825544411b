"""Customers and invoices in the search index, and the providers for rebuilding it.

People who may read the desk find customers by name, id and notes, and invoices by number and customer id. An erased
customer is removed; an invoice's entry has nothing personal and stays.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Customer, Invoice, InvoiceState
from almanac.desks.reminders.permissions import READ
from almanac.desks.reminders.store.ledger_queries import count_customers, count_invoices
from almanac.kit.messages import gettext
from almanac.search import DocumentBatch, DocumentKind, DocumentProvider, SearchDocument
from almanac.services import Services
from tablature.async_database import AsyncDatabase

CUSTOMER_KIND = DocumentKind("customer", gettext("Customer"), gettext("Customers"))
INVOICE_KIND = DocumentKind("invoice", gettext("Invoice"), gettext("Invoices"), {"currency": gettext("Currency")})
_STATES: tuple[InvoiceState, ...] = ("open", "paid", "credited")
_BATCH_SIZE = 500


def customer_document(customer: Customer) -> SearchDocument:
    return SearchDocument(
        kind=CUSTOMER_KIND.name,
        id=customer.id,
        title=customer.name,
        path=f"/reminders/customers/{customer.id}",
        body=f"{customer.id}\n{customer.notes}",
        language=customer.language,
        date=customer.created_at,
        permission=READ,
    )


async def index_customers(services: Services, customers: Iterable[Customer]) -> None:
    """Add or update them in the index; erased ones are removed."""
    items = list(customers)
    for start in range(0, len(items), _BATCH_SIZE):
        some = items[start : start + _BATCH_SIZE]
        remaining = [customer for customer in some if customer.erased_at is None]
        erased = [customer.id for customer in some if customer.erased_at is not None]
        async with services.database.unit() as unit:
            await services.search.put(unit, *map(customer_document, remaining))
            await services.search.remove(unit, CUSTOMER_KIND.name, erased)


def invoice_document(invoice: Invoice) -> SearchDocument:
    return SearchDocument(
        kind=INVOICE_KIND.name,
        id=_invoice_id(invoice),
        title=str(gettext("Invoice %(number)s", number=invoice.number)),
        path=f"/reminders/customers/{invoice.customer_id}",
        body=f"{invoice.customer_id}\n{invoice.amount}",
        date=datetime.combine(invoice.issued or invoice.due, time(), UTC),
        facets={"currency": (invoice.currency,)},
        permission=READ,
    )


def _invoice_id(invoice: Invoice) -> str:
    return f"{invoice.customer_id}/{invoice.number}"


async def index_invoices(services: Services, invoices: Iterable[Invoice]) -> None:
    """Add or update them in the index."""
    items = list(invoices)
    for start in range(0, len(items), _BATCH_SIZE):
        async with services.database.unit() as unit:
            await services.search.put(unit, *map(invoice_document, items[start : start + _BATCH_SIZE]))


async def remove_from_index(services: Services, customer_id: str, invoices: Iterable[Invoice]) -> None:
    """Remove a demo customer and their invoices."""
    async with services.database.unit() as unit:
        await services.search.remove(unit, CUSTOMER_KIND.name, [customer_id])
        await services.search.remove(unit, INVOICE_KIND.name, [_invoice_id(invoice) for invoice in invoices])


@dataclass(frozen=True, slots=True)
class CustomerProvider:
    """Provides every customer when the index is rebuilt."""

    tables: AsyncDatabase
    kind: DocumentKind = field(default=CUSTOMER_KIND)

    async def count(self) -> int:
        return await count_customers(self.tables)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        page = await store.list_customers(self.tables, limit=limit, cursor=after)
        documents = [customer_document(customer) for customer in page.items if customer.erased_at is None]
        return DocumentBatch(documents, page.next_cursor)


@dataclass(frozen=True, slots=True)
class InvoiceProvider:
    """Provides every invoice when the index is rebuilt: open ones first, then settled ones."""

    tables: AsyncDatabase
    kind: DocumentKind = field(default=INVOICE_KIND)

    async def count(self) -> int:
        return sum([await count_invoices(self.tables, state) for state in _STATES])

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        """`after` is a state and the cursor in its list."""
        state, _, cursor = (after or _STATES[0]).partition(" ")
        at = next(number for number, candidate in enumerate(_STATES) if candidate == state)
        page = await store.list_invoices(self.tables, _STATES[at], limit=limit, cursor=cursor or None)
        following = f"{state} {page.next_cursor}" if page.next_cursor else next(iter(_STATES[at + 1 :]), None)
        return DocumentBatch([invoice_document(invoice) for invoice in page.items], following)


def list_search_providers(services: Services) -> tuple[DocumentProvider, ...]:
    """The providers of this desk."""
    return (CustomerProvider(services.tables), InvoiceProvider(services.tables))
