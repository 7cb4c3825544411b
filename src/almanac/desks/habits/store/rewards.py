"""Points and badges: the ledger, reached milestones, and points earned over a range of days."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from almanac.desks.habits.model.habit import Habit
from almanac.relational import ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerLine:
    """A recorded change of points, with its reason."""

    id: int
    habit_id: str | None
    habit_name: str
    day: date
    points: int
    reason: str
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class PointsChange:
    """A change of points that is not recorded yet."""

    day: date
    points: int
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReachedMilestone:
    """A milestone that a habit's streak reached."""

    milestone: int
    reached_on: date
    unlocked_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardRow:
    """The points a person earned in a range of days, and how many of them were entered late."""

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
        "days": [change.day for change in changes],
        "points": [change.points for change in changes],
        "reasons": [change.reason for change in changes],
    }
    await unit.execute(QUERIES["add_ledger_lines"], values)


async def list_ledger(
    unit: ReadTransaction, owner_id: str, *, habit_id: str | None, before: int | None, limit: int
) -> list[LedgerLine]:
    values = {"owner_id": owner_id, "habit_id": habit_id, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_ledger"], values, into=LedgerLine)


async def sum_ledger_by_habit(unit: Unit, owner_id: str) -> dict[str | None, int]:
    """Ledger totals by habit id; None stands for deleted habits."""
    rows = await unit.all(QUERIES["sum_ledger_by_habit"], {"owner_id": owner_id})
    return {row["habit_id"]: row["points"] for row in rows}


async def put_achievement(unit: Unit, habit_id: str, milestone: int, reached_on: date, now: datetime) -> None:
    values = {"habit_id": habit_id, "milestone": milestone, "reached_on": reached_on, "now": now}
    await unit.execute(QUERIES["put_achievement"], values)


async def delete_achievement(unit: Unit, habit_id: str, milestone: int) -> None:
    await unit.execute(QUERIES["delete_achievement"], {"habit_id": habit_id, "milestone": milestone})


async def list_achievements(unit: Unit, habit_id: str) -> list[ReachedMilestone]:
    return await unit.all(QUERIES["list_achievements"], {"habit_id": habit_id}, into=ReachedMilestone)


async def list_top_earners(
    unit: ReadTransaction, first_day: date, last_day: date, *, group_id: str | None, limit: int
) -> list[LeaderboardRow]:
    values = {"first_day": first_day, "last_day": last_day, "group_id": group_id, "limit": limit}
    return await unit.all(QUERIES["list_top_earners"], values, into=LeaderboardRow)


async def sum_late_points(reading: ReadTransaction, owner_ids: Sequence[str]) -> dict[str, int]:
    rows = await reading.all(QUERIES["sum_late_points"], {"owner_ids": list(owner_ids)})
    return {row["owner_id"]: row["late_points"] for row in rows}
