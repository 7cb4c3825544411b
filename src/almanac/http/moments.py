"""How times are told: relative for a glance, exact in the person's zone on hover."""

from datetime import datetime
from zoneinfo import ZoneInfo

from markupsafe import Markup

from almanac.kit.text import counted

# Filled in by `%`: a page tells many moments, and `format` takes four times as long.
_TIME = Markup('<time datetime="%s" title="%s">%s</time>')
_STEPS = ((60, 1, "second"), (3600, 60, "minute"), (86400, 3600, "hour"), (30 * 86400, 86400, "day"))


def relative(moment: datetime, now: datetime, zone: str) -> str:
    """`3 minutes ago`, `in 2 hours`, or the date on the clocks of a zone where that says more."""
    seconds = (now - moment).total_seconds()
    distance = abs(seconds)
    if distance < 5:
        return "just now"
    for below, unit, noun in _STEPS:
        if distance < below:
            words = counted(int(distance // unit), noun)
            return f"{words} ago" if seconds > 0 else f"in {words}"
    return f"{moment.astimezone(ZoneInfo(zone)):%-d %B %Y}"


def exact(moment: datetime, zone: str) -> str:
    """The full date and time with the zone's name."""
    return f"{moment.astimezone(ZoneInfo(zone)):%A, %-d %B %Y, %H:%M:%S %Z}"


def time_element(moment: datetime | None, now: datetime, zone: str) -> Markup:
    """A time as HTML; nothing at all says never."""
    if moment is None:
        return Markup('<span class="faint">never</span>')
    return _TIME % (moment.isoformat(), exact(moment, zone), relative(moment, now, zone))


def duration(seconds: float | None) -> str:
    """`0.4 s`, `12 s`, `3 min 20 s`."""
    if seconds is None:
        return ""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
