"""The recap desk: parliamentary meetings become articles: key points, a plain summary and every speech."""

from almanac.desks.recap.day import DEEDS, load_day, name_articles, name_meeting
from almanac.desks.recap.demo import PART
from almanac.desks.recap.events import AUDIT_SENTENCES, EVENTS
from almanac.desks.recap.explainer import WHY
from almanac.desks.recap.indexing import KIND, searchable
from almanac.desks.recap.jobs import COLLECT_DAILY, JOBS, SCHEDULES
from almanac.desks.recap.permissions import READ, WRITE
from almanac.desks.recap.service.follows import quote_match, quote_parts
from almanac.desks.recap.service.people import find_named_people
from almanac.desks.recap.writer.steps import RECAP_PACK, RECAP_WHOLE
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.messages import gettext, pgettext

DESK = Desk(
    package=__name__,
    name="recap",
    title=gettext("Recap"),
    short_title=pgettext("phone bar", "Recap"),
    summary=gettext("Parliamentary meetings become articles: key points, a plain summary and every speech."),
    day=load_day,
    deeds=DEEDS,
    places={
        "/recap/articles": gettext("Meetings"),
        "/recap/speeches": pgettext("parliament", "Speeches"),
        "/recap/people": pgettext("parliament", "People"),
        "/recap/bills": gettext("Bills"),
    },
    actions=(
        Action(
            title=gettext("Collect meetings"),
            href="/recap/tasks",
            permission=WRITE,
            words="tasks fetch",
        ),
        Action(
            title=gettext("Read what readers reported"),
            href="/recap/reports",
            permission=WRITE,
            words="reports errors",
        ),
        Action(
            title=pgettext("article", "Held"),
            href="/recap/held",
            permission=WRITE,
            words="hold withdraw withdrawn",
        ),
        Action(
            title=gettext("Corrections"),
            href="/recap/corrections",
            permission=READ,
            words="correct errors",
        ),
    ),
    jobs=JOBS,
    schedules=SCHEDULES,
    writer_steps=(RECAP_PACK.name, RECAP_WHOLE.name),
    events=EVENTS,
    audit_sentences=AUDIT_SENTENCES,
    audit_namers={"recap": name_articles},
    object_namers={"meeting": name_meeting},
    search_providers=searchable,
    languages=("en", "ja"),
    demo=PART,
    why=WHY,
    is_publishable=True,
    feed_kind=KIND.name,
    collector=COLLECT_DAILY.job_type.name,
    quotes=quote_parts,
    match_quotes={KIND.name: quote_match},
    names=find_named_people,
)
