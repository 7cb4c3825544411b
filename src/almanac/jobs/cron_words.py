"""Cron lines in the words of people: the common ones as sentences, every other one as it is written."""

from itertools import chain

from almanac.kit.messages import gettext, join_texts

WEEKDAYS = (
    gettext("Monday"),
    gettext("Tuesday"),
    gettext("Wednesday"),
    gettext("Thursday"),
    gettext("Friday"),
    gettext("Saturday"),
    gettext("Sunday"),
)
_NAMES = {"mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6, "sun": 7}
_ALL_DAYS, _WORKING_DAYS = set(range(1, 8)), {1, 2, 3, 4, 5}


def describe_cron(cron: str) -> str:
    """A cron line in plain words if it is a common one, otherwise the line itself."""
    match cron.split():
        case [minute, hour, "*", "*", "*"]:
            return _describe_daily(minute, hour) or cron
        case [minute, hour, "*", "*", days] if minute.isdecimal() and hour.isdecimal():
            return _describe_weekly(_clock(minute, hour), days) or cron
        case [minute, hour, day, "*", "*"] if minute.isdecimal() and hour.isdecimal() and day.isdecimal():
            return gettext("On day %(day)s of each month at %(time)s", day=day, time=_clock(minute, hour))
    return cron


def _describe_daily(minute: str, hour: str) -> str:
    words = ""
    match minute, hour:
        case "*", "*":
            words = gettext("Every minute")
        case _, "*" if minute.startswith("*/"):
            words = gettext("Every %(minute)s minutes", minute=minute[2:])
        case "0", "*":
            words = gettext("Every hour")
        case _, "*" if minute.isdecimal():
            words = gettext("Every hour at minute %(minute)s", minute=minute)
        case _ if minute.isdecimal() and hour.startswith("*/") and hour[2:].isdecimal():
            words = gettext("Every %(hours)s hours", hours=hour[2:])
        case _ if minute.isdecimal() and hour.isdecimal():
            words = gettext("Every day at %(hour)s:%(minute)s", hour=f"{int(hour):02}", minute=f"{int(minute):02}")
    return words


def _describe_weekly(time: str, field: str) -> str:
    days = _parse_days(field)
    if days == _ALL_DAYS:
        hour, _, minute = time.partition(":")
        return gettext("Every day at %(hour)s:%(minute)s", hour=hour, minute=minute)
    if days == _WORKING_DAYS:
        return gettext("Monday to Friday at %(time)s", time=time)
    names = join_texts(WEEKDAYS[day - 1] for day in sorted(days))
    return gettext("%(days)s at %(time)s", days=names, time=time) if days else ""


def _parse_days(field: str) -> set[int]:
    """The weekdays of a field, 7 for Sunday; empty for what isn't days, ranges of days or a list of both."""
    try:
        return set(chain.from_iterable(_parse_range(part) for part in field.lower().split(",")))
    except ValueError:
        return set()


def _parse_range(part: str) -> range:
    first, dash, last = part.partition("-")
    start = _parse_day(first)
    return range(start, _parse_day(last) + 1) if dash else range(start, start + 1)


def _parse_day(text: str) -> int:
    day = _NAMES.get(text) or int(text) or 7
    if day not in _ALL_DAYS:
        raise ValueError(text)
    return day


def _clock(minute: str, hour: str) -> str:
    return f"{int(hour):02}:{int(minute):02}"
