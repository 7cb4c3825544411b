"""Customers as search knows them, and the provider that gives them again when the index is rebuilt.

Whoever may read at the desk finds them by name, id and notes. An erased customer is found no more.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.sending.deciding import READ
from almanac.desks.reminders.store.whole import count_customers
from almanac.search import Batch, Document, Kind, Provider
from almanac.services import Services
from tablature.async_database import AsyncDatabase

KIND = Kind("customer", "Customer", "Customers", {"language": "Language"})
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


def searchable(services: Services) -> tuple[Provider, ...]:
    """What of the desk can be searched for."""
    return (CustomerProvider(services.tables),)
