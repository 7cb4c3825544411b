"""The newsletter desk: from configuration to a finished issue in four steps."""

from almanac.desks.newsletter.day import DEEDS, load_day, name_newsletter, name_newsletters
from almanac.desks.newsletter.demo import PART
from almanac.desks.newsletter.events import AUDIT_SENTENCES, EVENTS
from almanac.desks.newsletter.explainer import WHY
from almanac.desks.newsletter.indexing import search_providers
from almanac.desks.newsletter.jobs import JOBS, SCHEDULES
from almanac.desks.newsletter.permissions import WRITE
from almanac.desks.newsletter.service.handover import NEWSLETTERS
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.messages import gettext, pgettext

DESK = Desk(
    package=__name__,
    name="newsletter",
    api_noun="newsletters",
    title=gettext("Newsletter"),
    short_title=pgettext("phone bar", "Letters"),
    summary=gettext("From configuration to a finished issue in four steps."),
    day=load_day,
    deeds=DEEDS,
    actions=(
        Action(
            title=gettext("New newsletter"),
            href="/newsletter/new",
            permission=WRITE,
            words="write create issue",
        ),
        Action(
            title=gettext("Publish an issue"),
            href="/newsletter",
            permission=WRITE,
            words="newsletter send export",
        ),
    ),
    jobs=JOBS,
    schedules=SCHEDULES,
    events=EVENTS,
    audit_sentences=AUDIT_SENTENCES,
    audit_namers={"newsletter": name_newsletters},
    search_providers=search_providers,
    object_namers={"newsletter": name_newsletter},
    demo=PART,
    why=WHY,
    handover=(NEWSLETTERS,),
    is_publishable=True,
)
