"""The plan as of a given time, computed from a snapshot of the whole ledger; nothing is written."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from almanac.desks.reminders import store
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import LadderRules
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.plan import ReminderPlan, make_plan
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.services import Services


async def compute_plan(services: Services, at: datetime) -> ReminderPlan:
    """Everybody with an open invoice, decided as of a moment."""
    rules = await load_rules(services)
    gaps_since = services.clock.now() - timedelta(days=rules.longest_gap_days)
    snapshot = await store.read_ledger_snapshot(services.tables, gaps_since=gaps_since)
    suppressed = await find_suppressed(services, snapshot.customers.values())
    return await asyncio.to_thread(plan_snapshot, snapshot, rules, at, suppressed)


def plan_snapshot(
    snapshot: store.LedgerSnapshot, rules: LadderRules, at: datetime, suppressed: frozenset[str] = frozenset()
) -> ReminderPlan:
    """Every customer with an open invoice, decided as of a moment; mail can't go to addresses in `suppressed`."""
    cases = (case for customer in snapshot.customers for case in snapshot.cases(customer, suppressed))
    return make_plan(cases, rules, at)


async def find_due_customers(services: Services, *, limit: int | None = None) -> list[str]:
    """Ids of customers for whom a reminder could be drafted now, all of them unless limited."""
    plan = await compute_plan(services, services.clock.now())
    return list(dict.fromkeys(line.customer_id for line in plan.going_out))[:limit]


async def find_suppressed(services: Services, customers: Iterable[Customer]) -> frozenset[str]:
    """Their addresses that bounced, complained or were suppressed by a person."""
    addresses = {email for customer in customers for email in customer.recipients}
    return frozenset(await services.suppressions.find_suppressed(addresses)) if addresses else frozenset()


async def with_suppressed(services: Services, cases: Sequence[Case]) -> list[Case]:
    """The cases with the suppressed addresses of their customers filled in."""
    suppressed = await find_suppressed(services, [case.customer for case in cases])
    return [replace(case, unreachable=suppressed) for case in cases]
