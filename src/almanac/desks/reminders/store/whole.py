"""Reading all there is of a kind: what the plan of a day, reports and imports rest on."""

from collections import defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time

from almanac.desks.reminders import stored, table
from almanac.desks.reminders.model.deciding import Case
from almanac.desks.reminders.model.ladder import Ladder
from almanac.desks.reminders.model.ledger import Customer, Hold, Invoice, InvoiceState
from almanac.desks.reminders.model.sent import SentReminder
from almanac.desks.reminders.store.reading import is_anothers
from tablature import at_least
from tablature.async_database import AsyncDatabase

_PAGE = 1000


async def all_customers(tables: AsyncDatabase) -> dict[str, Customer]:
    query = table.Customer.everybody()
    return {item.customer_id: stored.customer_from(item) async for item in tables.each(query, page=_PAGE)}


async def count_customers(tables: AsyncDatabase) -> int:
    return await tables.count(table.Customer.everybody())


async def count_invoices(tables: AsyncDatabase, state: InvoiceState) -> int:
    return await tables.count(table.Invoice.with_state(state=state))


async def each_invoice(tables: AsyncDatabase, state: InvoiceState) -> AsyncIterator[Invoice]:
    """Everybody's invoices in one state, by due date."""
    async for item in tables.each(table.Invoice.with_state(state=state), page=_PAGE):
        yield stored.invoice_from(item)


async def invoices_by_number(tables: AsyncDatabase) -> dict[str, Invoice]:
    """Every invoice of the ledger, settled ones too."""
    states: tuple[InvoiceState, ...] = ("open", "paid", "credited")
    return {invoice.number: invoice for state in states async for invoice in each_invoice(tables, state)}


@dataclass(frozen=True, slots=True)
class Ledger:
    """Everything that decisions of a day rest on, by customer. Nothing in it guards a write."""

    customers: dict[str, Customer]
    invoices: dict[str, list[Invoice]]
    holds: dict[str, list[Hold]]
    ladders: dict[str, dict[str, Ladder]]
    sent_by_others: dict[str, list[SentReminder]] = field(default_factory=dict)

    def cases(self, customer_id: str, unreachable: frozenset[str] = frozenset()) -> list[Case]:
        """One case for each currency in which the customer owes something."""
        invoices, holds = tuple(self.invoices.get(customer_id, ())), tuple(self.holds.get(customer_id, ()))
        ladders, customer = self.ladders.get(customer_id, {}), self.customers[customer_id]
        elsewhere = self.sent_by_others.get(customer_id, ())
        currencies = sorted({invoice.currency for invoice in invoices})
        known = (ladders.get(currency) or Ladder(customer_id=customer_id, currency=currency) for currency in currencies)
        return [Case(customer, ladder.knowing(elsewhere, invoices), invoices, holds, unreachable) for ladder in known]


async def read_ledger(tables: AsyncDatabase, *, gaps_since: datetime) -> Ledger:
    """All customers, open invoices, standing holds and ladders, and what other programs have sent.

    What they sent before the oldest open debt fell due belongs to no cycle, and before `gaps_since` it keeps no gap.
    """
    customers = await all_customers(tables)
    invoices: dict[str, list[Invoice]] = defaultdict(list)
    async for invoice in each_invoice(tables, "open"):
        invoices[invoice.customer_id].append(invoice)
    holds: dict[str, list[Hold]] = defaultdict(list)
    async for hold in tables.each(table.Hold.with_state(state="standing"), page=_PAGE):
        holds[hold.customer_id].append(stored.hold_from(hold))
    ladders: dict[str, dict[str, Ladder]] = defaultdict(dict)
    async for ladder in tables.each(table.Ladder.everybody(), page=_PAGE):
        ladders[ladder.customer_id][ladder.currency] = stored.ladder_from(ladder)
    oldest = min((invoice.due for some in invoices.values() for invoice in some), default=date.max)
    since = min(gaps_since, datetime.combine(oldest, time(), UTC))
    elsewhere = await all_sent_by_others(tables, since)
    return Ledger(customers, dict(invoices), dict(holds), dict(ladders), elsewhere)


async def all_sent_by_others(tables: AsyncDatabase, since: datetime) -> dict[str, list[SentReminder]]:
    """What other programs have sent since a moment, by customer.

    They know no shards, so only the documented partition is read, in which nothing of ours is as a rule.
    """
    documented = AsyncDatabase(tables.transport, names=tables.context.names, spread=False)
    query = table.SentEmail.with_status(status="sent", sent_date=at_least(since))
    found: dict[str, list[SentReminder]] = defaultdict(list)
    async for item in documented.each(query, page=_PAGE):
        if is_anothers(sent := stored.sent_from(item)):
            found[sent.customer_id].append(sent)
    return dict(found)
