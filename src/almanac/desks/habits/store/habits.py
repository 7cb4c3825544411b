"""Habits with their rules and reminders."""

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal

from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.habit import Habit, HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.model.stats import HabitStats
from almanac.relational import ReadTransaction, Row, Unit, load_queries

QUERIES = load_queries(__package__)


async def insert_habit(
    unit: Unit,
    habit_id: str,
    owner_id: str,
    fields: HabitInput,
    *,
    now: datetime,
    archived_on: date | None = None,
    extras: Mapping[str, str] | None = None,
) -> None:
    values = {
        "id": habit_id,
        "owner_id": owner_id,
        "name": fields.name,
        "description": fields.description or "",
        "tags": list(fields.tags or ()),
        "group": fields.group or "",
        "position": fields.position,
        "remind_at": fields.remind_at,
        "archived_on": archived_on,
        "extras": dict(extras or {}),
        "now": now,
    }
    await unit.execute(QUERIES["insert_habit"], values)


async def write_rules(unit: Unit, habit_id: str, rules: Sequence[HabitRule]) -> None:
    """Replace all rules of a habit."""
    await unit.execute(QUERIES["delete_rules"], {"habit_id": habit_id})
    for rule in rules:
        values = {
            "habit_id": habit_id,
            "since": rule.since,
            "schedule": encode_schedule(rule.schedule),
            "goal": encode_goal(rule.goal),
        }
        await unit.execute(QUERIES["put_rule"], values)


async def find_habit(unit: ReadTransaction, habit_id: str) -> Habit | None:
    row = await unit.one(QUERIES["find_habit"], {"id": habit_id})
    return (await _with_rules(unit, [row]))[0] if row else None


async def list_habits(unit: ReadTransaction, owner_id: str, *, archived: bool) -> list[Habit]:
    rows = await unit.all(QUERIES["list_habits"], {"owner_id": owner_id, "archived": archived})
    return await _with_rules(unit, rows)


async def list_all_habits(unit: Unit, *, after: str, limit: int) -> list[Habit]:
    return await _with_rules(unit, await unit.all(QUERIES["list_all_habits"], {"after": after, "limit": limit}))


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


async def update_stats(unit: Unit, habit_id: str, stats: HabitStats) -> None:
    values = {
        "id": habit_id,
        "points": stats.points,
        "current_streak": stats.current_streak,
        "best_streak": stats.best_streak,
        "strength": stats.strength,
        "last_completed": stats.last_completed,
        "stands_until": stats.stands_until,
    }
    await unit.execute(QUERIES["update_stats"], values)


async def delete_habit(unit: Unit, habit_id: str) -> None:
    await unit.execute(QUERIES["delete_habit"], {"id": habit_id})


async def list_due_reminders(unit: Unit, *, after: str, since: datetime, limit: int) -> list[tuple[str, str]]:
    """Habits that may be due for a reminder, as (habit id, owner id)."""
    rows = await unit.all(QUERIES["list_due_reminders"], {"after": after, "since": since, "limit": limit})
    return [(row["id"], row["owner_id"]) for row in rows]


async def add_reminder(unit: Unit, habit_id: str, day: date, now: datetime) -> bool:
    """Record a reminder for a day; false if there was one already."""
    return bool(await unit.execute(QUERIES["add_reminder"], {"habit_id": habit_id, "day": day, "now": now}))


async def _with_rules(unit: ReadTransaction, rows: Sequence[Row]) -> list[Habit]:
    rule_rows = await unit.all(QUERIES["list_rules"], {"ids": [row["id"] for row in rows]}) if rows else []
    rules: dict[str, list[HabitRule]] = {row["id"]: [] for row in rows}
    for row in rule_rows:
        rules[row["habit_id"]].append(
            HabitRule(row["since"], decode_schedule(row["schedule"]), decode_goal(row["goal"]))
        )
    return [_habit(row, rules[row["id"]]) for row in rows]


def _habit(row: Row, rules: Sequence[HabitRule]) -> Habit:
    fields = {name: value for name, value in row.items() if name not in ("tags", "habit_group")}
    return Habit(**fields, tags=tuple(row["tags"]), group=row["habit_group"], rules=tuple(rules))


def encode_schedule(schedule: HabitSchedule) -> dict[str, object]:
    """A schedule as stored in PostgreSQL and written to exports."""
    stored: dict[str, object] = {"kind": schedule.kind}
    if schedule.kind in ("per_week", "per_month"):
        stored["times"] = schedule.times
    if schedule.kind == "every_days":
        stored["every"] = schedule.every
    if schedule.kind == "weekdays":
        stored["weekdays"] = list(schedule.weekdays)
    return stored


def decode_schedule(stored: Row) -> HabitSchedule:
    return HabitSchedule(
        kind=stored["kind"],
        times=stored.get("times", 1),
        every=stored.get("every", 1),
        weekdays=tuple(stored.get("weekdays", ())),
    )


def encode_goal(goal: Goal) -> dict[str, object]:
    """A goal as stored and exported. Amounts are text, so that none is rounded."""
    stored: dict[str, object] = {"kind": goal.kind}
    if goal.kind in ("at_least", "times", "at_most"):
        stored["target"] = f"{goal.target.normalize():f}"
    if goal.unit:
        stored["unit"] = goal.unit
    return stored


def decode_goal(stored: Row) -> Goal:
    return Goal(kind=stored["kind"], target=Decimal(str(stored.get("target", 1))), unit=stored.get("unit", ""))
