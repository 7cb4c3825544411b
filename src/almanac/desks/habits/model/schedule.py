"""Schedules: when a habit is due, and the spans of days into which each schedule divides the calendar.

Days are ordinals (`date.toordinal`) here because computing stats walks over years of them.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Literal, TypeAlias, get_args

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext, join_texts, ngettext

ScheduleKind = Literal["daily", "weekdays", "per_week", "per_month", "every_days", "weekly", "monthly", "yearly"]
SCHEDULE_KINDS: tuple[ScheduleKind, ...] = get_args(ScheduleKind)
WEEKDAYS = (
    gettext("Monday"),
    gettext("Tuesday"),
    gettext("Wednesday"),
    gettext("Thursday"),
    gettext("Friday"),
    gettext("Saturday"),
    gettext("Sunday"),
)
WEEKDAYS_SHORT = (
    gettext("Mon"),
    gettext("Tue"),
    gettext("Wed"),
    gettext("Thu"),
    gettext("Fri"),
    gettext("Sat"),
    gettext("Sun"),
)
DAYS_PER_WEEK = 7
_WHOLE: Mapping[tuple[int, ...], str] = {
    (0, 1, 2, 3, 4): gettext("on weekdays"),
    (5, 6): gettext("on weekends"),
    (0, 1, 2, 3, 4, 5, 6): gettext("every day"),
}
_ONCE: Mapping[ScheduleKind, str] = {
    "daily": gettext("every day"),
    "weekly": gettext("once a week"),
    "monthly": gettext("once a month"),
    "yearly": gettext("once a year"),
}

DaySpan: TypeAlias = tuple[int, int]
"""The first and last day of a span; both are included."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSchedule:
    """How often a habit is due: `times` for per_week and per_month, `every` for every_days, `weekdays` (0 is Monday)
    for weekdays."""

    kind: ScheduleKind = "daily"
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
        """How many times in how many days; strength is weighted by it."""
        match self.kind:
            case "weekdays":
                return len(self.weekdays), DAYS_PER_WEEK
            case "per_week" | "weekly":
                return self.target, DAYS_PER_WEEK
            case "per_month" | "monthly":
                return self.target, 30
            case "every_days":
                return 1, self.every
            case "yearly":
                return 1, 365
            case _:
                return 1, 1

    @property
    def is_daily_span(self) -> bool:
        """Whether each due day is a span of its own."""
        return self.kind in ("daily", "weekdays")

    @property
    def is_once_per_span(self) -> bool:
        """Whether it is due once in each week, month, year or N-day span."""
        return self.kind in ("weekly", "monthly", "yearly", "every_days")

    @property
    def span_name(self) -> str:
        """The span it is due once in, such as `a week`."""
        match self.kind:
            case "every_days":
                return ngettext("%(num)s day", "%(num)s days", self.every)
            case "weekly":
                return gettext("a week")
            case "monthly":
                return gettext("a month")
            case _:
                return gettext("a year")

    @property
    def sentence(self) -> str:
        """The schedule in plain words, such as `3 times a week`."""
        match self.kind:
            case "weekdays":
                if self.weekdays in _WHOLE:
                    return _WHOLE[self.weekdays]
                return gettext("on %(weekdays)s", weekdays=join_texts(WEEKDAYS[day] for day in self.weekdays))
            case "per_week":
                return ngettext("%(num)s time a week", "%(num)s times a week", self.times)
            case "per_month":
                return ngettext("%(num)s time a month", "%(num)s times a month", self.times)
            case "every_days":
                return ngettext("once every %(num)s day", "once every %(num)s days", self.every)
            case _:
                return _ONCE[self.kind]


def _problem(schedule: HabitSchedule) -> str:
    """A sentence about what is invalid; empty if nothing is."""
    if schedule.kind not in SCHEDULE_KINDS:
        return gettext("Choose one of %(choices)s.", choices=", ".join(SCHEDULE_KINDS))
    if schedule.kind == "weekdays" and (
        not schedule.weekdays or list(schedule.weekdays) != sorted(set(schedule.weekdays) & set(range(DAYS_PER_WEEK)))
    ):
        return gettext("Choose weekdays from 0 (Monday) to 6 (Sunday), each once and in order.")
    if schedule.kind == "per_week" and not 1 <= schedule.times <= DAYS_PER_WEEK:
        return gettext("Choose 1 to 7 days a week.")
    if schedule.kind == "per_month" and not 1 <= schedule.times <= 28:
        return gettext("Choose 1 to 28 days a month.")
    if schedule.kind == "every_days" and not 1 <= schedule.every <= 366:
        return gettext("Choose 1 to 366 days.")
    return ""


def iter_spans(schedule: HabitSchedule, anchor: int, first: int, last: int) -> Iterator[DaySpan]:
    """Whole spans that overlap the days from `first` to `last`. Every-N-days spans count from the anchor."""
    if schedule.kind == "daily":
        return zip(range(first, last + 1), range(first, last + 1), strict=True)
    if schedule.kind == "weekdays":
        chosen = frozenset(schedule.weekdays)
        return ((day, day) for day in range(first, last + 1) if (day + 6) % DAYS_PER_WEEK in chosen)
    return _walk(_SPAN_OF[schedule.kind], schedule, anchor, first, last)


def _walk(
    span_of: Callable[[HabitSchedule, int, int], DaySpan], schedule: HabitSchedule, anchor: int, first: int, last: int
) -> Iterator[DaySpan]:
    day = first
    while day <= last:
        span = span_of(schedule, anchor, day)
        yield span
        day = span[1] + 1


def _week_of(_schedule: HabitSchedule, _anchor: int, day: int) -> DaySpan:
    monday = day - (day + 6) % DAYS_PER_WEEK
    return monday, monday + DAYS_PER_WEEK - 1


def _month_of(_schedule: HabitSchedule, _anchor: int, day: int) -> DaySpan:
    begin = date.fromordinal(day).replace(day=1)
    return begin.toordinal(), ((begin + timedelta(days=32)).replace(day=1)).toordinal() - 1


def _year_of(_schedule: HabitSchedule, _anchor: int, day: int) -> DaySpan:
    year = date.fromordinal(day).year
    return date(year, 1, 1).toordinal(), date(year, 12, 31).toordinal()


def _n_days_of(schedule: HabitSchedule, anchor: int, day: int) -> DaySpan:
    begin = day - (day - anchor) % schedule.every
    return begin, begin + schedule.every - 1


_SPAN_OF: dict[ScheduleKind, Callable[[HabitSchedule, int, int], DaySpan]] = {
    "per_week": _week_of,
    "weekly": _week_of,
    "per_month": _month_of,
    "monthly": _month_of,
    "yearly": _year_of,
    "every_days": _n_days_of,
}
