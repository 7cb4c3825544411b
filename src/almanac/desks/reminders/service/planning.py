"""What goes out at a moment and why; nothing is written."""

import asyncio
from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders.model.plan import Plan, plan_of
from almanac.desks.reminders.model.rules import LadderRules
from almanac.desks.reminders.sending.deciding import READ, rules_of
from almanac.desks.reminders.service.drafting import MOST_AT_ONCE
from almanac.desks.reminders.service.reaching import unreachable
from almanac.desks.reminders.store.standing import Standing
from almanac.desks.reminders.store.whole import Ledger, read_ledger
from almanac.services import Services

_PLANS: Standing[Plan] = Standing(seconds=30.0)


async def plan(services: Services, by: Principal, at: datetime | None = None) -> Plan:
    """The plan as of a moment; without one, for this time tomorrow."""
    by.require(READ)
    now, rules = services.clock.now(), await rules_of(services)
    moment = at or now + timedelta(days=1)
    ledger = await read_ledger(services.tables, gaps_since=now - timedelta(days=rules.longest_gap_days))
    lost = await unreachable(services, ledger.customers.values())
    return await asyncio.to_thread(planned, ledger, rules, moment, lost)


async def recent_plan(services: Services, by: Principal, asked: str, at: datetime) -> Plan:
    """The plan for pages that a person turns: computed once for `asked`, and again after any change."""
    by.require(READ)
    return await _PLANS.get(services.tables, asked, lambda: plan(services, by, at))


def planned(ledger: Ledger, rules: LadderRules, at: datetime, lost: frozenset[str] = frozenset()) -> Plan:
    """Every customer with something open, decided as of a moment; mail to the addresses in `lost` is no use."""
    cases = (case for customer in ledger.customers for case in ledger.cases(customer, lost))
    return plan_of(cases, rules, at)


async def due_customers(services: Services, by: Principal, *, limit: int | None = MOST_AT_ONCE) -> list[str]:
    """Customers for whom a reminder could be drafted now, as many as one batch takes unless said."""
    now = await plan(services, by, services.clock.now())
    return list(dict.fromkeys(line.customer_id for line in now.going_out))[:limit]
