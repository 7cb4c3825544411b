"""Plans of which a program reads page after page: kept as they were computed, so that their pages agree.

They are forgotten after a day, and at once when a customer is erased.
"""

import asyncio
from datetime import datetime

import msgspec

from almanac.desks.reminders.api.dependencies import MoneyBody
from almanac.desks.reminders.api.schemas import PlanBody, PlanLineBody, PlannedAmount
from almanac.desks.reminders.model.plan import Plan
from almanac.desks.reminders.sending.erasing import PLANS
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
    plan_id, content = new_id(), await asyncio.to_thread(lambda: plan_body(plan).model_dump_json().encode())
    await services.objects.put(f"{PLANS}/{plan_id}.json", content)
    return plan_id


async def kept_plan(services: Services, plan_id: str) -> KeptPlan:
    """The plan that was kept; one that is over a day old may be gone."""
    try:
        return msgspec.json.decode(await services.objects.get(f"{PLANS}/{plan_id}.json"), type=KeptPlan)
    except NotFound:
        raise InputError("This plan is over; ask for a new one, from its first page.") from None
