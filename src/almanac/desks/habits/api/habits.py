"""API: a person's habits and their rules."""

from typing import Annotated

from fastapi import Query, Request, Response

from almanac.desks.habits.api.dependencies import PREFIX, Reader, Writer, new_router
from almanac.desks.habits.api.schemas import (
    HabitBody,
    HabitEdit,
    HabitOrder,
    NewHabit,
    RuleEffectBody,
    RulePreviewRequest,
)
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service import habits
from almanac.http.api_models import Id, Listed
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.idempotency.route import REPEATABLE, get_seed
from almanac.http.problems import documented_problems

router = new_router()


@router.get("")
async def list_habits(
    request: Request,
    principal: Reader,
    archived: Annotated[bool, Query(description="Include archived habits.")] = False,
) -> Listed[HabitBody]:
    """Your habits in their order, with their stats today."""
    snapshots = await habits.list_habits(get_state(request).services, principal, archived=archived)
    return Listed(items=[HabitBody.of(snapshot) for snapshot in snapshots], next_cursor=None)


@router.post("", status_code=201, openapi_extra=REPEATABLE)
async def create_habit(request: Request, response: Response, body: NewHabit, principal: Writer) -> HabitBody:
    """Create a habit."""
    created = await habits.create_habit(
        get_state(request).services,
        principal,
        body.to_input(),
        start=body.start,
        schedule=body.schedule.to_schedule() if body.schedule else None,
        goal=body.goal.to_goal() if body.goal else None,
        seed=get_seed(request),
    )
    response.headers["Location"] = f"{PREFIX}/{created.habit.id}"
    response.headers["ETag"] = etag(created.habit.version)
    return HabitBody.of(created)


@router.post("/order", status_code=204, openapi_extra=REPEATABLE)
async def order_habits(request: Request, order: HabitOrder, principal: Writer) -> None:
    """Set the order of your habits."""
    await habits.reorder_habits(get_state(request).services, principal, order.ids)


@router.get("/{habit_id}")
async def get_habit(request: Request, response: Response, habit_id: Id, principal: Reader) -> HabitBody:
    """A habit with its stats today."""
    snapshot = await habits.get_habit(get_state(request).services, principal, habit_id)
    response.headers["ETag"] = etag(snapshot.habit.version)
    return HabitBody.of(snapshot)


@router.patch("/{habit_id}", responses=documented_problems(412, 428))
async def edit_habit(
    request: Request,
    response: Response,
    habit_id: Id,
    body: HabitEdit,
    principal: Writer,
    if_match: IfMatch = None,
) -> HabitBody:
    """Change a habit. Needs If-Match with its ETag."""
    services, expected = get_state(request).services, parse_if_match(if_match)
    rule = None
    if body.schedule is not None or body.goal is not None:
        rule = _new_rule(await habits.get_habit(services, principal, habit_id), body)
    edited = await habits.edit_habit(
        services,
        principal,
        habit_id,
        body.to_input(archived=body.archived, no_reminder=body.no_reminder),
        expected=expected,
        rule=rule,
    )
    response.headers["ETag"] = etag(edited.habit.version)
    return HabitBody.of(edited)


@router.post("/{habit_id}/preview", openapi_extra=REPEATABLE)
async def preview_rule(request: Request, habit_id: Id, body: RulePreviewRequest, principal: Reader) -> RuleEffectBody:
    """Preview the effect of another schedule or goal on streak and points; changes nothing."""
    services = get_state(request).services
    rule = _new_rule(await habits.get_habit(services, principal, habit_id), body)
    return RuleEffectBody.model_validate(await habits.preview_rule(services, principal, habit_id, rule))


def _new_rule(snapshot: HabitSnapshot, body: HabitEdit | RulePreviewRequest) -> HabitRule:
    current = snapshot.habit.rule
    return HabitRule(
        body.since or snapshot.stats.today,
        body.schedule.to_schedule() if body.schedule else current.schedule,
        body.goal.to_goal() if body.goal else current.goal,
    )


@router.delete("/{habit_id}", status_code=204)
async def delete_habit(request: Request, habit_id: Id, principal: Writer) -> None:
    """Delete a habit with its log, points and achievements."""
    await habits.delete_habit(get_state(request).services, principal, habit_id)
