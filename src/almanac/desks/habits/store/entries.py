"""The log: completions, skips and notes by day, and the full history from which stats are computed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitHistory
from almanac.desks.habits.model.local_time import find_short_days
from almanac.desks.habits.store import people
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """The entry of a day and the points it earned. `late` means it was entered days afterwards."""

    day: date
    amount: Decimal
    points: int
    late: bool
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class RecordedHistory:
    """A habit's stored history, with the points that each entry has in the ledger."""

    history: HabitHistory
    completions: Sequence[Completion]


async def put_completion(unit: Unit, habit: Habit, day: date, amount: Decimal, *, late: bool, now: datetime) -> bool:
    """Insert or update an entry; false if the same amount was stored already."""
    values = {"habit_id": habit.id, "owner_id": habit.owner_id, "day": day, "amount": amount, "late": late, "now": now}
    return bool(await unit.execute(QUERIES["put_completion"], values))


async def put_completions(unit: Unit, habit: Habit, amounts: Mapping[date, Decimal], now: datetime) -> int:
    """Insert entries for many days; days that have one keep it. Returns how many are new."""
    values = {
        "habit_id": habit.id,
        "owner_id": habit.owner_id,
        "days": list(amounts),
        "amounts": list(amounts.values()),
        "now": now,
    }
    return await unit.execute(QUERIES["put_completions"], values)


async def delete_completion(unit: Unit, habit_id: str, day: date) -> int | None:
    """Delete an entry; returns the points it had earned, or None if there was none."""
    row = await unit.one(QUERIES["delete_completion"], {"habit_id": habit_id, "day": day})
    return int(row["points"]) if row else None


async def list_completions(unit: Unit, habit_id: str) -> list[Completion]:
    return await unit.all(QUERIES["list_completions"], {"habit_id": habit_id}, into=Completion)


async def set_entry_points(unit: Unit, habit_id: str, points: Mapping[date, int]) -> None:
    values = {"habit_id": habit_id, "days": list(points), "points": list(points.values())}
    await unit.execute(QUERIES["set_completion_points"], values)


async def put_skips(unit: Unit, habit_id: str, days: Sequence[date], now: datetime) -> int:
    """Skip days; returns how many were not skipped before."""
    return await unit.execute(QUERIES["put_skips"], {"habit_id": habit_id, "days": list(days), "now": now})


async def delete_skip(unit: Unit, habit_id: str, day: date) -> bool:
    return bool(await unit.execute(QUERIES["delete_skip"], {"habit_id": habit_id, "day": day}))


async def list_skips(unit: Unit, habit_id: str) -> list[date]:
    return (await _skips(unit, [habit_id]))[habit_id]


async def _skips(unit: ReadTransaction, habit_ids: Sequence[str]) -> dict[str, list[date]]:
    skips: dict[str, list[date]] = {habit_id: [] for habit_id in habit_ids}
    for row in await unit.all(QUERIES["list_skips"], {"habit_ids": list(habit_ids)}):
        skips[row["habit_id"]].append(row["day"])
    return skips


async def put_note(unit: Unit, habit_id: str, day: date, note: str, now: datetime) -> None:
    """Write a note; empty text deletes it."""
    values = {"habit_id": habit_id, "day": day, "note": note, "now": now}
    await unit.execute(QUERIES["put_note" if note else "delete_note"], values)


async def list_notes(unit: ReadTransaction, habit_id: str) -> dict[date, str]:
    return {row["day"]: row["note"] for row in await unit.all(QUERIES["list_notes"], {"habit_id": habit_id})}


async def read_history(unit: Unit, habit: Habit) -> RecordedHistory:
    """The full history of a habit, with no time limit: a streak of ten years needs ten years."""
    completions = await list_completions(unit, habit.id)
    log = {entry.day: entry.amount for entry in completions}
    return RecordedHistory((await _with_days_off(unit, [habit], {habit.id: log}))[0], completions)


async def read_histories(unit: ReadTransaction, habits: Sequence[Habit]) -> list[HabitHistory]:
    """The histories of several habits of one person, in their order, with as many queries as for one."""
    return await _with_days_off(unit, habits, await _logs(unit, [habit.id for habit in habits])) if habits else []


async def _with_days_off(
    unit: ReadTransaction, habits: Sequence[Habit], logs: Mapping[str, Mapping[date, Decimal]]
) -> list[HabitHistory]:
    owner_id, skips = habits[0].owner_id, await _skips(unit, [habit.id for habit in habits])
    vacations = [vacation.days for vacation in await people.list_vacations(unit, owner_id)]
    rest_days = frozenset(await people.list_rest_days(unit, owner_id))
    travel = find_short_days(await people.list_time_zones(unit, owner_id))
    return [
        HabitHistory(
            rules=habit.rules,
            log=logs.get(habit.id, {}),
            skips=frozenset(skips[habit.id]),
            vacations=vacations,
            rest_days=rest_days,
            travel=travel,
            archived_on=habit.archived_on,
        )
        for habit in habits
    ]


async def _logs(unit: ReadTransaction, habit_ids: Sequence[str]) -> dict[str, dict[date, Decimal]]:
    """The amounts by day of every habit that has an entry."""
    rows = await unit.all(QUERIES["list_logs"], {"habit_ids": list(habit_ids)})
    return {row["habit_id"]: dict(zip(map(date.fromordinal, row["days"]), row["amounts"], strict=True)) for row in rows}
