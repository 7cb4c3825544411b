"""Charts of a habit's year: calendar, strength, and rates by weekday and month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from almanac.desks.habits.model.explanation import DayReason, explain_days
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.pages.today import EFFECT_LABELS
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.http.charts import Chart, line_chart

CALENDAR_WEEKS = 53
_WEEK = 7


@dataclass(frozen=True, slots=True)
class CalendarCell:
    """A day of the calendar; days before the habit's start have no reason."""

    day: date
    reason: DayReason | None

    @property
    def kind(self) -> str:
        return self.reason.effect if self.reason else "none"

    @property
    def label(self) -> str:
        effect = EFFECT_LABELS[self.reason.effect] if self.reason else "no entry"
        return f"{self.day:%A %-d %B %Y}: {effect}"


@dataclass(frozen=True, slots=True, kw_only=True)
class YearCalendar:
    """A row per weekday and a column per week; the last week contains today."""

    months: list[tuple[str, int]]
    rows: list[tuple[str, list[CalendarCell | None]]]


def build_calendar(snapshot: HabitSnapshot) -> YearCalendar:
    """The calendar of the last 53 weeks."""
    today = snapshot.stats.today
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=CALENDAR_WEEKS - 1)
    reasons = {reason.day: reason for reason in explain_days(snapshot.history, snapshot.stats, first, today)}
    weeks = [first + timedelta(weeks=number) for number in range(CALENDAR_WEEKS)]
    rows = []
    for number, name in enumerate(WEEKDAYS):
        days = [week + timedelta(days=number) for week in weeks]
        rows.append((name, [CalendarCell(day, reasons.get(day)) if day <= today else None for day in days]))
    return YearCalendar(months=_months(weeks), rows=rows)


def _months(weeks: Sequence[date]) -> list[tuple[str, int]]:
    """Each month with the number of weeks that start in it."""
    months: list[tuple[str, int]] = []
    for week in weeks:
        name = f"{week:%b}"
        if months and months[-1][0] == name:
            months[-1] = (name, months[-1][1] + 1)
        else:
            months.append((name, 1))
    return months


def strength_chart(snapshot: HabitSnapshot) -> Chart | None:
    """Strength at the end of each week of the last year, in percent; None without data."""
    curve = snapshot.stats.curve[-CALENDAR_WEEKS * _WEEK :]
    if not curve:
        return None
    last = snapshot.stats.today
    figures = [
        (f"{last - timedelta(days=len(curve) - 1 - index):%-d %b}", round(100 * curve[index], 1))
        for index in sorted({*range(len(curve) - 1, -1, -_WEEK)})
    ]
    return line_chart("Strength", figures, of="Percent")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRates:
    """The share of due days that counted, in percent."""

    all: int
    by_weekday: list[tuple[str, int]]
    by_month: list[tuple[str, int]]


def compute_rates(snapshot: HabitSnapshot) -> CompletionRates:
    """Rates over the last year; days that weren't due are left out."""
    today = snapshot.stats.today
    reasons = explain_days(snapshot.history, snapshot.stats, today - timedelta(days=365), today)
    decided = [reason for reason in reasons if reason.effect in ("counts", "breaks")]
    weekdays = {
        name: [reason for reason in decided if reason.day.weekday() == number] for number, name in enumerate(WEEKDAYS)
    }
    months: dict[str, list[DayReason]] = {}
    for reason in decided:
        months.setdefault(f"{reason.day:%b %Y}", []).append(reason)
    return CompletionRates(
        all=_rate(decided),
        by_weekday=[(name, _rate(days)) for name, days in weekdays.items() if days],
        by_month=[(name, _rate(days)) for name, days in list(months.items())[-12:]],
    )


def _rate(days: Sequence[DayReason]) -> int:
    return round(100 * sum(day.effect == "counts" for day in days) / len(days)) if days else 0
