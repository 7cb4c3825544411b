"""Cron lines on the clocks of a time zone: which moments are due, across changes of daylight saving time.

A run at a fixed hour happens once a day: a time that the clocks skip falls on the moment they jump over it, a time
they show twice counts the first time. A run at every hour, or every few minutes, follows elapsed time.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from zoneinfo import ZoneInfo

from croniter import CroniterError, croniter

from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.time_zones import describe_unknown_zone

_FIELDS = 5
_MARGIN = timedelta(hours=3)
_FOREVER = timedelta(days=366 * 8)
_ANY_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
_MOST_KEPT = 256
# For a line, a zone and a count: since when these moments are the next.
_upcoming: dict[tuple[str, str, int], tuple[datetime, tuple[datetime, ...]]] = {}


def check_cron(cron: str, time_zone: str) -> None:
    """Refuse, with a sentence, a line or a zone that means nothing, and a line that never comes true."""
    if len(cron.split()) != _FIELDS or not croniter.is_valid(cron):
        raise InputError(
            gettext(
                "“%(cron)s” isn't a cron line; use five fields, such as 30 6 * * 1-5 for 6:30 on weekdays.", cron=cron
            )
        )
    try:
        ZoneInfo(time_zone)
    except (KeyError, ValueError, OSError) as error:
        raise InputError(describe_unknown_zone(time_zone)) from error
    if next_due(cron, time_zone, _ANY_MOMENT) is None:
        raise InputError(gettext("“%(cron)s” never comes; that day is in no month.", cron=cron))


def due_times(cron: str, time_zone: str, *, after: datetime, until: datetime) -> Iterator[datetime]:
    """The moments after `after` and up to `until`, in order and in UTC."""
    zone = ZoneInfo(time_zone)
    previous = after
    for moment in takewhile(lambda moment: moment <= until, _moments(cron, zone, after)):
        if moment > previous:
            previous = moment
            yield moment


def next_due(cron: str, time_zone: str, after: datetime) -> datetime | None:
    """The next moment, or None for a line that never comes true, such as 30 February."""
    return next(due_times(cron, time_zone, after=after, until=after + _FOREVER), None)


def next_due_times(cron: str, time_zone: str, after: datetime, count: int) -> tuple[datetime, ...]:
    """The next moments; fewer where the line comes true more rarely than every eight years.

    Until the first of them they stay the same, so that pages that show them don't search the calendar each time.
    """
    asked_at, moments = _upcoming.get((cron, time_zone, count), (after, ()))
    if moments and asked_at <= after < moments[0]:
        return moments
    if len(_upcoming) >= _MOST_KEPT:
        _upcoming.clear()
    moments = _find_due_times(cron, time_zone, after, count)
    _upcoming[cron, time_zone, count] = after, moments
    return moments


def _find_due_times(cron: str, time_zone: str, after: datetime, count: int) -> tuple[datetime, ...]:
    moments: list[datetime] = []
    for moment in due_times(cron, time_zone, after=after, until=datetime.max.replace(tzinfo=UTC)):
        if moment - (moments[-1] if moments else after) > _FOREVER:
            break
        moments.append(moment)
        if len(moments) == count:
            break
    return tuple(moments)


def _moments(cron: str, zone: ZoneInfo, after: datetime) -> Iterator[datetime]:
    """Moments from before `after` on, in order; some may come twice where clocks jump forward."""
    both_passes = cron.split()[1].startswith("*")
    late: list[datetime] = []
    for wall in _wall_times(cron, _start(zone, after)):
        first, second = (wall.replace(tzinfo=zone, fold=fold).astimezone(UTC) for fold in (0, 1))
        while late and late[0] < first:
            yield late.pop(0)
        yield first
        if both_passes and second > first:
            late.append(second)
    yield from late


def _start(zone: ZoneInfo, after: datetime) -> datetime:
    """What the clocks show at `after`; earlier where they jump around then, and may show such a time later as well."""
    around = [moment.astimezone(zone) for moment in (after - _MARGIN, after, after + _MARGIN)]
    jumps = len({moment.utcoffset() for moment in around}) > 1
    return around[0 if jumps else 1].replace(tzinfo=None)


def _wall_times(cron: str, start: datetime) -> Iterator[datetime]:
    """What a wall clock without any jumps would show."""
    times = croniter(cron, start)
    try:
        while True:
            yield times.get_next(datetime)
    except (CroniterError, OverflowError):
        return
