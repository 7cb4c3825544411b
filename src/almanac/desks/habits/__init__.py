"""The habits desk: habits, streaks, points, achievements and a leaderboard."""

from almanac.desks.habits.day import load_day
from almanac.desks.habits.demo import PART
from almanac.desks.habits.events import AUDIT_SENTENCES, EVENTS
from almanac.desks.habits.explainer import WHY
from almanac.desks.habits.indexing import HabitProvider
from almanac.desks.habits.jobs import JOBS, SCHEDULES
from almanac.desks.habits.permissions import READ, WRITE
from almanac.desks.habits.service.handover import GROUPS
from almanac.desks.habits.urls import TABS
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.messages import gettext, pgettext
from almanac.search import DocumentProvider
from almanac.services import Services


def _search_providers(services: Services) -> tuple[DocumentProvider, ...]:
    return (HabitProvider(services.database),)


DESK = Desk(
    package=__name__,
    name="habits",
    title=gettext("Habits"),
    short_title=pgettext("phone bar", "Habits"),
    summary=gettext("Habits, streaks, points, achievements and a leaderboard."),
    day=load_day,
    places={href: words for _, words, href in TABS},
    actions=(
        Action(
            title=gettext("New habit"),
            href="/habits/new",
            permission=WRITE,
            words="add create",
        ),
        Action(
            title=gettext("Import or export habits"),
            href="/habits/files",
            permission=READ,
            words="download upload",
        ),
    ),
    jobs=JOBS,
    schedules=SCHEDULES,
    events=EVENTS,
    audit_sentences=AUDIT_SENTENCES,
    search_providers=_search_providers,
    demo=PART,
    why=WHY,
    handover=(GROUPS,),
)
