"""A whole installation with mail in memory, and reminders in it."""

from collections.abc import AsyncIterator
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path

import pytest

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks.reminders import service, store
from almanac.desks.reminders.model.draft import LetterWording
from almanac.desks.reminders.model.eligibility import Eligible, check_eligibility
from almanac.desks.reminders.model.ledger import Customer, Invoice, Payment
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.kit.clock import FixedClock
from almanac.kit.money import Money
from almanac.services import Services

DUE = date(2026, 2, 1)


@pytest.fixture
async def services(tmp_path: Path, database_url: str, clock: FixedClock) -> AsyncIterator[Services]:
    settings = Settings(data=tmp_path / "data", database_url=database_url, mail_url="memory:")
    async with open_services(settings, clock) as services:
        yield services


@pytest.fixture
def outbox(services):
    """What was sent, and how the next sends fail."""
    return services.mail_transport


class Account:
    """One customer and what happens to them."""

    def __init__(self, services, customer_id):
        self.services, self.id = services, customer_id

    @property
    def now(self):
        return self.services.clock.now()

    async def case(self):
        return await store.read_case(self.services.tables, self.id, "EUR")

    async def owe(self, *numbers, amount="100.00"):
        rules = await load_rules(self.services)
        invoices = [
            Invoice(
                customer_id=self.id,
                number=number,
                amount=Money(Decimal(amount), "EUR"),
                issued=None,
                due=DUE,
                paid=Money.zero("EUR"),
                credited=Money.zero("EUR"),
            )
            for number in numbers
        ]
        return await store.save_invoices(self.services.tables, invoices, rules=rules, now=self.now)

    async def pay(self, amount, reference="bank-1"):
        rules = await load_rules(self.services)
        payment = Payment(
            customer_id=self.id, id=reference, amount=Money(Decimal(amount), "EUR"), received_at=self.now, towards={}
        )
        return await store.record_payment(self.services.tables, payment, rules=rules, now=self.now)

    async def draft(self, text="Please pay.", **wording):
        rules = await load_rules(self.services)
        eligible = check_eligibility(await self.case(), rules, self.now)
        assert isinstance(eligible, Eligible), eligible
        words = LetterWording(subject="A reminder", text=text, recipients=(), **wording)
        return await store.create_draft(self.services.tables, eligible, words, rules=rules, by=CONSOLE, now=self.now)

    async def approved(self, **options):
        draft = await self.draft(**options)
        return await service.approve_draft(
            self.services, CONSOLE, draft.id, seen=draft.content_hash, send_after=timedelta()
        )

    async def send(self, **options):
        draft = await self.approved(**options)
        return draft, await service.send_draft(self.services, CONSOLE, draft.id)

    async def history(self):
        return (await store.list_sent_to_customer(self.services.tables, self.id)).items


@pytest.fixture
def account(services):
    """A customer who owes 100 euros on one invoice."""

    async def make(customer_id="acme", **more):
        customer = Customer(id=customer_id, name="Acme Ltd", email=f"{customer_id}@example.org", **more)
        await store.create_customer(services.tables, customer, now=services.clock.now())
        account = Account(services, customer_id)
        await account.owe(f"{customer_id}-1")
        return account

    return make
