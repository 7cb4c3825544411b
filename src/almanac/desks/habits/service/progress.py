"""What it adds up to: the dashboard in one query, achievements, the ledger, and the reason of every day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.model.explanation import DayReason, explain_days
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pipeline.settlement import HabitSnapshot, load_snapshot
from almanac.desks.habits.pipeline.weekly_report import collect_week_report
from almanac.desks.habits.service.access import EARLIEST_DAY, find_owner, require_own_habit, require_past_day
from almanac.desks.habits.store import items, rewards
from almanac.desks.habits.store.rewards import LedgerLine
from almanac.desks.habits.store.table import Achievement, Streak
from almanac.errors import FieldErrors
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.services import Services

EXPLAINED_DAYS, MOST_EXPLAINED = 30, 3700


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardView:
    """A person's points, streaks and achievements; streaks that are over by today count none."""

    username: str
    total_points: int
    streaks: Sequence[Streak]
    achievements: Sequence[Achievement]


@dataclass(frozen=True, slots=True)
class ExplainedStreak:
    """A habit with the reasons of some days."""

    snapshot: HabitSnapshot
    days: Sequence[DayReason]


async def get_dashboard(services: Services, principal: Principal) -> DashboardView:
    """Everything about oneself, by one query to the table."""
    found = await items.read_dashboard(services.tables, principal.user_id)
    today = services.clock.now().date()
    return DashboardView(
        username=principal.name,
        total_points=found.stats.total_points if found and found.stats else 0,
        streaks=[_standing_streak(one, today) for one in found.streaks] if found else [],
        achievements=found.achievements if found else [],
    )


def _standing_streak(streak: Streak, today: date) -> Streak:
    # Somewhere on earth the day before may not be over: a streak is called broken only when it is so everywhere.
    if streak.stands_until is not None and today > streak.stands_until + timedelta(days=1):
        streak.current_streak = 0
    return streak


async def list_achievements(services: Services, principal: Principal) -> Sequence[Achievement]:
    """One's achievements, the latest first."""
    found = await items.read_dashboard(services.tables, principal.user_id)
    return sorted(found.achievements, key=lambda one: one.unlocked_at, reverse=True) if found else []


async def list_ledger(
    services: Services, principal: Principal, *, habit_id: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[LedgerLine]:
    """Every change of one's points with its reason, the latest first."""
    of, key = f"habit ledger {principal.user_id} {habit_id}", services.key("cursors")
    before = decode_cursor(cursor, of=of, key=key)[0] if cursor else None
    async with services.database.unit() as unit:
        lines = await rewards.list_ledger(
            unit, principal.user_id, habit_id=habit_id, before=None if before is None else int(before), limit=limit + 1
        )
    shown = lines[:limit]
    return Page(shown, encode_cursor([shown[-1].id], of=of, key=key) if len(lines) > limit else None)


async def explain_streak(
    services: Services, principal: Principal, habit_id: str, *, first: date | None = None, last: date | None = None
) -> ExplainedStreak:
    """For each day, which rule made it count, protect or break; the last thirty days unless asked for others."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        habit = await require_own_habit(unit, owner, habit_id)
        snapshot = await load_snapshot(unit, habit, owner.today)
    last = max(min(last or owner.today, owner.today), EARLIEST_DAY)
    first = first or last - timedelta(days=EXPLAINED_DAYS - 1)
    if first > last or (last - first).days > MOST_EXPLAINED:
        raise FieldErrors({"first": "Choose a first day before the last one, at most ten years earlier."})
    return ExplainedStreak(snapshot, explain_days(snapshot.history, snapshot.stats, first, last))


async def get_week_report(services: Services, principal: Principal, day: date | None = None) -> WeekReport:
    """The report of the week that contains a day; without one, of the last full week."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        day = require_past_day(owner, day) if day else owner.today - timedelta(weeks=1)
        return await collect_week_report(unit, owner, principal.name, day)
