"""Why a customer is reminded or not, rule by rule, and from when they may be; nothing is written."""

from dataclasses import dataclass
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.plan import PlanLine, plan_of
from almanac.desks.reminders.sending.deciding import READ, rules_of
from almanac.desks.reminders.service.reaching import with_reach
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Why:
    """The answer for one customer: a line for each currency, whose decision carries trace, debt and next date."""

    customer: Customer
    at: datetime
    lines: tuple[PlanLine, ...]


async def why(services: Services, by: Principal, customer_id: str, at: datetime | None = None) -> Why:
    """The rule trace as of a moment, now unless said. Without any invoice there is no line."""
    by.require(READ)
    customer = await store.get_customer(services.tables, customer_id)
    cases = await with_reach(services, await store.read_cases(services.tables, customer_id))
    plan = plan_of(cases, await rules_of(services), at or services.clock.now())
    return Why(customer, plan.at, tuple(sorted(plan.lines, key=lambda line: line.currency)))
