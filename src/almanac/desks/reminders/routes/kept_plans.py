"""Plans of which a program reads page after page: kept as they were computed, so that their pages agree.

What is kept names nobody; names are looked up when a page is read.
"""

from datetime import datetime

import msgspec

from almanac.desks.reminders import store
from almanac.desks.reminders.bulk import PLANS
from almanac.desks.reminders.model.plan import Plan
from almanac.desks.reminders.routes.bodies import PlanBody, PlanLineBody, PlannedAmount
from almanac.desks.reminders.routes.parts import MoneyBody
from almanac.errors import InputError, NotFound
from almanac.kit.ids import new_id
from almanac.services import Services


class KeptPlan(msgspec.Struct):
    """A plan as its file has it; each line is read only when its page is."""

    at: datetime
    going_out: int
    held_back: dict[str, int]
    amounts: list[msgspec.Raw]
    items: list[msgspec.Raw]

    def page(self, first: int, limit: int) -> PlanBody:
        """Some of its lines."""
        return PlanBody(
            at=self.at,
            going_out=self.going_out,
            held_back=self.held_back,
            amounts=[PlannedAmount.model_validate_json(bytes(amount)) for amount in self.amounts],
            items=[PlanLineBody.model_validate_json(bytes(line)) for line in self.items[first : first + limit]],
            next_cursor=None,
        )


def plan_body(plan: Plan, upto: int | None = None) -> PlanBody:
    """A plan as the API tells it, with its first lines, or all."""
    amounts = [
        PlannedAmount(reminder_type=level, owed=MoneyBody.of(money)) for (level, _), money in plan.amounts.items()
    ]
    return PlanBody(
        at=plan.at,
        going_out=len(plan.going_out),
        held_back=plan.reasons,
        amounts=amounts,
        items=[PlanLineBody.of(line) for line in plan.lines[:upto]],
        next_cursor=None,
    )


async def keep_plan(services: Services, plan: Plan) -> str:
    """Keep a plan for those who read on; returns its id."""
    plan_id, whole = new_id(), plan_body(plan)
    for line in whole.items:
        line.customer_name = ""
    await services.objects.put(f"{PLANS}/{plan_id}.json", whole.model_dump_json().encode())
    return plan_id


async def kept_plan(services: Services, plan_id: str) -> KeptPlan:
    """The plan that was kept; one that is over a day old may be gone."""
    try:
        return msgspec.json.decode(await services.objects.get(f"{PLANS}/{plan_id}.json"), type=KeptPlan)
    except NotFound:
        raise InputError("This plan is over; ask for a new one, from its first page.") from None


async def named(services: Services, body: PlanBody) -> PlanBody:
    """The page with the names that its customers have now."""
    known = await store.customers_among(services.tables, [line.customer_id for line in body.items])
    items = [
        line.model_copy(update={"customer_name": known[line.customer_id].name if line.customer_id in known else ""})
        for line in body.items
    ]
    return body.model_copy(update={"items": items})
