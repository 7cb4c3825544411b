"""What leaves by webhooks: of habits only what a person shares, of customers neither name nor address."""

import psycopg
import pytest

from almanac.bootstrap import make_worker

API = "/api/v1"


@pytest.fixture
async def published(api, database_url):
    """An endpoint for every event; gives the bodies that were published for it."""
    names = [event["name"] for event in (await api.get(f"{API}/webhooks/events")).json()]
    made = await api.post(f"{API}/webhooks", json={"url": "https://example.org/hook", "events": names})
    assert made.status_code == 201, made.text

    async def bodies():
        async with await psycopg.AsyncConnection.connect(database_url) as connection:
            return [row[0] for row in await (await connection.execute("SELECT body FROM webhook_events")).fetchall()]

    return bodies


async def complete_one(api):
    habit = (await api.post(f"{API}/habits", json={"name": "Stay sober"})).json()["id"]
    assert (await api.post(f"{API}/habits/{habit}/complete")).status_code == 200
    return habit


async def test_nothing_is_told_of_somebody_who_shares_nothing(api, services, published):
    assert (await api.put(f"{API}/habits/settings", json={"listed": False})).status_code == 200
    await complete_one(api)
    await make_worker(services).drain()
    assert await published() == []


async def test_of_somebody_on_the_leaderboard_only_the_points_are_told(api, services, published):
    assert (await api.put(f"{API}/habits/settings", json={"listed": True})).status_code == 200
    habit = await complete_one(api)
    await make_worker(services).drain()
    bodies = await published()
    assert any("habit.completed" in body for body in bodies)
    for body in bodies:
        assert "sober" not in body
        assert habit not in body
        assert "link" not in body


async def test_customers_are_told_by_their_id_alone(api, services, published):
    customer = {"customer_id": "c-1", "name": "Ada Lovelace", "email": "ada@private.example"}
    assert (await api.post(f"{API}/reminders/customers", json=customer)).status_code == 201
    invoice = {"customer_id": "c-1", "number": "A-1", "amount": "5.00", "currency": "EUR", "due": "2026-01-05"}
    assert (await api.post(f"{API}/reminders/invoices", json=invoice)).status_code == 201
    assert (await api.post(f"{API}/reminders/drafts", json={"customer_id": "c-1"})).status_code == 201
    payment = {"customer_id": "c-1", "reference": "R-1", "amount": "5.00", "currency": "EUR", "note": "From Ada"}
    assert (await api.post(f"{API}/reminders/payments", json=payment)).status_code == 201
    await make_worker(services).drain()
    bodies = await published()
    assert any("reminder.drafted" in body for body in bodies)
    assert any("payment" in body for body in bodies)
    for body in bodies:
        assert "Ada" not in body
        assert "private.example" not in body
