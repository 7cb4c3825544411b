"""The five desks, in the order in which they are shown, and those that are switched on."""

from almanac.config import Settings
from almanac.desks.habits import DESK as HABITS
from almanac.desks.news import DESK as NEWS
from almanac.desks.newsletter import DESK as NEWSLETTER
from almanac.desks.recap import DESK as RECAP
from almanac.desks.reminders import DESK as REMINDERS
from almanac.http.desk import Desk

DESKS: tuple[Desk, ...] = (NEWS, RECAP, NEWSLETTER, REMINDERS, HABITS)


def enabled_desks(settings: Settings) -> tuple[Desk, ...]:
    """The desks that are switched on."""
    return tuple(desk for desk in DESKS if desk.name in settings.enabled_desks)
