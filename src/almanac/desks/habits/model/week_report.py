"""The weekly report, computed from histories: days asked and kept, streaks, strength and points.

A span longer than the week, such as a month, is judged in the week in which it ends. Until then only what was done
for it counts as asked and kept, so that nobody reads on the third that a month was missed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import NamedTuple

from almanac.desks.habits.model.explanation import DayEffect, explain_days
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitHistory
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.model.stats import HabitStats, JudgedSpan, compute_stats
from almanac.kit.messages import day_text, gettext

CHARTED_WEEKS = 12
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitWeek:
    """One habit in a week, with streak and strength at its end. `at_risk` means the streak ends today without an
    entry."""

    habit_id: str
    name: str
    rule: str
    kept: int
    asked: int
    days: tuple[DayEffect, ...]
    streak: int
    streak_words: str
    strength: float
    points: int
    at_risk: bool


@dataclass(frozen=True, slots=True)
class WeekStrength:
    """A person's average habit strength at the end of a week."""

    last_day: date
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekReport:
    """A person's week from Monday to Sunday. `strengths` covers twelve weeks, this one last."""

    person: str
    first: date
    last: date
    is_over: bool
    habits: tuple[HabitWeek, ...]
    points: int
    total_points: int
    strengths: tuple[WeekStrength, ...]

    @property
    def kept(self) -> int:
        return sum(habit.kept for habit in self.habits)

    @property
    def asked(self) -> int:
        return sum(habit.asked for habit in self.habits)

    @property
    def kept_by_day(self) -> list[tuple[str, int]]:
        """How many habits counted on each weekday."""
        return [(name, sum(habit.days[day] == "counts" for habit in self.habits)) for day, name in enumerate(WEEKDAYS)]

    @property
    def title(self) -> str:
        """Such as `23 February to 1 March 2026`; with both years if they differ."""
        if self.first.year != self.last.year:
            return gettext("%(first)s to %(last)s", first=self.first, last=self.last)
        first, last = day_text(self.first, "first_of_span"), day_text(self.last, "last_of_span")
        return gettext("%(first)s to %(last)s", first=first, last=last)


def monday_of(day: date) -> date:
    """The Monday of the week that contains a day."""
    return day - timedelta(days=day.weekday())


def build_week_report(
    person: str, snapshots: Iterable[tuple[Habit, HabitHistory, HabitStats]], first: date, today: date
) -> WeekReport:
    """The report of the week that starts on Monday `first`: as of its end, or as of today while it lasts.

    Each habit comes with its history and its stats today.
    """
    last = first + _WEEK - _DAY
    judged_on = min(today, last + _DAY)
    lines = [(snapshot, _PastStats.of(snapshot[1], last, judged_on)) for snapshot in snapshots]
    active = [(snapshot, past) for snapshot, past in lines if _was_active(past.history, first, last)]
    weeks = tuple(_habit_week(habit, now, past, first) for (habit, _, now), past in active)
    return WeekReport(
        person=person,
        first=first,
        last=last,
        is_over=today > last,
        habits=weeks,
        points=sum(week.points for week in weeks),
        total_points=sum(past.stats.points for _, past in lines if past.history.first_day <= last),
        strengths=_weekly_strengths([past for _, past in active], last),
    )


class _PastStats(NamedTuple):
    """A history without entries after a week, which belong to later reports, and its stats."""

    history: HabitHistory
    stats: HabitStats

    @classmethod
    def of(cls, history: HabitHistory, last: date, judged_on: date) -> "_PastStats":
        past = replace(history, log={day: amount for day, amount in history.log.items() if day <= last})
        return cls(past, compute_stats(past, judged_on))


def _was_active(history: HabitHistory, first: date, last: date) -> bool:
    return history.first_day <= last and (history.last_day is None or history.last_day >= first)


def _habit_week(habit: Habit, now: HabitStats, past: _PastStats, first: date) -> HabitWeek:
    last, stats = first + _WEEK - _DAY, past.stats
    reasons = {reason.day: reason for reason in explain_days(past.history, stats, first, last)}
    days = [first + timedelta(days=number) for number in range(_WEEK.days)]
    kept, asked = _kept_and_asked(stats, first, last)
    return HabitWeek(
        habit_id=habit.id,
        name=habit.name,
        rule=past.history.rule_on(last).label,
        kept=kept,
        asked=asked,
        days=tuple(reasons[day].effect if day in reasons else "nothing" for day in days),
        streak=stats.current_streak,
        streak_words=habit.streak_words(stats.current_streak),
        strength=stats.strength,
        points=sum(reason.points for reason in reasons.values()),
        at_risk=now.at_risk and now.current_streak > 0,
    )


def _kept_and_asked(stats: HabitStats, first: date, last: date) -> tuple[int, int]:
    begin, end = first.toordinal(), last.toordinal()
    shares = [_share(stats, span, begin, end) for span in stats.judged if span.first <= end and span.last >= begin]
    return sum(kept for kept, _ in shares), sum(asked for _, asked in shares)


def _share(stats: HabitStats, span: JudgedSpan, begin: int, end: int) -> tuple[int, int]:
    """How many days of a span were kept in the week, and how many it asked of the week."""
    done = [day for day in range(span.first, min(span.last, end) + 1) if day in stats.kept_days][: span.asked]
    kept = sum(1 for day in done if day >= begin)
    if span.last > end:
        return kept, kept
    required = span.asked if span.state == "kept" else span.needed
    return kept, max(kept, required - (len(done) - kept))


def _weekly_strengths(pasts: Sequence[_PastStats], last: date) -> tuple[WeekStrength, ...]:
    """The average strength at the end of each charted week, over the habits that existed then."""
    curves = [(past.history.first_day, past.stats.curve) for past in pasts]
    strengths = []
    for weeks_ago in range(CHARTED_WEEKS - 1, -1, -1):
        day = last - weeks_ago * _WEEK
        scores = [curve[min((day - start).days, len(curve) - 1)] for start, curve in curves if curve and start <= day]
        if scores:
            strengths.append(WeekStrength(day, sum(scores) / len(scores)))
    return tuple(strengths)
