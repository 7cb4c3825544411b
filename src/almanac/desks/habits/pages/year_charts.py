"""A habit's year as pictures: the calendar, the curve of its strength, and how often weekdays and months were kept."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from almanac.desks.habits.model.explanation import DayReason, explain_days
from almanac.desks.habits.model.schedule import WEEKDAYS
from almanac.desks.habits.pages.rows import EFFECT_LABELS
from almanac.desks.habits.pipeline.settlement import HabitSnapshot
from almanac.http.charts import Chart, line_chart

CALENDAR_WEEKS = 53
_WEEK = 7


@dataclass(frozen=True, slots=True)
class CalendarCell:
    """A day of the calendar; days to come and days before the habit have no reason."""

    day: date
    reason: DayReason | None

    @property
    def kind(self) -> str:
        return self.reason.effect if self.reason else "none"

    @property
    def label(self) -> str:
        words = EFFECT_LABELS[self.reason.effect] if self.reason else "no entry"
        return f"{self.day:%A %-d %B %Y}: {words}"


@dataclass(frozen=True, slots=True, kw_only=True)
class YearCalendar:
    """Weeks from Monday to Sunday, the last one holding today: a row for each weekday, a column for each week."""

    months: list[tuple[str, int]]
    rows: list[tuple[str, list[CalendarCell | None]]]


def build_calendar(snapshot: HabitSnapshot) -> YearCalendar:
    """The last 53 weeks."""
    today = snapshot.stats.today
    monday = today - timedelta(days=today.weekday())
    first = monday - timedelta(weeks=CALENDAR_WEEKS - 1)
    reasons = {one.day: one for one in explain_days(snapshot.history, snapshot.stats, first, today)}
    weeks = [first + timedelta(weeks=number) for number in range(CALENDAR_WEEKS)]
    rows = []
    for place, name in enumerate(WEEKDAYS):
        days = [week + timedelta(days=place) for week in weeks]
        rows.append((name, [CalendarCell(day, reasons.get(day)) if day <= today else None for day in days]))
    return YearCalendar(months=_months(weeks), rows=rows)


def _months(weeks: Sequence[date]) -> list[tuple[str, int]]:
    """The name of each month with how many weeks begin in it."""
    found: list[tuple[str, int]] = []
    for week in weeks:
        name = f"{week:%b}"
        if found and found[-1][0] == name:
            found[-1] = (name, found[-1][1] + 1)
        else:
            found.append((name, 1))
    return found


def strength_chart(snapshot: HabitSnapshot) -> Chart | None:
    """The strength at the end of each week of the last year, in per cent."""
    curve = snapshot.stats.curve[-CALENDAR_WEEKS * _WEEK :]
    if not curve:
        return None
    last = snapshot.stats.today
    figures = [
        (f"{last - timedelta(days=len(curve) - 1 - place):%-d %b}", round(100 * curve[place], 1))
        for place in sorted({*range(len(curve) - 1, -1, -_WEEK)})
    ]
    return line_chart("Strength", figures, of="Per cent")


@dataclass(frozen=True, slots=True, kw_only=True)
class CompletionRates:
    """How many days counted of those that were decided, in per cent."""

    all: int
    by_weekday: list[tuple[str, int]]
    by_month: list[tuple[str, int]]


def compute_rates(snapshot: HabitSnapshot) -> CompletionRates:
    """Over the last year; days that ask for nothing are left out."""
    today = snapshot.stats.today
    reasons = explain_days(snapshot.history, snapshot.stats, today - timedelta(days=365), today)
    decided = [one for one in reasons if one.effect in ("counts", "breaks")]
    weekdays = {name: [one for one in decided if one.day.weekday() == place] for place, name in enumerate(WEEKDAYS)}
    months: dict[str, list[DayReason]] = {}
    for one in decided:
        months.setdefault(f"{one.day:%b %Y}", []).append(one)
    return CompletionRates(
        all=_rate(decided),
        by_weekday=[(name, _rate(days)) for name, days in weekdays.items() if days],
        by_month=[(name, _rate(days)) for name, days in list(months.items())[-12:]],
    )


def _rate(days: Sequence[DayReason]) -> int:
    return round(100 * sum(one.effect == "counts" for one in days) / len(days)) if days else 0
