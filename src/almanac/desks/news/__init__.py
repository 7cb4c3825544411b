"""The news desk: finds links, reads each once, and tells it in three languages."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.news.announcing import EVENTS
from almanac.desks.news.commands import news_commands
from almanac.desks.news.demo import PART
from almanac.desks.news.glance import glance
from almanac.desks.news.indexing import StoryProvider
from almanac.desks.news.pages import pages
from almanac.desks.news.pages.frame import TABS
from almanac.desks.news.routes import api
from almanac.desks.news.tasks import SCHEDULES, TASKS
from almanac.desks.news.writing.step import STORY
from almanac.http.desk import Desk

DESK = Desk(
    name="news",
    title="News",
    summary="Links from queries and feeds, each read once, summarised and headlined in three languages.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
    api=api,
    glance=glance,
    places={href: words for _, words, href in TABS},
    tasks=TASKS,
    schedules=SCHEDULES,
    writes=(STORY.name,),
    events=EVENTS,
    commands=news_commands,
    searchable=lambda services: (StoryProvider(services.database),),
    demo=PART,
)
