"""Charts of a habit's year: calendar, strength, and rates by weekday and month."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from typing import NamedTuple

from almanac.desks.habits.model.explanation import DayEffect, list_effects
from almanac.desks.habits.model.schedule import WEEKDAYS, WEEKDAYS_SHORT
from almanac.desks.habits.pages.today import EFFECT_LABELS
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.http.charts import Chart, bar_chart, line_chart
from almanac.kit.messages import day_text, gettext, pgettext, spoken_language, translate

CALENDAR_WEEKS = 53
RUNS_SHOWN = 5
_WEEK = 7
_NO_ENTRY = pgettext("day of a habit", "no entry")


class CalendarCell(NamedTuple):
    """A day of the calendar; days before the habit's start have no effect."""

    day: date
    effect: DayEffect | None

    @property
    def kind(self) -> str:
        return self.effect or "none"

    @property
    def label(self) -> str:
        """The day and its effect, in the language that is being spoken."""
        return _cell_label(self.day, self.effect, spoken_language())


@lru_cache(maxsize=4096)
def _cell_label(day: date, effect: DayEffect | None, language: str) -> str:
    """Cached, since every page of a habit shows the same days of a year."""
    words = EFFECT_LABELS[effect] if effect else _NO_ENTRY
    return translate(gettext("%(day)s: %(effect)s", day=day_text(day, "full_date"), effect=words), language)


@dataclass(frozen=True, slots=True, kw_only=True)
class YearCalendar:
    """A row per weekday and a column per week; the last week contains today."""

    months: list[tuple[str, int]]
    rows: Sequence[tuple[str, str, list[CalendarCell | None]]]


def list_year_effects(snapshot: HabitSnapshot) -> dict[date, DayEffect]:
    """The days of the calendar from the habit's start on, the latest last."""
    today = snapshot.stats.today
    return list_effects(snapshot.history, snapshot.stats, _first_monday(today), today)


def _first_monday(today: date) -> date:
    return today - timedelta(days=today.weekday(), weeks=CALENDAR_WEEKS - 1)


def build_calendar(today: date, effects: Mapping[date, DayEffect]) -> YearCalendar:
    """The calendar of the last 53 weeks."""
    first = _first_monday(today)
    weeks = [first + timedelta(weeks=number) for number in range(CALENDAR_WEEKS)]
    rows = []
    for number, name in enumerate(WEEKDAYS):
        days = [week + timedelta(days=number) for week in weeks]
        rows.append(
            (
                name,
                WEEKDAYS_SHORT[number],
                [CalendarCell(day, effects.get(day)) if day <= today else None for day in days],
            )
        )
    return YearCalendar(months=_months(weeks), rows=rows)


def _months(weeks: Sequence[date]) -> list[tuple[str, int]]:
    """Each month with the number of weeks that start in it."""
    months: list[tuple[str, int]] = []
    for week in weeks:
        name = day_text(week, "month")
        if months and months[-1][0] == name:
            months[-1] = (name, months[-1][1] + 1)
        else:
            months.append((name, 1))
    return months


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRates:
    """The share of due days that counted, in percent."""

    all: int
    by_weekday: list[tuple[str, int]]
    by_month: list[tuple[str, int]]


def compute_rates(today: date, effects: Mapping[date, DayEffect]) -> CompletionRates:
    """Rates over the last year; days that weren't due are left out."""
    first = today - timedelta(days=365)
    counted: list[bool] = []
    weekdays: list[list[bool]] = [[] for _ in WEEKDAYS]
    months: dict[date, list[bool]] = {}
    for day, effect in effects.items():
        if day >= first and effect in ("counts", "breaks"):
            for days in (counted, weekdays[day.weekday()], months.setdefault(day.replace(day=1), [])):
                days.append(effect == "counts")
    return CompletionRates(
        all=_rate(counted),
        by_weekday=[(name, _rate(days)) for name, days in zip(WEEKDAYS, weekdays, strict=True) if days],
        by_month=[(day_text(month, "month_of_year"), _rate(days)) for month, days in list(months.items())[-12:]],
    )


def habit_charts(snapshot: HabitSnapshot, rates: CompletionRates) -> list[Chart]:
    """Strength, rates and best streaks; a chart without figures is left out."""
    percent = gettext("Percent")
    charts: list[tuple[Chart, bool]] = [
        (line_chart(gettext("Strength"), _weekly_strength(snapshot), of=percent), bool(snapshot.stats.curve)),
        (line_chart(gettext("Kept by month"), rates.by_month, of=percent), bool(rates.by_month)),
        (bar_chart(gettext("Kept by weekday"), rates.by_weekday, of=percent, whole=100), bool(rates.by_weekday)),
        (_best_streaks(snapshot), bool(snapshot.stats.runs)),
    ]
    return [chart for chart, has_figures in charts if has_figures]


def _weekly_strength(snapshot: HabitSnapshot) -> list[tuple[str, float]]:
    """The strength at the end of each week of the last year, in percent."""
    curve, last = snapshot.stats.curve[-CALENDAR_WEEKS * _WEEK :], snapshot.stats.today
    return [
        (day_text(last - timedelta(days=len(curve) - 1 - index), "short"), round(100 * curve[index], 1))
        for index in sorted(range(len(curve) - 1, -1, -_WEEK))
    ]


def _span_text(first: date, last: date) -> str:
    begin = day_text(first, "short" if first.year == last.year else "short_date")
    return gettext("%(first)s to %(last)s", first=begin, last=day_text(last, "short_date"))


def _best_streaks(snapshot: HabitSnapshot) -> Chart:
    """The longest streaks with their days, the longest first."""
    runs = sorted(snapshot.stats.runs, key=lambda run: (-run.length, run.first))[:RUNS_SHOWN]
    return bar_chart(
        gettext("Best streaks"),
        [(_span_text(run.first, run.last), run.length) for run in runs],
        of=gettext("Length"),
        labels=[snapshot.habit.streak_words(run.length) for run in runs],
    )


def _rate(counted: Sequence[bool]) -> int:
    return round(100 * sum(counted) / len(counted)) if counted else 0
