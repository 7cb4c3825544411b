"""When a habit is asked for: the kinds of schedule, and the spans of days into which each divides the calendar.

Days are ordinals here (`date.toordinal`), since years of them are walked through for every answer.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, TypeAlias, get_args

from almanac.errors import FieldErrors
from almanac.kit.text import counted

Kind = Literal["daily", "weekdays", "per_week", "per_month", "every_days", "weekly", "monthly", "yearly"]
KINDS: tuple[Kind, ...] = get_args(Kind)
WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
WEEK = 7

Span: TypeAlias = tuple[int, int]
"""The first and last day of what a schedule asks for at a time; both belong to it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """How often: `times` belongs to per_week and per_month, `every` to every_days, `weekdays` (0 is Monday) to
    weekdays."""

    kind: Kind = "daily"
    times: int = 1
    every: int = 1
    weekdays: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        if problem := _problem(self):
            raise FieldErrors({"schedule": problem})

    @property
    def target(self) -> int:
        """How many days of a span must be kept."""
        return self.times if self.kind in ("per_week", "per_month") else 1

    @property
    def frequency(self) -> tuple[int, int]:
        """Times, and the days in which: what strength is weighed by."""
        match self.kind:
            case "weekdays":
                return len(self.weekdays), WEEK
            case "per_week" | "weekly":
                return self.target, WEEK
            case "per_month" | "monthly":
                return self.target, 30
            case "every_days":
                return 1, self.every
            case "yearly":
                return 1, 365
            case _:
                return 1, 1

    @property
    def is_by_the_day(self) -> bool:
        """Whether each asked-for day stands for itself."""
        return self.kind in ("daily", "weekdays")

    @property
    def is_once_a_span(self) -> bool:
        """Whether it asks for one time in each week, month, year or stretch."""
        return self.kind in ("weekly", "monthly", "yearly", "every_days")

    @property
    def span_words(self) -> str:
        """What it asks for one time of, as in `a week`."""
        return counted(self.every, "day") if self.kind == "every_days" else f"a {self.kind.removesuffix('ly')}"

    @property
    def sentence(self) -> str:
        """How a person would say it."""
        match self.kind:
            case "weekdays":
                return "on " + ", ".join(WEEKDAYS[day] for day in self.weekdays)
            case "per_week":
                return f"{counted(self.times, 'time')} a week"
            case "per_month":
                return f"{counted(self.times, 'time')} a month"
            case "every_days":
                return f"once every {counted(self.every, 'day')}"
            case "weekly" | "monthly" | "yearly":
                return f"once a {self.kind.removesuffix('ly')}"
            case _:
                return "every day"


def _problem(schedule: Schedule) -> str:
    """What is wrong with a schedule, as a sentence."""
    if schedule.kind not in KINDS:
        return f"Choose one of {', '.join(KINDS)}."
    if schedule.kind == "weekdays" and (
        not schedule.weekdays or list(schedule.weekdays) != sorted(set(schedule.weekdays) & set(range(WEEK)))
    ):
        return "Choose weekdays from 0 (Monday) to 6 (Sunday), each once and in order."
    if schedule.kind == "per_week" and not 1 <= schedule.times <= WEEK:
        return "A week has room for 1 to 7 days; choose a number of them."
    if schedule.kind == "per_month" and not 1 <= schedule.times <= 28:
        return "Every month has room for 1 to 28 days; choose a number of them."
    if schedule.kind == "every_days" and not 1 <= schedule.every <= 366:
        return "Choose a distance of 1 to 366 days."
    return ""


def spans(schedule: Schedule, anchor: int, first: int, last: int) -> Iterator[Span]:
    """The spans that touch the days from `first` to `last`, whole. Every-N-days counts from the anchor."""
    if schedule.kind == "daily":
        return zip(range(first, last + 1), range(first, last + 1), strict=True)
    if schedule.kind == "weekdays":
        chosen = frozenset(schedule.weekdays)
        return ((day, day) for day in range(first, last + 1) if (day + 6) % WEEK in chosen)
    return _walk(_SPAN_OF[schedule.kind], schedule, anchor, first, last)


def _walk(
    span_of: Callable[[Schedule, int, int], Span], schedule: Schedule, anchor: int, first: int, last: int
) -> Iterator[Span]:
    day = first
    while day <= last:
        span = span_of(schedule, anchor, day)
        yield span
        day = span[1] + 1


def _week_of(_schedule: Schedule, _anchor: int, day: int) -> Span:
    monday = day - (day + 6) % WEEK
    return monday, monday + WEEK - 1


def _month_of(_schedule: Schedule, _anchor: int, day: int) -> Span:
    begin = date.fromordinal(day).replace(day=1)
    return begin.toordinal(), ((begin + timedelta(days=32)).replace(day=1)).toordinal() - 1


def _year_of(_schedule: Schedule, _anchor: int, day: int) -> Span:
    year = date.fromordinal(day).year
    return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()


def _stretch_of(schedule: Schedule, anchor: int, day: int) -> Span:
    begin = day - (day - anchor) % schedule.every
    return begin, begin + schedule.every - 1


_SPAN_OF: dict[Kind, Callable[[Schedule, int, int], Span]] = {
    "per_week": _week_of,
    "weekly": _week_of,
    "per_month": _month_of,
    "monthly": _month_of,
    "yearly": _year_of,
    "every_days": _stretch_of,
}
