"""The newsletter desk: from configuration to a finished issue in four steps."""

from importlib.resources import files
from pathlib import Path

from almanac.desks.newsletter.announcing import EVENTS
from almanac.desks.newsletter.commands import newsletter_commands
from almanac.desks.newsletter.demo import PART
from almanac.desks.newsletter.finding import searchable
from almanac.desks.newsletter.glance import glance
from almanac.desks.newsletter.pages import pages
from almanac.desks.newsletter.preparing import PREPARE, PREPARE_DUE
from almanac.desks.newsletter.routes import api
from almanac.desks.newsletter.tasks import TASKS
from almanac.http.desk import Desk

DESK = Desk(
    name="newsletter",
    title="Newsletter",
    summary="From configuration to a finished issue in four steps.",
    pages=pages,
    templates=Path(str(files(__package__))) / "templates",
    api=api,
    glance=glance,
    tasks=(*TASKS, PREPARE),
    schedules=(PREPARE_DUE,),
    events=EVENTS,
    searchable=searchable,
    commands=newsletter_commands,
    demo=PART,
)
