"""The reminders table in memory, and customers with debts in it."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import store
from almanac.desks.reminders.model.draft import LetterWording
from almanac.desks.reminders.model.eligibility import Eligible, check_eligibility
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Customer, Invoice
from almanac.desks.reminders.store.table import email_tracking
from almanac.kit.money import Money
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded

DUE = date(2026, 2, 1)


@pytest.fixture
async def tables(clock):
    with Embedded.memory() as transport:
        database = AsyncDatabase(transport, objects=MemoryObjects(), clock=clock.now)
        await database.admin.create_table(email_tracking)
        yield database


@pytest.fixture
def stored_items(tables):
    """Everything in the table, by key, as the service holds it."""

    async def read():
        scan = await tables.transport.send_async("Scan", {"TableName": "email_tracking"})
        return {(item["PK"]["S"], item["SK"]["S"]): item for item in scan["Items"]}

    return read


@pytest.fixture
def invoice():
    """Invoices with sensible defaults."""

    def make(number="INV-1", amount="100.00", customer="acme", currency="EUR", due=DUE, paid="0", **more):
        return Invoice(
            customer_id=customer,
            number=number,
            amount=Money(Decimal(amount), currency),
            issued=date(2026, 1, 2),
            due=due,
            paid=Money(Decimal(paid), currency),
            credited=Money.zero(currency),
            **more,
        )

    return make


@pytest.fixture
def owing(tables, clock, invoice):
    """A customer who owes something."""

    async def make(customer="acme", numbers=("INV-1",), **more):
        record = Customer(id=customer, name="Acme Ltd", email=f"{customer}@example.org")
        await store.create_customer(tables, replace(record, **more), now=clock.now())
        invoices = [invoice(number, customer=customer) for number in numbers]
        await store.save_invoices(tables, invoices, rules=DEFAULT_RULES, now=clock.now())
        return await store.read_case(tables, customer, "EUR")

    return make


@pytest.fixture
def drafted(tables, clock):
    """A draft of the reminder that is due."""

    async def make(customer="acme", currency="EUR", text="Please pay 100.00 EUR for INV-1.", by=CONSOLE):
        case = await store.read_case(tables, customer, currency)
        eligible = check_eligibility(case, DEFAULT_RULES, clock.now())
        assert isinstance(eligible, Eligible), eligible
        wording = LetterWording(subject="A reminder", text=text, recipients=())
        return await store.create_draft(tables, eligible, wording, rules=DEFAULT_RULES, by=by, now=clock.now())

    return make
