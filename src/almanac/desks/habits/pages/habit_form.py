"""The form to create or edit a habit: name, schedule, goal, start and reminder."""

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
from almanac.desks.habits.pages.layout import PREFIX, Id, Writer, address, desk_page, parse_form_day
from almanac.desks.habits.service import habits
from almanac.errors import FieldErrors, StaleEdit
from almanac.http.app_state import get_state
from almanac.http.conflicts import EditConflict, compare_fields, make_conflict
from almanac.http.pages import parse_form_version, redirect_with_message
from almanac.kit.messages import gettext, join_texts

router = APIRouter(prefix=PREFIX)
EDIT_LABELS = {
    "name": gettext("Name"),
    "description": gettext("Description"),
    "kind": gettext("Schedule"),
    "number": gettext("How many"),
    "weekdays": gettext("Weekdays"),
    "goal": gettext("Goal for a day"),
    "target": gettext("Amount, or times a day"),
    "unit": gettext("Unit"),
    "tags": gettext("Tags"),
    "group": gettext("Group"),
    "remind_at": gettext("Remind me at"),
}
SCHEDULE_OPTIONS: tuple[tuple[ScheduleKind, str], ...] = (
    ("daily", gettext("Every day")),
    ("weekdays", gettext("On chosen weekdays")),
    ("per_week", gettext("Some days a week")),
    ("per_month", gettext("Some days a month")),
    ("every_days", gettext("Every few days")),
    ("weekly", gettext("Once a week")),
    ("monthly", gettext("Once a month")),
    ("yearly", gettext("Once a year")),
)
GOAL_OPTIONS: tuple[tuple[GoalKind, str], ...] = (
    ("done", gettext("Done or not")),
    ("at_least", gettext("At least an amount")),
    ("times", gettext("Several times a day")),
    ("at_most", gettext("At most an amount")),
    ("avoid", gettext("Something to avoid")),
)
ChoiceKey = TypeVar("ChoiceKey", bound=str)
KINDS_WITH_NUMBER = {"per_week", "per_month", "every_days"}


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
    def from_habit(cls, habit: Habit) -> "HabitForm":
        """The form filled with a habit's values."""
        schedule, goal = habit.rule.schedule, habit.rule.goal
        number = schedule.every if schedule.kind == "every_days" else schedule.times
        return cls(
            name=habit.name,
            description=habit.description,
            tags=", ".join(habit.tags),
            group=habit.group,
            kind=schedule.kind,
            number=str(number) if schedule.kind in KINDS_WITH_NUMBER else "",
            weekdays=[str(day) for day in schedule.weekdays],
            goal=goal.kind,
            target=f"{goal.target.normalize():f}" if goal.kind in ("at_least", "times", "at_most") else "",
            unit=goal.unit,
            remind_at=f"{habit.remind_at:%H:%M}" if habit.remind_at else "",
            version=str(habit.version),
        )

    def in_words(self) -> dict[str, str]:
        """The fields as a person compares them."""
        words = {name: str(value) for name, value in self.model_dump(exclude={"weekdays"}).items()}
        days = join_texts(WEEKDAYS[int(day)] for day in self.weekdays if day.isdecimal() and int(day) < len(WEEKDAYS))
        kinds = {str(kind): label for kind, label in SCHEDULE_OPTIONS}
        goals = {str(goal): label for goal, label in GOAL_OPTIONS}
        return {
            **words,
            "weekdays": days,
            "kind": kinds.get(words["kind"], words["kind"]),
            "goal": goals.get(words["goal"], words["goal"]),
        }

    def to_input(self) -> HabitInput:
        return HabitInput(
            name=self.name,
            description=self.description,
            group=self.group,
            no_reminder=not self.remind_at,
            tags=tuple(tag.strip() for tag in self.tags.split(",") if tag.strip()),
            remind_at=_parse_time(self.remind_at),
        )

    def to_schedule(self) -> HabitSchedule:
        number = _parse_int(self.number) if self.kind in KINDS_WITH_NUMBER else 1
        return HabitSchedule(
            kind=_parse_choice(self.kind, SCHEDULE_OPTIONS, "schedule"),
            times=number if self.kind != "every_days" else 1,
            every=number if self.kind == "every_days" else 1,
            weekdays=tuple(sorted({_parse_int(day) for day in self.weekdays})) if self.kind == "weekdays" else (),
        )

    def to_goal(self) -> Goal:
        target = _parse_decimal(self.target) if self.goal in ("at_least", "times", "at_most") else Decimal(1)
        return Goal(kind=_parse_choice(self.goal, GOAL_OPTIONS, "goal"), target=target, unit=self.unit.strip())


SentForm = Annotated[HabitForm, Form()]


@router.get("/new")
async def show_new(request: Request, _principal: Writer) -> Response:
    """The form for a new habit."""
    return await _form_page(request, HabitForm())


@router.post("/new")
async def create_habit(request: Request, principal: Writer, form: SentForm) -> Response:
    """Create a habit."""
    try:
        created = await habits.create_habit(
            get_state(request).services,
            principal,
            form.to_input(),
            schedule=form.to_schedule(),
            goal=form.to_goal(),
            start=parse_form_day(form.since, "since"),
        )
    except FieldErrors as error:
        return await _form_page(request, form, error.fields, status=422)
    return redirect_with_message(request, PREFIX, gettext("%(name)s added.", name=created.habit.name))


@router.get("/{habit_id}/edit")
async def show_edit(request: Request, habit_id: Id, principal: Writer) -> Response:
    """The form of an existing habit."""
    snapshot = await habits.get_habit(get_state(request).services, principal, habit_id)
    return await _form_page(request, HabitForm.from_habit(snapshot.habit), habit=snapshot.habit)


@router.post("/{habit_id}/edit")
async def save_habit(request: Request, habit_id: Id, principal: Writer, form: SentForm) -> Response:
    """Save the form, or preview the effect of a rule change."""
    services = get_state(request).services
    snapshot = await habits.get_habit(services, principal, habit_id)
    try:
        rule = _new_rule(form, snapshot.habit, snapshot.stats.today)
        if form.try_it:
            effect = await habits.preview_rule(services, principal, habit_id, rule or snapshot.habit.rule)
            return await _form_page(request, form, habit=snapshot.habit, effect=effect)
        saved = await habits.edit_habit(
            services, principal, habit_id, form.to_input(), expected=parse_form_version(form.version), rule=rule
        )
    except FieldErrors as error:
        return await _form_page(request, form, error.fields, habit=snapshot.habit, status=422)
    except StaleEdit:
        rows = compare_fields(EDIT_LABELS, form.in_words(), HabitForm.from_habit(snapshot.habit).in_words())
        conflict = await make_conflict(request, rows, snapshot.habit.version, address(habit_id, "edit"))
        return await _form_page(request, form, habit=snapshot.habit, conflict=conflict, status=412)
    return redirect_with_message(request, address(habit_id), gettext("%(name)s saved.", name=saved.habit.name))


@router.post("/{habit_id}/archive")
async def archive_habit(request: Request, habit_id: Id, principal: Writer, version: Annotated[str, Form()]) -> Response:
    """Archive a habit with its log and points, or restore it."""
    services = get_state(request).services
    snapshot = await habits.get_habit(services, principal, habit_id)
    fields = HabitInput(archived=snapshot.habit.archived_on is None)
    saved = await habits.edit_habit(services, principal, habit_id, fields, expected=parse_form_version(version))
    name = saved.habit.name
    words = (
        gettext("%(name)s archived.", name=name)
        if saved.habit.archived_on
        else gettext("%(name)s restored.", name=name)
    )
    undo, again = address(habit_id, "archive"), {"version": str(saved.habit.version)}
    return redirect_with_message(request, PREFIX, words, undo=undo, fields=again)


@router.post("/{habit_id}/delete")
async def delete_habit(request: Request, habit_id: Id, principal: Writer) -> Response:
    """Delete a habit with its log, points and badges."""
    services = get_state(request).services
    snapshot = await habits.get_habit(services, principal, habit_id)
    await habits.delete_habit(services, principal, habit_id)
    return redirect_with_message(request, PREFIX, gettext("%(name)s deleted.", name=snapshot.habit.name))


async def _form_page(
    request: Request,
    form: HabitForm,
    errors: dict[str, str] | None = None,
    *,
    habit: Habit | None = None,
    effect: RuleEffect | None = None,
    conflict: EditConflict | None = None,
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
        conflict=conflict,
        kinds=SCHEDULE_OPTIONS,
        goals=GOAL_OPTIONS,
        weekdays=[(str(number), name) for number, name in enumerate(WEEKDAYS)],
    )


def _new_rule(form: HabitForm, habit: Habit, today: date) -> HabitRule | None:
    """The rule of the form; None if it equals the current one."""
    schedule, goal = form.to_schedule(), form.to_goal()
    if (schedule, goal) == (habit.rule.schedule, habit.rule.goal):
        return None
    return HabitRule(parse_form_day(form.since, "since") or today, schedule, goal)


def _parse_choice(text: str, options: tuple[tuple[ChoiceKey, str], ...], field: str) -> ChoiceKey:
    for key, _ in options:
        if key == text:
            return key
    raise FieldErrors({field: gettext("Choose an option from the list.")})


def _parse_int(text: str) -> int:
    if not text.strip().isdecimal() or len(text) > 4:
        raise FieldErrors({"number": gettext("Use a whole number such as 3.")})
    return int(text)


def _parse_decimal(text: str) -> Decimal:
    try:
        return Decimal(text.strip().replace(",", "."))
    except InvalidOperation:
        raise FieldErrors({"target": gettext("Use a number such as 20.")}) from None


def _parse_time(text: str) -> time | None:
    if not text:
        return None
    try:
        return time.fromisoformat(text)
    except ValueError:
        raise FieldErrors({"remind_at": gettext("Use a time such as 07:30.")}) from None
