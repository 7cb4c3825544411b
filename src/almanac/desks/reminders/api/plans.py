"""API: the plan as of a given time, page by page, and the ladder's rules."""

import asyncio
from datetime import datetime
from typing import Annotated

import msgspec
from fastapi import Request, Response
from pydantic import Field

from almanac.desks.reminders import service
from almanac.desks.reminders.api.dependencies import Day, MomentQuery, MoneyBody, Reader, Writer, new_router
from almanac.desks.reminders.api.schemas import PlanBody, PlanLineBody, PlannedAmount
from almanac.desks.reminders.model.ladder import LadderRules, LevelRule
from almanac.desks.reminders.model.plan import ReminderPlan
from almanac.desks.reminders.pipeline.context import PLANS_FOLDER
from almanac.errors import InputError, NotFound
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.services import Services


class StoredPlan(msgspec.Struct):
    """A saved plan; lines are parsed only when their page is read."""

    at: datetime
    going_out: int
    held_back: dict[str, int]
    amounts: list[msgspec.Raw]
    items: list[msgspec.Raw]

    def page(self, first: int, limit: int) -> PlanBody:
        """Some of the plan's lines."""
        return PlanBody(
            at=self.at,
            going_out=self.going_out,
            held_back=self.held_back,
            amounts=[PlannedAmount.model_validate_json(bytes(amount)) for amount in self.amounts],
            items=[PlanLineBody.model_validate_json(bytes(line)) for line in self.items[first : first + limit]],
            next_cursor=None,
        )


def make_plan_body(plan: ReminderPlan, upto: int | None = None) -> PlanBody:
    """The plan as a response body, with its first lines or all."""
    amounts = [
        PlannedAmount(reminder_type=level, owed=MoneyBody.from_model(money))
        for (level, _), money in plan.amounts.items()
    ]
    return PlanBody(
        at=plan.at,
        going_out=len(plan.going_out),
        held_back=plan.reasons,
        amounts=amounts,
        items=[PlanLineBody.from_model(line) for line in plan.lines[:upto]],
        next_cursor=None,
    )


async def store_plan(services: Services, plan: ReminderPlan) -> str:
    """Save a plan for its later pages; returns its id."""
    plan_id, content = new_id(), await asyncio.to_thread(lambda: make_plan_body(plan).model_dump_json().encode())
    await services.objects.put(f"{PLANS_FOLDER}/{plan_id}.json", content)
    return plan_id


async def load_plan(services: Services, plan_id: str) -> StoredPlan:
    """Load a saved plan. InputError if it is gone; plans are kept for a day."""
    try:
        return msgspec.json.decode(await services.objects.get(f"{PLANS_FOLDER}/{plan_id}.json"), type=StoredPlan)
    except NotFound:
        raise InputError(gettext("This plan has expired; load its first page again.")) from None


router = new_router()


class LadderLevelBody(ApiModel):
    """A level: its minimum gap to another of the same level, and to the level before, in days."""

    name: Annotated[str, Field(min_length=1, max_length=30)]
    none_within_days: Annotated[int, Field(ge=0, le=3650)]
    days_after_previous: Annotated[int, Field(ge=0, le=3650)] = 0


class LadderRulesBody(ApiModel):
    """The ladder's rules."""

    levels: Annotated[list[LadderLevelBody], Field(min_length=1, max_length=10)]
    grace_days: Annotated[int, Field(ge=0, le=3650)] = 0
    business_days_only: bool = False
    holidays: Annotated[list[Day], Field(max_length=1000)] = Field(default_factory=list)

    @classmethod
    def from_model(cls, rules: LadderRules) -> "LadderRulesBody":
        return cls(
            levels=[LadderLevelBody.model_validate(level) for level in rules.levels],
            grace_days=rules.grace_days,
            business_days_only=rules.business_days_only,
            holidays=sorted(rules.holidays),
        )

    def value(self) -> LadderRules:
        levels = [LevelRule(level.name, level.none_within_days, level.days_after_previous) for level in self.levels]
        return LadderRules(
            levels=tuple(levels),
            grace_days=self.grace_days,
            business_days_only=self.business_days_only,
            holidays=frozenset(self.holidays),
        )


@router.get("/plan")
async def get_plan(
    request: Request, principal: Reader, at: MomentQuery | None = None, cursor: Cursor = None, limit: Limit = 100
) -> PlanBody:
    """Get what would be sent at a given time (by default this time tomorrow) and why; nothing is written.

    All pages of a plan are of the same moment, even if the ledger changes meanwhile.
    """
    services = get_state(request).services
    of, key = f"reminders plan {at}", services.key("cursors")
    if cursor is not None:
        first, plan_id = _parse_cursor(cursor, of, key)
        stored_plan = await load_plan(services, plan_id)
        body, last = stored_plan.page(first, limit), first + limit
        return body.model_copy(
            update={
                "next_cursor": encode_cursor([last, plan_id], of=of, key=key) if len(stored_plan.items) > last else None
            }
        )
    plan = await service.get_plan(services, principal, at)
    body = make_plan_body(plan, limit)
    if len(plan.lines) > limit:
        body.next_cursor = encode_cursor([limit, await store_plan(services, plan)], of=of, key=key)
    return body


def _parse_cursor(cursor: str, of: str, key: bytes) -> tuple[int, str]:
    """The position where a page starts, and the id of its plan."""
    first, plan_id = decode_cursor(cursor, of=of, key=key)
    return int(first or 0), str(plan_id)


@router.get("/rules")
async def get_rules(request: Request, response: Response, principal: Reader) -> LadderRulesBody:
    """Get the ladder's rules in force."""
    rules = await service.get_rules(get_state(request).services, principal)
    return LadderRulesBody.from_model(with_etag(response, rules))


@router.patch("/rules", responses=documented_problems(412, 428))
async def save_rules(
    request: Request, response: Response, body: LadderRulesBody, principal: Writer, if_match: IfMatch = None
) -> LadderRulesBody:
    """Replace the rules; unsent reminders follow them. Needs If-Match with the ETag that was read."""
    saved = await service.save_rules(
        get_state(request).services, principal, body.value(), expected=parse_if_match(if_match)
    )
    return LadderRulesBody.from_model(with_etag(response, saved))
