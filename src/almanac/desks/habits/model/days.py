"""Which day a moment belongs to for a person: their time zone, the hour at which their day begins, and travel.

A day is what the clocks on the wall say, so a night of 23 or 25 hours is still one night. A day that was cut short
because somebody flew over time zones is named, so that it can be forgiven.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from almanac.errors import FieldErrors
from almanac.kit.zones import is_zone

SHORT_DAY = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A place's clocks, and the hour at which the day begins on them."""

    zone: str = "UTC"
    day_start: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.day_start <= 12:
            raise FieldErrors({"day_start": "A day begins at an hour from 0 to 12."})
        if not is_zone(self.zone):
            raise FieldErrors({"time_zone": "Choose a time zone such as Europe/Zurich."})

    def day_of(self, moment: datetime) -> date:
        """The day that a moment belongs to."""
        wall = moment.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)
        return (wall - timedelta(hours=self.day_start)).date()

    def begin_of(self, day: date) -> datetime:
        """The moment at which a day begins."""
        return self.moment_of(day, time(self.day_start))

    def moment_of(self, day: date, at: time) -> datetime:
        """When the clocks show a time within a day; early hours belong to the evening before the day's start."""
        there = day if at >= time(self.day_start) else day + timedelta(days=1)
        return datetime.combine(there, at, ZoneInfo(self.zone)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class Stay:
    """From a moment on, somebody lived by these clocks."""

    since: datetime
    local: LocalTime


def days_cut_short(stays: Sequence[Stay]) -> frozenset[date]:
    """Days that were not there or had less than twelve hours because the clocks changed under somebody."""
    return frozenset(day for before, after in pairwise(stays) for day in _cut(before, after))


def _cut(before: Stay, after: Stay) -> Iterator[date]:
    moment = after.since
    left, entered = before.local.day_of(moment), after.local.day_of(moment)
    if entered <= left:
        return
    if moment - before.local.begin_of(left) < SHORT_DAY:
        yield left
    day = left + timedelta(days=1)
    while day < entered:
        yield day
        day += timedelta(days=1)
    if after.local.begin_of(entered + timedelta(days=1)) - moment < SHORT_DAY:
        yield entered
