"""What a person has reached: dashboard, achievements, ledger, explained streaks and the weekly report."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.model.explanation import DayReason, explain_days
from almanac.desks.habits.model.week_report import WeekReport
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.pipeline.weekly_report import report_week
from almanac.desks.habits.service.access import EARLIEST_DAY, find_owner, require_past_day
from almanac.desks.habits.service.habits import get_habit, list_habits
from almanac.desks.habits.store import items, rewards
from almanac.desks.habits.store.rewards import LedgerLine
from almanac.desks.habits.store.table import Achievement, Streak
from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.services import Services

EXPLAINED_DAYS, MOST_EXPLAINED = 30, 3700


@dataclass(frozen=True, slots=True, kw_only=True)
class DashboardView:
    """A person's points, streaks and achievements. Streaks that have ended by today are 0."""

    username: str
    total_points: int
    streaks: Sequence[Streak]
    achievements: Sequence[Achievement]


@dataclass(frozen=True, slots=True)
class ExplainedStreak:
    """A habit with the reasons of a range of days."""

    snapshot: HabitSnapshot
    days: Sequence[DayReason]


async def get_dashboard(services: Services, principal: Principal) -> DashboardView:
    """The principal's dashboard, read from the table in one query."""
    dashboard = await items.read_dashboard(services.tables, principal.user_id)
    today = services.clock.now().date()
    return DashboardView(
        username=principal.name,
        total_points=dashboard.stats.total_points if dashboard and dashboard.stats else 0,
        streaks=[_expire_streak(streak, today) for streak in dashboard.streaks] if dashboard else [],
        achievements=dashboard.achievements if dashboard else [],
    )


def _expire_streak(streak: Streak, today: date) -> Streak:
    # In some time zone yesterday may not be over: a streak has ended only when it has in all of them.
    if streak.stands_until is not None and today > streak.stands_until + timedelta(days=1):
        streak.current_streak = 0
    return streak


async def list_achievements(services: Services, principal: Principal) -> Sequence[Achievement]:
    """The principal's achievements, latest first."""
    dashboard = await items.read_dashboard(services.tables, principal.user_id)
    return sorted(dashboard.achievements, key=lambda item: item.unlocked_at, reverse=True) if dashboard else []


async def list_ledger(
    services: Services, principal: Principal, *, habit_id: str | None = None, cursor: str | None = None, limit: int = 50
) -> Page[LedgerLine]:
    """A page of all changes of the principal's points, latest first."""
    of, key = f"habit ledger {principal.user_id} {habit_id}", services.key("cursors")
    before = decode_cursor(cursor, of=of, key=key)[0] if cursor else None
    async with services.database.reading() as reading:
        lines = await rewards.list_ledger(
            reading,
            principal.user_id,
            habit_id=habit_id,
            before=None if before is None else int(before),
            limit=limit + 1,
        )
    shown = lines[:limit]
    return Page(shown, encode_cursor([shown[-1].id], of=of, key=key) if len(lines) > limit else None)


async def explain_streak(
    services: Services, principal: Principal, habit_id: str, *, first: date | None = None, last: date | None = None
) -> ExplainedStreak:
    """For each day, the rule that made it count, protect or break; by default the last thirty days."""
    snapshot = await get_habit(services, principal, habit_id)
    today = snapshot.stats.today
    last = max(min(last or today, today), EARLIEST_DAY)
    first = first or last - timedelta(days=EXPLAINED_DAYS - 1)
    if first > last or (last - first).days > MOST_EXPLAINED:
        raise FieldErrors({"first": gettext("Choose a first day at most ten years before the last one.")})
    return ExplainedStreak(snapshot, explain_days(snapshot.history, snapshot.stats, first, last))


async def get_week_report(services: Services, principal: Principal, day: date | None = None) -> WeekReport:
    """The report of the week that contains a day; without one, of the last full week."""
    async with services.database.reading() as reading:
        owner = await find_owner(services, reading, principal)
    day = require_past_day(owner, day) if day else owner.today - timedelta(weeks=1)
    return report_week(principal.name, await list_habits(services, principal, archived=True), day, owner.today)
