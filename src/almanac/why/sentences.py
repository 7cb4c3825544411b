"""Times inside sentences of a trace, in the reader's language and time zone: “4 days ago”, “Friday”."""

from datetime import date, datetime

from almanac.kit.messages import day_text, gettext, ngettext
from almanac.why.model import WhyReader


def past_day(reader: WhyReader, moment: datetime) -> str:
    """How long ago a day was: today, yesterday, 4 days ago."""
    days = (reader.day_of(reader.now) - reader.day_of(moment)).days
    if days <= 0:
        return gettext("today")
    return gettext("yesterday") if days == 1 else ngettext("%(num)s day ago", "%(num)s days ago", days)


def future_day(reader: WhyReader, moment: datetime) -> str:
    """When a day comes: today, tomorrow, Friday 20 November; with the year if it isn't this one."""
    today, day = reader.day_of(reader.now), reader.day_of(moment)
    if day <= today:
        return gettext("today")
    if (day - today).days == 1:
        return gettext("tomorrow")
    return named_day(day, today)


def named_day(day: date, today: date) -> str:
    """A day with its weekday, and with the year if it isn't this one."""
    return day_text(day, "full" if day.year == today.year else "full_date")
