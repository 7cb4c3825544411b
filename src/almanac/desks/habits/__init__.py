"""The habits desk: habits, streaks, points, achievements and a leaderboard."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.habits.commands import habits_commands
from almanac.desks.habits.demo import PART
from almanac.desks.habits.glance import glance
from almanac.desks.habits.happenings import EVENTS
from almanac.desks.habits.indexing import HabitProvider
from almanac.desks.habits.pages import pages
from almanac.desks.habits.pages.frame import TABS
from almanac.desks.habits.routes import api
from almanac.desks.habits.tasks import SCHEDULES, TASKS
from almanac.http.desk import Desk
from almanac.search import Provider
from almanac.services import Services


def _searchable(services: Services) -> tuple[Provider, ...]:
    return (HabitProvider(services.database),)


DESK = Desk(
    name="habits",
    title="Habits",
    summary="Habits, streaks, points, achievements and a leaderboard.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
    api=api,
    glance=glance,
    places={href: words for _, words, href in TABS},
    tasks=TASKS,
    schedules=SCHEDULES,
    events=EVENTS,
    searchable=_searchable,
    commands=habits_commands,
    demo=PART,
)
