"""The recap desk: parliamentary meetings become articles: key points, a plain summary and every speech."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.recap.announcing import EVENTS
from almanac.desks.recap.commands import recap_commands
from almanac.desks.recap.demo import PART
from almanac.desks.recap.filing import searchable
from almanac.desks.recap.glance import glance
from almanac.desks.recap.pages import pages
from almanac.desks.recap.routes import api
from almanac.desks.recap.tasks import SCHEDULES, TASKS
from almanac.desks.recap.writing.steps import RECAP_PACK, RECAP_WHOLE
from almanac.http.desk import Desk

DESK = Desk(
    name="recap",
    title="Recap",
    summary="Parliamentary meetings become articles: key points, a plain summary and every speech.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
    api=api,
    glance=glance,
    places={"/recap/articles": "Meetings", "/recap/people": "People", "/recap/bills": "Bills"},
    tasks=TASKS,
    schedules=SCHEDULES,
    writes=(RECAP_PACK.name, RECAP_WHOLE.name),
    events=EVENTS,
    searchable=searchable,
    languages=("en", "ja"),
    commands=recap_commands,
    demo=PART,
)
