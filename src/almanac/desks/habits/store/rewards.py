"""Points and badges as they are recorded: the ledger with its reasons, achievements, and boards over some days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.habits.model.habit import Habit
from almanac.relational import Reading, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A change of points: how many, for which day of which habit, why and when."""

    id: int
    habit_id: str | None
    habit_name: str
    day: date
    points: int
    reason: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class PointsChange:
    """A change of points before it is entered."""

    day: date
    points: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedMilestone:
    """A milestone that a habit has reached."""

    milestone: int
    reached_on: date
    unlocked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """What somebody earned in some days, and how much of it was entered late."""

    user_id: str
    username: str
    listed: bool
    points: int
    late_points: int


async def add_ledger_lines(
    unit: Unit, habit: Habit, changes: Sequence[PointsChange], *, event_id: str, now: datetime
) -> None:
    values = {
        "owner_id": habit.owner_id,
        "habit_id": habit.id,
        "habit_name": habit.name,
        "event_id": event_id,
        "now": now,
        "days": [one.day for one in changes],
        "points": [one.points for one in changes],
        "reasons": [one.reason for one in changes],
    }
    await unit.execute(QUERIES["add_ledger_lines"], values)


async def list_ledger(
    unit: Unit, owner_id: str, *, habit_id: str | None, before: int | None, limit: int
) -> list[LedgerLine]:
    values = {"owner_id": owner_id, "habit_id": habit_id, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_ledger"], values, into=LedgerLine)


async def sum_ledger_by_habit(unit: Unit, owner_id: str) -> dict[str | None, int]:
    """What the ledger adds up to by habit; None stands for habits that are gone."""
    rows = await unit.all(QUERIES["ledger_sums"], {"owner_id": owner_id})
    return {row["habit_id"]: row["points"] for row in rows}


async def put_achievement(unit: Unit, habit_id: str, milestone: int, reached_on: date, now: datetime) -> None:
    values = {"habit_id": habit_id, "milestone": milestone, "reached_on": reached_on, "now": now}
    await unit.execute(QUERIES["put_achievement"], values)


async def delete_achievement(unit: Unit, habit_id: str, milestone: int) -> None:
    await unit.execute(QUERIES["delete_achievement"], {"habit_id": habit_id, "milestone": milestone})


async def list_achievements(unit: Unit, habit_id: str) -> list[ReachedMilestone]:
    return await unit.all(QUERIES["list_achievements"], {"habit_id": habit_id}, into=ReachedMilestone)


async def list_top_earners(
    unit: Unit, first_day: date, last_day: date, *, group_id: str | None, limit: int
) -> list[LeaderboardRow]:
    values = {"first_day": first_day, "last_day": last_day, "group_id": group_id, "limit": limit}
    return await unit.all(QUERIES["board"], values, into=LeaderboardRow)


async def sum_late_points(reading: Reading, owner_ids: Sequence[str]) -> dict[str, int]:
    rows = await reading.all(QUERIES["late_points"], {"owner_ids": list(owner_ids)})
    return {row["owner_id"]: row["late_points"] for row in rows}
