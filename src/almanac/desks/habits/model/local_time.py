"""Which day a moment belongs to for a person: their time zone, the hour their day starts, and travel.

Days follow wall-clock time, so a night of 23 or 25 hours is still one night. Days cut short by travel across time
zones are listed, so that they can be forgiven.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

from almanac.errors import FieldErrors
from almanac.kit.dates import is_time_zone
from almanac.kit.messages import gettext
from almanac.kit.time_zones import describe_unknown_zone

SHORT_DAY_LIMIT = timedelta(hours=12)


@dataclass(frozen=True, slots=True)
class LocalTime:
    """A time zone and the hour at which the day starts in it."""

    zone: str = "UTC"
    day_start: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.day_start <= 12:
            raise FieldErrors({"day_start": gettext("Choose an hour from 0 to 12.")})
        if not is_time_zone(self.zone):
            raise FieldErrors({"time_zone": describe_unknown_zone(self.zone)})

    def day_of(self, moment: datetime) -> date:
        """The day that a moment belongs to."""
        wall = moment.astimezone(ZoneInfo(self.zone)).replace(tzinfo=None)
        return (wall - timedelta(hours=self.day_start)).date()

    def start_of(self, day: date) -> datetime:
        """The moment at which a day starts."""
        return self.moment_of(day, time(self.day_start))

    def moment_of(self, day: date, at: time) -> datetime:
        """The moment of a local time within a day. Times before the day's start fall on the next calendar date."""
        there = day if at >= time(self.day_start) else day + timedelta(days=1)
        return datetime.combine(there, at, ZoneInfo(self.zone)).astimezone(UTC)


@dataclass(frozen=True, slots=True)
class TimeZonePeriod:
    """The local time a person has used since a moment."""

    since: datetime
    local: LocalTime


def find_short_days(periods: Sequence[TimeZonePeriod]) -> frozenset[date]:
    """Days that travel skipped or cut to less than twelve hours."""
    return frozenset(day for before, after in pairwise(periods) for day in _short_days(before, after))


def _short_days(before: TimeZonePeriod, after: TimeZonePeriod) -> Iterator[date]:
    moment = after.since
    left, entered = before.local.day_of(moment), after.local.day_of(moment)
    if entered <= left:
        return
    if moment - before.local.start_of(left) < SHORT_DAY_LIMIT:
        yield left
    day = left + timedelta(days=1)
    while day < entered:
        yield day
        day += timedelta(days=1)
    if after.local.start_of(entered + timedelta(days=1)) - moment < SHORT_DAY_LIMIT:
        yield entered
