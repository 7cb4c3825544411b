"""The news desk: finds links, reads each page once, and summarises it in three languages."""

from almanac.desks.news.day import DEEDS, load_day, name_stories, name_story, name_task
from almanac.desks.news.demo import PART
from almanac.desks.news.events import AUDIT_SENTENCES, EVENTS
from almanac.desks.news.explainer import WHY
from almanac.desks.news.indexing import KIND, StoryProvider
from almanac.desks.news.jobs import JOBS, RUN_TASK, SCHEDULES
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.urls import TABS
from almanac.desks.news.writer.step import STORY
from almanac.http.actions import Action
from almanac.http.desk import Desk
from almanac.kit.messages import gettext, pgettext

DESK = Desk(
    package=__name__,
    name="news",
    title=gettext("News"),
    short_title=pgettext("phone bar", "News"),
    summary=gettext("Links from queries and feeds, each read once, summarised and headlined in three languages."),
    day=load_day,
    deeds=DEEDS,
    places={href: words for _, words, href in TABS},
    actions=(
        Action(
            title=gettext("New news task"),
            href="/news/tasks/new",
            permission=WRITE,
            words="follow add",
        ),
        Action(
            title=gettext("See what became of a link"),
            href="/news/fate",
            permission=READ,
            words="fate address",
        ),
    ),
    jobs=JOBS,
    schedules=SCHEDULES,
    writer_steps=(STORY.name,),
    events=EVENTS,
    audit_sentences=AUDIT_SENTENCES,
    audit_namers={"story": name_stories},
    object_namers={"news task": name_task, "story": name_story},
    search_providers=lambda services: (StoryProvider(services.database),),
    demo=PART,
    why=WHY,
    feed_kind=KIND.name,
    collector=RUN_TASK.name,
)
