"""A schedule as people fill it in, by days of the week or of the month, and the cron line that it stands for."""

import re
from dataclasses import dataclass

from almanac.desks.newsletter.model.schedule import Rhythm

WEEKDAYS = (
    ("1", "Monday"),
    ("2", "Tuesday"),
    ("3", "Wednesday"),
    ("4", "Thursday"),
    ("5", "Friday"),
    ("6", "Saturday"),
    ("0", "Sunday"),
)
_SIMPLE = re.compile(r"(\d{1,2}) (\d{1,2}) (\*|[\d,]+) \* (\*|[\d,]+)")
_CLOCK = re.compile(r"(\d{1,2}):(\d{2})")
_DEFAULT_CLOCK = "07:00"


@dataclass(frozen=True, slots=True)
class RhythmFields:
    """What stands in the fields. A `rule` of one's own is for what days and a time can't say."""

    time_zone: str
    clock: str = _DEFAULT_CLOCK
    weekdays: tuple[str, ...] = ("1",)
    monthdays: str = ""
    rule: str = ""


def fields_of(rhythm: Rhythm | None, default_zone: str) -> RhythmFields:
    """The fields that show a rhythm; a rule that they can't show is shown as it is."""
    if rhythm is None:
        return RhythmFields(default_zone)
    simple = _SIMPLE.fullmatch(rhythm.rule)
    if simple is None or (simple[3] != "*" and simple[4] != "*"):
        return RhythmFields(rhythm.time_zone, rule=rhythm.rule)
    minute, hour, days, week = simple.groups()
    weekdays = tuple(week.split(",")) if week != "*" else ()
    return RhythmFields(rhythm.time_zone, f"{int(hour):02}:{int(minute):02}", weekdays, "" if days == "*" else days)


def rhythm_from(fields: RhythmFields, *, active: bool) -> Rhythm:
    """The rhythm that the fields stand for; whether it means anything is checked where it is saved."""
    return Rhythm(" ".join(fields.rule.split()) or _rule(fields), fields.time_zone.strip() or "UTC", active)


def _rule(fields: RhythmFields) -> str:
    clock = _CLOCK.match(fields.clock) or _CLOCK.match(_DEFAULT_CLOCK)
    hour, minute = (int(part) for part in clock.groups()) if clock else (7, 0)
    days = ",".join(re.findall(r"\d+", fields.monthdays))
    if days:
        return f"{minute} {hour} {days} * *"
    return f"{minute} {hour} * * {','.join(fields.weekdays) or '*'}"
