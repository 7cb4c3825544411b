"""The demo shows every state, is consistent, sends nothing, and is removed completely."""

from collections import Counter

import pytest

from almanac.accounts.model import CONSOLE
from almanac.demo import DemoRecord, DemoRun
from almanac.desks.reminders import service, store
from almanac.desks.reminders.demo import PART
from almanac.desks.reminders.demo.customers import SCENARIOS, list_demo_customers
from almanac.desks.reminders.service.reports import check_consistency
from almanac.desks.reminders.store import table
from almanac.desks.reminders.store.drafts import iterate_drafts
from almanac.desks.reminders.store.ledger_queries import read_all_customers, read_invoices_by_number
from almanac.errors import Unavailable
from almanac.jobs import InlineLedger
from almanac.search import UNRESTRICTED_VIEWER

STATES = ("draft", "approved", "snoozed", "rejected", "cancelled", "failed", "unknown")


@pytest.fixture
def a_run(services, clock):
    loaded = DemoRecord(owner_id=CONSOLE.user_id, day=clock.now().date())
    return DemoRun(
        services=services, desk="reminders", owner=CONSOLE, loaded=loaded, ledger=InlineLedger(services.database)
    )


async def states(services):
    return Counter([draft.state for state in STATES async for draft in iterate_drafts(services.tables, state)])


async def found(services):
    """What search knows, by kind."""
    everything = await services.search.find("", viewer=UNRESTRICTED_VIEWER, facets=["kind"], limit=1)
    return {facet.value: facet.count for facet in everything.facets.get("kind", ())}


def test_the_cast_is_as_promised(clock):
    roles = list(list_demo_customers(clock.now().date()))
    invoices = [invoice for role in roles for invoice in role.invoices]
    assert (len(roles), len(invoices), sum(SCENARIOS.values())) == (120, 400, 120)
    assert {invoice.currency for invoice in invoices} == {"EUR", "USD"}
    assert len({invoice.number for invoice in invoices}) == 400
    assert len({role.customer.name for role in roles}) == 120
    assert all(role.customer.email is None or role.customer.email.endswith(".example") for role in roles)


async def test_every_state_is_there_and_the_checker_finds_nothing(services, a_run, outbox, power_cut):
    a_run.ledger = power_cut(services, at=60)
    with pytest.raises(Unavailable):
        await PART.steps[0](a_run)
    a_run.ledger = InlineLedger(services.database)
    await PART.steps[0](a_run)
    assert (a_run.loaded.count("customer"), a_run.loaded.count("invoice")) == (120, 400)
    assert await states(services) == {
        "draft": 18,
        "approved": 3,
        "snoozed": 2,
        "rejected": 2,
        "cancelled": 1,
        "failed": 1,
        "unknown": 2,
    }
    invoices = await read_invoices_by_number(services.tables)
    assert {invoice.state for invoice in invoices.values()} == {"open", "paid", "credited"}
    plan = await service.get_plan(services, CONSOLE)
    assert {"claim", "debt", "gap", "hold", "never", "address", "exhausted"} <= set(plan.reasons)
    assert len(plan.going_out) >= SCENARIOS["overdue"]
    assert (await check_consistency(services)).findings == ()
    assert outbox.sent == []
    assert await found(services) == {"customer": 120, "invoice": 400}

    await PART.remove(a_run)
    assert await found(services) == {}
    assert (await read_all_customers(services.tables), await read_invoices_by_number(services.tables)) == ({}, {})
    assert await states(services) == {}
    assert (await store.list_customers(services.tables)).items == []
    left = [item async for item in services.tables.each(table.LadderItem.everybody())]
    assert left == []
