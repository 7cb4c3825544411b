"""Customers, habits, mail and jobs in states that people ask about, and a way to ask as anybody."""

from datetime import timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import habits
from almanac.desks.reminders import service
from almanac.desks.reminders.service import CustomerEdit, NewInvoice
from almanac.kit.money import Money


@pytest.fixture
def ask():
    """The answers of the API to a question, as somebody; an empty list where nothing has the name."""

    async def why(visitor, about):
        answer = await visitor.get("/api/v1/why", params={"about": about}, headers={"Accept": "application/json"})
        assert answer.status_code in (200, 404), answer.text
        return answer.json()["items"] if answer.status_code == 200 else []

    return why


@pytest.fixture
def owing(services):
    """A customer with an overdue invoice."""

    async def make(customer_id="lotus", name="Lotus Print", currency="EUR", **more):
        edit = CustomerEdit(name=name, email=f"{customer_id}@example.org", **more)
        customer = await service.add_customer(services, AUTOMATION, customer_id, edit)
        due = services.clock.now().date() - timedelta(days=20)
        amount = Money(Decimal("100.00"), currency)
        await service.add_invoice(
            services, AUTOMATION, NewInvoice(customer_id=customer_id, number=f"{customer_id}-1", amount=amount, due=due)
        )
        return customer

    return make


@pytest.fixture
def reminded(services, owing):
    """A customer to whom a reminder was really sent, some days ago."""

    async def make(days, customer_id="lotus", **more):
        await owing(customer_id, **more)
        draft = await service.draft_reminder(services, AUTOMATION, customer_id)
        await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
        assert (await service.send_draft(services, CONSOLE, draft.id)).state == "sent"
        services.clock.advance(days=days)

    return make


@pytest.fixture
def keeping(services):
    """A habit of somebody, begun some days ago."""

    async def make(visitor, name="Evening walk", days_ago=20):
        owner = visitor.user.as_principal("session")
        start = services.clock.now().date() - timedelta(days=days_ago)
        return owner, (await habits.create_habit(services, owner, HabitInput(name=name), start=start)).habit

    return make
