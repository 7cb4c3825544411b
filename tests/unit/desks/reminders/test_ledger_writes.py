"""Payments, invoices and holds are written together with their effect on the ladder and the open draft."""

import asyncio
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.reminders import store
from almanac.desks.reminders.model import transitions
from almanac.desks.reminders.model.ladder import DEFAULT_RULES
from almanac.desks.reminders.model.ledger import Customer, Hold, Payment
from almanac.errors import Conflict, InputError, NotFound, StaleEdit
from almanac.kit.money import Money


@pytest.fixture
def pay(tables, clock):
    async def record(amount, reference="bank-1", customer="acme", towards=None):
        payment = Payment(
            customer_id=customer,
            id=reference,
            amount=Money(Decimal(amount), "EUR"),
            received_at=clock.now(),
            towards=towards or {},
        )
        return await store.record_payment(tables, payment, rules=DEFAULT_RULES, now=clock.now())

    return record


@pytest.fixture
def approved(tables, clock, drafted):
    async def make(**options):
        draft = await drafted(**options)
        seen, now = draft.content_hash, clock.now()
        return await store.change_draft(
            tables,
            draft.id,
            lambda d, c: transitions.approve(d, c, DEFAULT_RULES, seen, CONSOLE, now),
            rules=DEFAULT_RULES,
            now=now,
        )

    return make


async def test_a_payment_that_settles_everything_cancels_the_draft_and_ends_the_cycle(tables, owing, approved, pay):
    await owing()
    draft = await approved()
    change = await pay("100.00")
    assert change.case.ladder.cycle == 2
    assert change.case.ladder.open is None
    assert (await store.get_draft(tables, draft.id)).state == "cancelled"
    assert (await store.get_invoice(tables, "acme", "INV-1")).state == "paid"


async def test_a_part_payment_voids_the_approval(tables, owing, approved, pay):
    await owing()
    draft = await approved()
    change = await pay("40.00")
    left = await store.get_draft(tables, draft.id)
    assert (left.state, left.approved, left.outdated) == ("draft", None, transitions.DEBT_CHANGED)
    assert change.case.ladder.open.state == "draft"
    assert change.case.ladder.cycle == 1


async def test_the_same_reference_pays_once(tables, owing, pay):
    await owing()
    results = await asyncio.gather(*(pay("30.00") for _ in range(8)))
    assert [result.changed for result in results].count(True) == 1
    assert str((await store.get_invoice(tables, "acme", "INV-1")).outstanding) == "70.00 EUR"


async def test_the_same_reference_with_another_amount_is_refused(owing, pay):
    await owing()
    await pay("30.00")
    with pytest.raises(Conflict, match=r"recorded already with 30\.00 EUR"):
        await pay("31.00")


async def test_payments_at_the_same_time_all_count(tables, owing, pay):
    await owing()
    await asyncio.gather(*(pay("10.00", reference=f"bank-{n}") for n in range(10)))
    assert (await store.get_invoice(tables, "acme", "INV-1")).state == "paid"
    assert len(await store.list_payments(tables, "acme")) == 10


async def test_an_invoice_is_settled_when_the_last_of_its_money_came_in(tables, owing, clock):
    await owing()
    now = clock.now()

    async def recorded(reference, amount, days_ago):
        payment = Payment(
            customer_id="acme",
            id=reference,
            amount=Money(Decimal(amount), "EUR"),
            towards={},
            received_at=now - timedelta(days=days_ago),
        )
        await store.record_payment(tables, payment, rules=DEFAULT_RULES, now=now)

    await recorded("later", "40.00", days_ago=3)
    assert (await store.get_invoice(tables, "acme", "INV-1")).settled_at is None
    await recorded("earlier", "60.00", days_ago=9)
    assert (await store.get_invoice(tables, "acme", "INV-1")).settled_at == now - timedelta(days=3)


async def test_of_an_invoice_that_came_paid_nobody_knows_when_it_was_settled(tables, owing, invoice, clock):
    await owing()
    for change in ({}, {"due": date(2026, 2, 2), "version": 1}):
        paid = invoice("OLD-1", paid="100.00", **change)
        await store.save_invoices(tables, [paid], rules=DEFAULT_RULES, now=clock.now())
        stored = await store.get_invoice(tables, "acme", "OLD-1")
        assert (stored.state, stored.settled_at) == ("paid", None)


@pytest.mark.parametrize(("amount", "towards"), [("100.01", None), ("5.00", {"INV-1": Decimal(-5)})])
async def test_a_payment_beyond_what_is_owed_is_refused(owing, pay, amount, towards):
    await owing()
    with pytest.raises(Conflict):
        await pay(amount, towards=towards)


async def test_a_payment_of_very_many_invoices_is_recorded_in_parts(tables, clock, owing, pay, invoice):
    await owing()
    for first in range(0, 120, 40):
        more = [invoice(f"I-{number}", amount="1.00") for number in range(first, first + 40)]
        await store.save_invoices(tables, more, rules=DEFAULT_RULES, now=clock.now())
    with pytest.raises(Conflict, match="at most 90 invoices"):
        await pay("120.00", towards={f"I-{number}": Decimal(1) for number in range(120)})
    for part in (range(60), range(60, 120)):
        paid = await pay("60.00", f"bank-{part.start}", towards={f"I-{number}": Decimal(1) for number in part})
        assert (paid.changed, len(paid.paid)) == (True, 60)


async def test_a_payment_for_an_unknown_invoice_or_customer_is_refused(owing, pay):
    await owing()
    with pytest.raises(NotFound, match="no open invoice INV-9"):
        await pay("5.00", towards={"INV-9": Decimal(5)})
    with pytest.raises(NotFound, match="doesn't exist"):
        await pay("5.00", customer="nobody")


async def test_an_invoice_number_names_one_invoice_in_the_installation(tables, clock, owing, invoice):
    await owing()
    await owing("bolt", numbers=("INV-2",))
    with pytest.raises(Conflict, match="used by another"):
        await store.save_invoices(tables, [invoice("INV-1", customer="bolt")], rules=DEFAULT_RULES, now=clock.now())


async def test_the_same_invoice_again_changes_nothing(tables, clock, owing, invoice):
    case = await owing()
    change = await store.save_invoices(tables, [invoice("INV-1")], rules=DEFAULT_RULES, now=clock.now())
    assert not change.changed
    assert change.case.ladder.version == case.ladder.version


async def test_an_edit_of_an_older_version_is_refused(tables, clock, owing, invoice):
    await owing()
    with pytest.raises(StaleEdit):
        await store.save_invoices(tables, [invoice(amount="90.00")], rules=DEFAULT_RULES, now=clock.now())


async def test_a_due_date_moved_ahead_ends_the_cycle(tables, clock, owing, drafted):
    case = await owing()
    await drafted()
    later = replace(case.invoices[0], due=(clock.now() + timedelta(days=20)).date())
    change = await store.save_invoices(tables, [later], rules=DEFAULT_RULES, now=clock.now())
    assert (change.case.ladder.cycle, change.case.ladder.open) == (2, None)


async def test_a_hold_on_an_invoice_takes_it_out_of_the_draft(tables, clock, owing, drafted):
    await owing(numbers=("INV-1", "INV-2"))
    draft = await drafted()
    hold = Hold(customer_id="acme", id="h1", kind="promise", invoice="INV-2")
    await store.add_hold(tables, hold, rules=DEFAULT_RULES, now=clock.now())
    assert (await store.get_draft(tables, draft.id)).outdated == transitions.DEBT_CHANGED
    await store.lift_hold(tables, "acme", "h1", by="ada", rules=DEFAULT_RULES, now=clock.now())
    case = await store.read_case(tables, "acme", "EUR")
    assert case.debt(DEFAULT_RULES, clock.now()).numbers == ("INV-1", "INV-2")


async def test_a_customer_with_an_impossible_id_is_refused(tables, clock):
    for wrong in ("", "a b", "a#b", "x" * 101):
        with pytest.raises(InputError, match="id has 1 to 100"):
            await store.create_customer(tables, named(wrong), now=clock.now())
        with pytest.raises(NotFound):
            await store.get_customer(tables, wrong)


def named(customer_id):
    return Customer(id=customer_id, name="X", created_at=datetime(2026, 1, 1, tzinfo=UTC))
