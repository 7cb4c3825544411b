"""The newsletter desk: from configuration to a finished issue in four steps."""

from almanac.desks.newsletter.demo import PART
from almanac.desks.newsletter.events import EVENTS
from almanac.desks.newsletter.indexing import searchable
from almanac.desks.newsletter.jobs import JOBS
from almanac.desks.newsletter.overview import glance
from almanac.desks.newsletter.preparing import PREPARE, PREPARE_DUE
from almanac.http.desk import Desk

DESK = Desk(
    package=__name__,
    name="newsletter",
    title="Newsletter",
    summary="From configuration to a finished issue in four steps.",
    overview=glance,
    jobs=(*JOBS, PREPARE),
    schedules=(PREPARE_DUE,),
    events=EVENTS,
    search_providers=searchable,
    demo=PART,
)
