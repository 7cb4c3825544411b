"""Today's list: every habit with one tap, its last week, and what is at risk."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.desks.habits.model.explanation import DayEffect, explain_days
from almanac.desks.habits.pages.layout import PREFIX, Reader, desk_page
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.desks.habits.service.habits import list_habits
from almanac.http.app_state import get_state
from almanac.kit.messages import day_text, gettext, pgettext

router = APIRouter(prefix=PREFIX)
DAYS_SHOWN = 7
EFFECT_LABELS: dict[DayEffect, str] = {
    "counts": pgettext("day of a habit", "done"),
    "protects": pgettext("day of a habit", "protected"),
    "breaks": pgettext("day of a habit", "missed"),
    "open": pgettext("day of a habit", "open"),
    "nothing": pgettext("day of a habit", "not due"),
}


@dataclass(frozen=True, slots=True)
class DayMark:
    """One day of the last week, as a mark in the row."""

    day: date
    effect: DayEffect
    sentence: str

    @property
    def words(self) -> str:
        return EFFECT_LABELS[self.effect]

    @property
    def date(self) -> str:
        """Such as `Monday 2 March`."""
        return day_text(self.day, "full")


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitRow:
    """A habit in today's list."""

    snapshot: HabitSnapshot
    week: list[DayMark]
    amount: Decimal | None

    @property
    def id(self) -> str:
        return self.snapshot.habit.id

    @property
    def today(self) -> date:
        return self.snapshot.stats.today

    @property
    def is_done(self) -> bool:
        """Whether today's goal was entered."""
        return self.amount is not None and self.today.toordinal() in self.snapshot.stats.kept_days

    @property
    def is_at_risk(self) -> bool:
        """Whether a streak ends today without an entry."""
        return _is_at_risk(self.snapshot)

    @property
    def is_skipped(self) -> bool:
        return self.today in self.snapshot.history.skips

    @property
    def has_amount(self) -> bool:
        return self.snapshot.habit.rule.goal.kind in ("at_least", "times", "at_most")

    @property
    def is_kept_without_entry(self) -> bool:
        """Whether entering nothing keeps the habit."""
        return self.snapshot.habit.rule.goal.is_limit


def build_row(snapshot: HabitSnapshot) -> HabitRow:
    """The row of a habit, with its last seven days."""
    today = snapshot.stats.today
    reasons = {
        reason.day: reason
        for reason in explain_days(snapshot.history, snapshot.stats, today - timedelta(days=DAYS_SHOWN - 1), today)
    }
    week = []
    for ago in range(DAYS_SHOWN - 1, -1, -1):
        day = today - timedelta(days=ago)
        reason = reasons.get(day)
        week.append(
            DayMark(
                day,
                reason.effect if reason else "nothing",
                reason.sentence if reason else gettext("Before its first day."),
            )
        )
    return HabitRow(snapshot=snapshot, week=week, amount=snapshot.history.log.get(today))


@dataclass(frozen=True, slots=True, kw_only=True)
class TodaySummary:
    """The line above today's list."""

    open: int
    at_risk: int
    points: int
    best: str


def summarize(snapshots: list[HabitSnapshot]) -> TodaySummary:
    """What is left to do today and what was earned; `best` is empty without a streak."""
    longest = max(snapshots, key=lambda snapshot: snapshot.stats.current_streak, default=None)
    streak = longest.stats.current_streak if longest else 0
    return TodaySummary(
        open=sum(snapshot.stats.due_today for snapshot in snapshots),
        at_risk=sum(_is_at_risk(snapshot) for snapshot in snapshots),
        points=sum(snapshot.habit.points for snapshot in snapshots),
        best=longest.habit.streak_words(streak) if longest and streak else "",
    )


def _is_at_risk(snapshot: HabitSnapshot) -> bool:
    return snapshot.stats.at_risk and snapshot.stats.current_streak > 0


def group_rows(rows: list[HabitRow]) -> list[tuple[str, list[HabitRow]]]:
    """Rows by group, in the order of each group's first row."""
    groups: dict[str, list[HabitRow]] = {}
    for row in rows:
        groups.setdefault(row.snapshot.habit.group, []).append(row)
    return list(groups.items())


@router.get("")
async def show_today(request: Request, principal: Reader, archived: bool = False) -> Response:
    """The principal's habits with what is due today, or the archived ones."""
    snapshots = await list_habits(get_state(request).services, principal, archived=archived)
    rows = [build_row(snapshot) for snapshot in snapshots if (snapshot.habit.archived_on is not None) == archived]
    return await desk_page(
        request,
        "today",
        "today",
        groups=group_rows(rows),
        archived=archived,
        summary=summarize(snapshots),
        message="",
    )
