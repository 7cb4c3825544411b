"""The form for a habit: what it is, how often it is asked for, what counts as kept, and since when."""

from datetime import date, time
from decimal import Decimal, InvalidOperation
from typing import Annotated, TypeVar

from fastapi import APIRouter, Form, Request
from pydantic import BaseModel
from starlette.responses import Response

from almanac.desks.habits.model.goal import Goal, GoalKind
from almanac.desks.habits.model.habit import Habit, HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.rule_changes import RuleEffect
from almanac.desks.habits.model.schedule import WEEKDAYS, HabitSchedule, ScheduleKind
from almanac.desks.habits.pages.entries import parse_form_day
from almanac.desks.habits.pages.layout import PREFIX, Id, Writer, address, desk_page
from almanac.desks.habits.service import habits
from almanac.errors import AlmanacError, FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.pages import parse_form_version, redirect_with_message

router = APIRouter(prefix=PREFIX)
KINDS: tuple[tuple[ScheduleKind, str], ...] = (
    ("daily", "Every day"),
    ("weekdays", "On chosen weekdays"),
    ("per_week", "Some days a week"),
    ("per_month", "Some days a month"),
    ("every_days", "Every few days"),
    ("weekly", "Once a week"),
    ("monthly", "Once a month"),
    ("yearly", "Once a year"),
)
GOALS: tuple[tuple[GoalKind, str], ...] = (
    ("done", "Done or not"),
    ("at_least", "At least an amount"),
    ("times", "Several times a day"),
    ("at_most", "At most an amount"),
    ("avoid", "Something to avoid"),
)
Word = TypeVar("Word", bound=str)
NUMBERED = {"per_week", "per_month", "every_days"}


class HabitForm(BaseModel):
    """The form as a browser sends it."""

    name: str = ""
    description: str = ""
    tags: str = ""
    group: str = ""
    kind: str = "daily"
    number: str = ""
    weekdays: list[str] = []
    goal: str = "done"
    target: str = ""
    unit: str = ""
    since: str = ""
    remind_at: str = ""
    version: str = ""
    try_it: str = ""

    @classmethod
    def of(cls, habit: Habit) -> "HabitForm":
        """The form as it is for a habit that there is."""
        schedule, goal = habit.rule.schedule, habit.rule.goal
        number = schedule.every if schedule.kind == "every_days" else schedule.times
        return cls(
            name=habit.name,
            description=habit.description,
            tags=", ".join(habit.tags),
            group=habit.group,
            kind=schedule.kind,
            number=str(number) if schedule.kind in NUMBERED else "",
            weekdays=[str(day) for day in schedule.weekdays],
            goal=goal.kind,
            target=f"{goal.target.normalize():f}" if goal.kind in ("at_least", "times", "at_most") else "",
            unit=goal.unit,
            remind_at=f"{habit.remind_at:%H:%M}" if habit.remind_at else "",
            version=str(habit.version),
        )

    def wish(self) -> HabitInput:
        return HabitInput(
            name=self.name,
            description=self.description,
            group=self.group,
            no_reminder=not self.remind_at,
            tags=tuple(tag.strip() for tag in self.tags.split(",") if tag.strip()),
            remind_at=_time(self.remind_at),
        )

    def schedule(self) -> HabitSchedule:
        number = _whole(self.number) if self.kind in NUMBERED else 1
        return HabitSchedule(
            kind=_one_of(self.kind, KINDS, "schedule"),
            times=number if self.kind != "every_days" else 1,
            every=number if self.kind == "every_days" else 1,
            weekdays=tuple(sorted({_whole(day) for day in self.weekdays})) if self.kind == "weekdays" else (),
        )

    def goal_value(self) -> Goal:
        target = _decimal(self.target) if self.goal in ("at_least", "times", "at_most") else Decimal(1)
        return Goal(kind=_one_of(self.goal, GOALS, "goal"), target=target, unit=self.unit.strip())


Sent = Annotated[HabitForm, Form()]


@router.get("/new")
async def show_new(request: Request, _principal: Writer) -> Response:
    """The form for a new habit."""
    return await _form(request, HabitForm())


@router.post("/new")
async def add(request: Request, principal: Writer, sent: Sent) -> Response:
    """Begin a habit."""
    try:
        made = await habits.create_habit(
            get_state(request).services,
            principal,
            sent.wish(),
            schedule=sent.schedule(),
            goal=sent.goal_value(),
            start=parse_form_day(sent.since),
        )
    except FieldErrors as error:
        return await _form(request, sent, error.fields, status=422)
    return redirect_with_message(request, PREFIX, f"{made.habit.name} is added.")


@router.get("/{habit_id}/edit")
async def show_edit(request: Request, habit_id: Id, principal: Writer) -> Response:
    """The form as the habit is."""
    found = await habits.get_habit(get_state(request).services, principal, habit_id)
    return await _form(request, HabitForm.of(found.habit), habit=found.habit)


@router.post("/{habit_id}/edit")
async def save(request: Request, habit_id: Id, principal: Writer, sent: Sent) -> Response:
    """Save the form, or only show what another rule would do."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    try:
        rule = _new_rule(sent, found.habit, found.stats.today)
        if sent.try_it:
            effect = await habits.preview_rule(services, principal, habit_id, rule or found.habit.rule)
            return await _form(request, sent, habit=found.habit, effect=effect)
        saved = await habits.edit_habit(
            services, principal, habit_id, sent.wish(), expected=parse_form_version(sent.version), rule=rule
        )
    except FieldErrors as error:
        return await _form(request, sent, error.fields, habit=found.habit, status=422)
    except StaleEdit as error:
        return await _form(request, sent, habit=found.habit, problem=error, status=412)
    return redirect_with_message(request, address(habit_id), f"{saved.habit.name} is saved.")


@router.post("/{habit_id}/archive")
async def archive(request: Request, habit_id: Id, principal: Writer, version: Annotated[str, Form()]) -> Response:
    """Ask for it no more, and keep all it has; or ask for it again."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    wish = HabitInput(archived=found.habit.archived_on is None)
    saved = await habits.edit_habit(services, principal, habit_id, wish, expected=parse_form_version(version))
    words = "is archived" if saved.habit.archived_on else "is back"
    return redirect_with_message(request, PREFIX, f"{saved.habit.name} {words}.")


@router.post("/{habit_id}/delete")
async def delete(request: Request, habit_id: Id, principal: Writer) -> Response:
    """Remove it with everything that follows from it."""
    services = get_state(request).services
    found = await habits.get_habit(services, principal, habit_id)
    await habits.delete_habit(services, principal, habit_id)
    return redirect_with_message(request, PREFIX, f"{found.habit.name} is deleted.")


async def _form(
    request: Request,
    form: HabitForm,
    errors: dict[str, str] | None = None,
    *,
    habit: Habit | None = None,
    effect: RuleEffect | None = None,
    problem: AlmanacError | None = None,
    status: int = 200,
) -> Response:
    return await desk_page(
        request,
        "today",
        "form",
        status_code=status,
        form=form,
        errors=errors or {},
        habit=habit,
        effect=effect,
        problem=problem,
        kinds=KINDS,
        goals=GOALS,
        weekdays=[(str(place), name) for place, name in enumerate(WEEKDAYS)],
    )


def _new_rule(sent: HabitForm, habit: Habit, today: date) -> HabitRule | None:
    """Another rule from a day on, if the form says anything else than the present one."""
    schedule, goal = sent.schedule(), sent.goal_value()
    if (schedule, goal) == (habit.rule.schedule, habit.rule.goal):
        return None
    return HabitRule(parse_form_day(sent.since) or today, schedule, goal)


def _one_of(word: str, choices: tuple[tuple[Word, str], ...], field: str) -> Word:
    for key, _ in choices:
        if key == word:
            return key
    raise FieldErrors({field: "Choose one of the list."})


def _whole(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 4:
        raise FieldErrors({"number": "Write a whole number, such as 3."})
    return int(text)


def _decimal(text: str) -> Decimal:
    try:
        return Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        raise FieldErrors({"target": "Write a number, such as 20."}) from None


def _time(text: str) -> time | None:
    if not text:
        return None
    try:
        return time.fromisoformat(text)
    except ValueError:
        raise FieldErrors({"remind_at": "Write a time, such as 07:30."}) from None
