"""What a week came to, as a pure result of histories: what was asked and kept, streaks, strength and points.

A span that reaches beyond the week, such as a month, asks for what is missing in the week in which it ends; until then
what was done for it counts as asked and kept, so nobody is told on the third that a month was missed.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from almanac.desks.habits.model.explanation import DayEffect, explain_days
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitHistory
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.model.stats import HabitStats, JudgedSpan, compute_stats

CHARTED_WEEKS = 12
_DAY, _WEEK = timedelta(days=1), timedelta(weeks=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitWeek:
    """One habit in a week. Streak and strength are those at its end; `at_risk` tells of a streak that ends today unless
    something is entered."""

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
    """How firm somebody's habits were on average at the end of a week."""

    last_day: date
    strength: float


@dataclass(frozen=True, slots=True, kw_only=True)
class WeekReport:
    """A person's week from Monday to Sunday. `strengths` reaches twelve weeks back, the week itself being the last."""

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
        return sum(one.kept for one in self.habits)

    @property
    def asked(self) -> int:
        return sum(one.asked for one in self.habits)

    @property
    def kept_by_day(self) -> list[tuple[str, int]]:
        """How many habits counted on each weekday."""
        return [(name, sum(one.days[place] == "counts" for one in self.habits)) for place, name in enumerate(WEEKDAYS)]

    @property
    def title(self) -> str:
        """As in `23 February to 1 March 2026`; both years where they differ."""
        begin = f"{self.first:%-d %B}" if self.first.year == self.last.year else f"{self.first:%-d %B %Y}"
        return f"{begin} to {self.last:%-d %B %Y}"


def monday_of(day: date) -> date:
    """The Monday of the week that a day is in."""
    return day - timedelta(days=day.weekday())


def build_week_report(person: str, known: Iterable[tuple[Habit, HabitHistory]], first: date, today: date) -> WeekReport:
    """The week that begins on a Monday, as it was when it ended, or as it is while it lasts."""
    last = first + _WEEK - _DAY
    lived = [(habit, whole, _until(whole, last)) for habit, whole in known]
    there = [one for one in lived if _was_there(one[2], first, last)]
    told = tuple(_habit_week(habit, whole, past, first, today) for habit, whole, past in there)
    return WeekReport(
        person=person,
        first=first,
        last=last,
        is_over=today > last,
        habits=told,
        points=sum(one.points for one in told),
        total_points=sum(
            compute_stats(past, min(today, last + _DAY)).points for _, _, past in lived if _has_begun(past, last)
        ),
        strengths=_strengths([past for _, _, past in there], last, today),
    )


def _until(history: HabitHistory, last: date) -> HabitHistory:
    """What was known of a week once it was over: later entries belong to later reports."""
    return replace(history, log={day: amount for day, amount in history.log.items() if day <= last})


def _has_begun(history: HabitHistory, last: date) -> bool:
    return history.first_day <= last


def _was_there(history: HabitHistory, first: date, last: date) -> bool:
    return _has_begun(history, last) and (history.last_day is None or history.last_day >= first)


def _habit_week(habit: Habit, whole: HabitHistory, past: HabitHistory, first: date, today: date) -> HabitWeek:
    last = first + _WEEK - _DAY
    found, now = compute_stats(past, min(today, last + _DAY)), compute_stats(whole, today)
    reasons = {one.day: one for one in explain_days(past, found, first, last)}
    days = [first + timedelta(days=place) for place in range(_WEEK.days)]
    kept, asked = _kept_and_asked(found, first, last)
    rule = past.rule_on(last)
    return HabitWeek(
        habit_id=habit.id,
        name=habit.name,
        rule=rule.sentence,
        kept=kept,
        asked=asked,
        days=tuple(reasons[day].effect if day in reasons else "nothing" for day in days),
        streak=found.current_streak,
        streak_words=habit.streak_words(found.current_streak),
        strength=found.strength,
        points=sum(one.points for one in reasons.values()),
        at_risk=now.at_risk and now.current_streak > 0,
    )


def _kept_and_asked(found: HabitStats, first: date, last: date) -> tuple[int, int]:
    begin, end = first.toordinal(), last.toordinal()
    here = [_share(found, span, begin, end) for span in found.judged if span.first <= end and span.last >= begin]
    return sum(kept for kept, _ in here), sum(asked for _, asked in here)


def _share(found: HabitStats, span: JudgedSpan, begin: int, end: int) -> tuple[int, int]:
    """What of a span was kept in the week, and what it asked of it."""
    done = [day for day in range(span.first, min(span.last, end) + 1) if day in found.kept_days][: span.asked]
    kept = sum(1 for day in done if day >= begin)
    if span.last > end:
        return kept, kept
    wanted = span.asked if span.state == "kept" else span.needed
    return kept, max(kept, wanted - (len(done) - kept))


def _strengths(histories: Sequence[HabitHistory], last: date, today: date) -> tuple[WeekStrength, ...]:
    """The average of the habits that there were at the end of each week."""
    curves = [(one.first_day, compute_stats(one, min(today, last + _DAY)).curve) for one in histories]
    told = []
    for ago in range(CHARTED_WEEKS - 1, -1, -1):
        day = last - ago * _WEEK
        scores = [curve[min((day - start).days, len(curve) - 1)] for start, curve in curves if curve and start <= day]
        if scores:
            told.append(WeekStrength(day, sum(scores) / len(scores)))
    return tuple(told)
