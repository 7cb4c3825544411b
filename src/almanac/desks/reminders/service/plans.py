"""The plan as of a given time, the explanation for one customer, and the ladder's rules."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from almanac.accounts.model import Principal
from almanac.desks.reminders import store
from almanac.desks.reminders.events import record_change
from almanac.desks.reminders.model.eligibility import Case
from almanac.desks.reminders.model.ladder import LadderRules
from almanac.desks.reminders.model.ledger import Customer
from almanac.desks.reminders.model.plan import PlanLine, ReminderPlan, make_plan
from almanac.desks.reminders.model.timeline import CustomerHistory
from almanac.desks.reminders.permissions import READ, WRITE
from almanac.desks.reminders.pipeline.context import load_rules
from almanac.desks.reminders.pipeline.drafts import MAX_BATCH_SIZE
from almanac.desks.reminders.pipeline.plan import compute_plan, find_due_customers, with_suppressed
from almanac.desks.reminders.store.ledger_queries import TableReadCache
from almanac.errors import StaleEdit
from almanac.kit.messages import gettext
from almanac.services import Services

_PLAN_CACHE: TableReadCache[ReminderPlan] = TableReadCache(seconds=30.0)


async def get_plan(services: Services, by: Principal, at: datetime | None = None) -> ReminderPlan:
    """The plan as of a moment; without one, for this time tomorrow."""
    by.require(READ)
    return await compute_plan(services, at or services.clock.now() + timedelta(days=1))


async def get_recent_plan(services: Services, by: Principal, cache_key: str, at: datetime) -> ReminderPlan:
    """The plan for a person who turns pages: cached under `asked` for half a minute, or until this process writes."""
    by.require(READ)
    return await _PLAN_CACHE.get(services.tables, cache_key, lambda: get_plan(services, by, at))


async def list_due_customers(services: Services, by: Principal, *, limit: int | None = MAX_BATCH_SIZE) -> list[str]:
    """Ids of customers for whom a reminder could be drafted now, one batch of them unless limited otherwise."""
    by.require(READ)
    return await find_due_customers(services, limit=limit)


@dataclass(frozen=True, slots=True)
class CustomerExplanation:
    """Why a customer is reminded or not: one line per currency, whose decision has the trace, debt and next date."""

    customer: Customer
    at: datetime
    lines: tuple[PlanLine, ...]


async def explain_customer(
    services: Services, by: Principal, customer_id: str, at: datetime | None = None
) -> CustomerExplanation:
    """The rule trace as of a moment, now by default. No lines if the customer has no invoice."""
    by.require(READ)
    customer = await store.get_customer(services.tables, customer_id)
    return await _explain(services, customer, await store.read_cases(services.tables, customer_id), at)


async def explain_history(services: Services, by: Principal, history: CustomerHistory) -> CustomerExplanation:
    """The same as of now, from a customer's records where these have been read already."""
    by.require(READ)
    ladders = await store.list_ladders(services.tables, history.customer.id)
    cases = store.build_cases(history.customer, ladders, history.invoices, history.holds, history.sent)
    return await _explain(services, history.customer, cases, None)


async def _explain(
    services: Services, customer: Customer, cases: Sequence[Case], at: datetime | None
) -> CustomerExplanation:
    plan = make_plan(await with_suppressed(services, cases), await load_rules(services), at or services.clock.now())
    lines = await _mark_kept(services, customer, sorted(plan.lines, key=lambda line: line.currency))
    return CustomerExplanation(customer, plan.at, tuple(lines))


async def _mark_kept(services: Services, customer: Customer, lines: Sequence[PlanLine]) -> Sequence[PlanLine]:
    """The lines, of which those know it whose latest reminder was only kept here."""
    if all(line.last_sent is None for line in lines):
        return lines
    sent = (await store.list_sent_to_customer(services.tables, customer.id)).items
    latest = {mail.currency: mail.mail_id for mail in reversed(sent)}
    kept = await services.mailbox.find_kept(mail_id for mail_id in latest.values() if mail_id)
    return [replace(line, last_kept=latest.get(line.currency) in kept) for line in lines]


async def get_rules(services: Services, by: Principal) -> LadderRules:
    """The rules in force; version 0 means the documented defaults."""
    by.require(READ)
    return await load_rules(services)


async def save_rules(services: Services, by: Principal, rules: LadderRules, *, expected: int) -> LadderRules:
    """Replace the rules if they are still at version `expected`, else StaleEdit. Unsent reminders follow them."""
    by.require(WRITE)
    current = await load_rules(services)
    if current.version != expected:
        raise StaleEdit(
            gettext("Somebody else changed the rules first; load them again."), current=str(current.version)
        )
    saved = await store.save_rules(services.tables, replace(rules, version=expected, time_zone=current.time_zone))
    await record_change(services, by, "rules.changed", "rules", "ladder", version=saved.version)
    return saved
