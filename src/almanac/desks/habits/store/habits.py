"""Habits with their rules: added, found, edited and removed."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.habit import Habit, HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.model.stats import HabitStats
from almanac.relational import Row, Unit, load_queries

QUERIES = load_queries(__package__)


async def insert_habit(
    unit: Unit,
    habit_id: str,
    owner_id: str,
    wish: HabitInput,
    *,
    now: datetime,
    archived_on: date | None = None,
    extras: Mapping[str, str] | None = None,
) -> None:
    values = {
        "id": habit_id,
        "owner_id": owner_id,
        "name": wish.name,
        "description": wish.description or "",
        "tags": list(wish.tags or ()),
        "group": wish.group or "",
        "position": wish.position,
        "remind_at": wish.remind_at,
        "archived_on": archived_on,
        "extras": dict(extras or {}),
        "now": now,
    }
    await unit.execute(QUERIES["insert_habit"], values)


async def write_rules(unit: Unit, habit_id: str, rules: Sequence[HabitRule]) -> None:
    """Put these in place of all rules there are."""
    await unit.execute(QUERIES["delete_rules"], {"habit_id": habit_id})
    for rule in rules:
        values = {
            "habit_id": habit_id,
            "since": rule.since,
            "schedule": encode_schedule(rule.schedule),
            "goal": encode_goal(rule.goal),
        }
        await unit.execute(QUERIES["put_rule"], values)


async def find_habit(unit: Unit, habit_id: str) -> Habit | None:
    row = await unit.one(QUERIES["find_habit"], {"id": habit_id})
    return (await _with_rules(unit, [row]))[0] if row else None


async def list_habits(unit: Unit, owner_id: str, *, archived: bool) -> list[Habit]:
    rows = await unit.all(QUERIES["list_habits"], {"owner_id": owner_id, "archived": archived})
    return await _with_rules(unit, rows)


async def list_all_habits(unit: Unit, *, after: str, limit: int) -> list[Habit]:
    return await _with_rules(unit, await unit.all(QUERIES["list_indexed"], {"after": after, "limit": limit}))


async def count_habits(unit: Unit) -> int:
    return int(await unit.value(QUERIES["count_habits"]) or 0)


async def update_habit(unit: Unit, habit: Habit, now: datetime) -> None:
    values = {
        "id": habit.id,
        "name": habit.name,
        "description": habit.description,
        "tags": list(habit.tags),
        "group": habit.group,
        "position": habit.position,
        "remind_at": habit.remind_at,
        "archived_on": habit.archived_on,
        "now": now,
    }
    await unit.execute(QUERIES["update_habit"], values)


async def raise_version(unit: Unit, habit_id: str, now: datetime) -> None:
    await unit.execute(QUERIES["raise_version"], {"id": habit_id, "now": now})


async def update_stats(unit: Unit, habit_id: str, found: HabitStats) -> None:
    values = {
        "id": habit_id,
        "points": found.points,
        "current_streak": found.current_streak,
        "best_streak": found.best_streak,
        "strength": found.strength,
        "last_completed": found.last_completed,
        "stands_until": found.stands_until,
    }
    await unit.execute(QUERIES["update_standing"], values)


async def delete_habit(unit: Unit, habit_id: str) -> None:
    await unit.execute(QUERIES["delete_habit"], {"id": habit_id})


async def list_due_reminders(unit: Unit, *, after: str, since: datetime, limit: int) -> list[tuple[str, str]]:
    """Ids of habits and of their owners."""
    rows = await unit.all(QUERIES["list_to_remind"], {"after": after, "since": since, "limit": limit})
    return [(row["id"], row["owner_id"]) for row in rows]


async def add_reminder(unit: Unit, habit_id: str, day: date, now: datetime) -> bool:
    """Whether there was none for this day."""
    return bool(await unit.execute(QUERIES["add_reminder"], {"habit_id": habit_id, "day": day, "now": now}))


async def _with_rules(unit: Unit, rows: Sequence[Row]) -> list[Habit]:
    found = await unit.all(QUERIES["list_rules"], {"ids": [row["id"] for row in rows]}) if rows else []
    rules: dict[str, list[HabitRule]] = {row["id"]: [] for row in rows}
    for row in found:
        rules[row["habit_id"]].append(
            HabitRule(row["since"], decode_schedule(row["schedule"]), decode_goal(row["goal"]))
        )
    return [_habit(row, rules[row["id"]]) for row in rows]


def _habit(row: Row, rules: Sequence[HabitRule]) -> Habit:
    fields = {name: value for name, value in row.items() if name not in ("tags", "habit_group")}
    return Habit(**fields, tags=tuple(row["tags"]), group=row["habit_group"], rules=tuple(rules))


def encode_schedule(schedule: HabitSchedule) -> dict[str, object]:
    """A schedule as it is stored and exported."""
    form: dict[str, object] = {"kind": schedule.kind}
    if schedule.kind in ("per_week", "per_month"):
        form["times"] = schedule.times
    if schedule.kind == "every_days":
        form["every"] = schedule.every
    if schedule.kind == "weekdays":
        form["weekdays"] = list(schedule.weekdays)
    return form


def decode_schedule(form: Row) -> HabitSchedule:
    return HabitSchedule(
        kind=form["kind"],
        times=form.get("times", 1),
        every=form.get("every", 1),
        weekdays=tuple(form.get("weekdays", ())),
    )


def encode_goal(goal: Goal) -> dict[str, object]:
    """A goal as it is stored and exported; amounts are text, so that none is rounded."""
    form: dict[str, object] = {"kind": goal.kind}
    if goal.kind in ("at_least", "times", "at_most"):
        form["target"] = f"{goal.target.normalize():f}"
    if goal.unit:
        form["unit"] = goal.unit
    return form


def decode_goal(form: Row) -> Goal:
    return Goal(kind=form["kind"], target=Decimal(str(form.get("target", 1))), unit=form.get("unit", ""))
