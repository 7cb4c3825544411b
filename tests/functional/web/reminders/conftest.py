"""Customers with debts in different states, behind the real application."""

from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import AUTOMATION
from almanac.desks.reminders import service
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money


@pytest.fixture
def owing(services):
    """A customer with an overdue invoice."""

    async def make(customer_id="acme", name="Acme Ltd", amount="100.00", currency="EUR", **more):
        edit = CustomerEdit(name=name, email=f"{customer_id}@example.org", **more)
        customer = await service.add_customer(services, AUTOMATION, customer_id, edit)
        due = services.clock.now().date() - timedelta(days=20)
        new = NewInvoice(
            customer_id=customer_id, number=f"{customer_id}-1", amount=Money(Decimal(amount), currency), due=due
        )
        await service.add_invoice(services, AUTOMATION, new)
        return customer

    return make


@pytest.fixture
def drafted(services, owing):
    """A draft that waits for a decision."""

    async def make(customer_id="acme", **more):
        await owing(customer_id, **more)
        return await service.draft_reminder(services, AUTOMATION, customer_id)

    return make
