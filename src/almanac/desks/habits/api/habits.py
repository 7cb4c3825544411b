"""API: habits of one's own, and the rules they follow."""

from datetime import date, time
from typing import Annotated

from fastapi import Query, Request, Response
from pydantic import Field

from almanac.desks.habits.api.dependencies import PREFIX, Reader, Writer, new_router
from almanac.desks.habits.api.schemas import GoalBody, HabitBody, ScheduleBody
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.pipeline import settlement
from almanac.desks.habits.service import habits
from almanac.http.api_models import ApiModel, Id, Listed, Text
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, etag, parse_if_match
from almanac.http.problems import documented_problems

router = new_router()


class HabitFields(ApiModel):
    """What can be set of a habit; what is left out stays as it is."""

    name: Text | None = None
    description: Text | None = None
    tags: Annotated[list[Text], Field(max_length=50)] | None = None
    group: Text | None = None
    position: int | None = None
    remind_at: time | None = Field(None, description="When to remind, on the owner's clocks; such as 07:30.")
    schedule: ScheduleBody | None = None
    goal: GoalBody | None = None

    def wish(self, *, archived: bool | None = None, no_reminder: bool = False) -> HabitInput:
        return HabitInput(
            name=self.name,
            description=self.description,
            tags=None if self.tags is None else tuple(self.tags),
            group=self.group,
            position=self.position,
            remind_at=self.remind_at,
            no_reminder=no_reminder,
            archived=archived,
        )


class NewHabit(HabitFields):
    """A habit to begin, today or on the day given."""

    name: Text
    start: date | None = None


class HabitEdit(HabitFields):
    """What to change. Another schedule or goal counts from `since` on, today unless given; the past keeps its rule."""

    since: date | None = None
    archived: bool | None = None
    no_reminder: bool = False


class RuleWish(ApiModel):
    """A rule to try."""

    since: date | None = None
    schedule: ScheduleBody | None = None
    goal: GoalBody | None = None


class RuleEffectBody(ApiModel):
    """What a change of rule does to the standing of today."""

    streak_before: int
    streak_after: int
    best_before: int
    best_after: int
    points_before: int
    points_after: int
    sentence: str


class Order(ApiModel):
    """The ids of habits, first to last."""

    ids: Annotated[list[Text], Field(max_length=500)]


@router.get("")
async def list_habits(
    request: Request, principal: Reader, archived: Annotated[bool, Query(description="Show archived ones too.")] = False
) -> Listed[HabitBody]:
    """One's own habits in their order, each with its standing today."""
    found = await habits.list_habits(get_state(request).services, principal, archived=archived)
    return Listed(items=[HabitBody.of(one) for one in found], next_cursor=None)


@router.post("", status_code=201)
async def create_habit(request: Request, response: Response, wish: NewHabit, principal: Writer) -> HabitBody:
    """Begin a habit."""
    made = await habits.create_habit(
        get_state(request).services,
        principal,
        wish.wish(),
        start=wish.start,
        schedule=wish.schedule.value() if wish.schedule else None,
        goal=wish.goal.value() if wish.goal else None,
    )
    response.headers["Location"] = f"{PREFIX}/{made.habit.id}"
    response.headers["ETag"] = etag(made.habit.version)
    return HabitBody.of(made)


@router.post("/order", status_code=204)
async def order_habits(request: Request, order: Order, principal: Writer) -> None:
    """Put one's habits into an order."""
    await habits.reorder_habits(get_state(request).services, principal, order.ids)


@router.get("/{habit_id}")
async def get_habit(request: Request, response: Response, habit_id: Id, principal: Reader) -> HabitBody:
    """A habit with its standing today."""
    found = await habits.get_habit(get_state(request).services, principal, habit_id)
    response.headers["ETag"] = etag(found.habit.version)
    return HabitBody.of(found)


@router.patch("/{habit_id}", responses=documented_problems(412, 428))
async def edit_habit(
    request: Request,
    response: Response,
    habit_id: Id,
    wish: HabitEdit,
    principal: Writer,
    if_match: IfMatch = None,
) -> HabitBody:
    """Change a habit. Needs If-Match with the ETag that was read."""
    services, expected = get_state(request).services, parse_if_match(if_match)
    rule = None
    if wish.schedule is not None or wish.goal is not None:
        found = await habits.get_habit(services, principal, habit_id)
        rule = _rule(found, wish)
    edited = await habits.edit_habit(
        services,
        principal,
        habit_id,
        wish.wish(archived=wish.archived, no_reminder=wish.no_reminder),
        expected=expected,
        rule=rule,
    )
    response.headers["ETag"] = etag(edited.habit.version)
    return HabitBody.of(edited)


@router.post("/{habit_id}/preview")
async def preview_rule(request: Request, habit_id: Id, wish: RuleWish, principal: Reader) -> RuleEffectBody:
    """What another schedule or goal would do to streak and points; nothing is changed."""
    services = get_state(request).services
    rule = _rule(await habits.get_habit(services, principal, habit_id), wish)
    return RuleEffectBody.model_validate(await habits.preview_rule(services, principal, habit_id, rule))


def _rule(found: settlement.HabitSnapshot, wish: HabitEdit | RuleWish) -> HabitRule:
    present = found.habit.rule
    return HabitRule(
        wish.since or found.stats.today,
        wish.schedule.value() if wish.schedule else present.schedule,
        wish.goal.value() if wish.goal else present.goal,
    )


@router.delete("/{habit_id}", status_code=204)
async def delete_habit(request: Request, habit_id: Id, principal: Writer) -> None:
    """Remove a habit with its log, points, achievements and everything that was derived from it."""
    await habits.delete_habit(get_state(request).services, principal, habit_id)
