"""The reminders desk: overdue invoices become reminder drafts; a person approves; each is sent once."""

from almanac.desks.reminders.bulk import BULK_JOBS, BULK_SCHEDULES
from almanac.desks.reminders.demo import PART
from almanac.desks.reminders.events import EVENTS
from almanac.desks.reminders.indexing import searchable
from almanac.desks.reminders.jobs import JOBS, NEWS, SCHEDULES
from almanac.desks.reminders.overview import glance
from almanac.desks.reminders.rewriting import WRITING_JOBS
from almanac.desks.reminders.service import count_waiting
from almanac.desks.reminders.urls import TABS
from almanac.desks.reminders.writer.letter import LETTER
from almanac.http.desk import Desk

DESK = Desk(
    package=__name__,
    name="reminders",
    title="Reminders",
    summary="Overdue invoices become reminder drafts; a person approves; each is sent once.",
    waiting=count_waiting,
    glance=glance,
    places={href: words for _, words, href in TABS},
    jobs=(*JOBS, *BULK_JOBS, *WRITING_JOBS),
    schedules=(*SCHEDULES, *BULK_SCHEDULES),
    writes=(LETTER.name,),
    events=EVENTS,
    searchable=searchable,
    mail_news=NEWS,
    demo=PART,
)
