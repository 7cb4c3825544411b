"""Why an address, a story or a site is here or not: what was found, tried and decided, in order."""

import re
from collections.abc import Sequence
from datetime import datetime

from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.model.links import RETRIABLE, LinkCause, LinkStatus, NewsLink
from almanac.desks.news.permissions import READ, WRITE
from almanac.desks.news.service import sites
from almanac.desks.news.service.articles import get_article
from almanac.desks.news.service.links import UrlFate, look_up_url
from almanac.desks.news.service.sites import FOR_GOOD, SiteRecord
from almanac.desks.news.urls import story_path
from almanac.errors import InputError, NotFound
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.why import (
    UNKNOWN_SUBJECT,
    TraceAction,
    TraceStep,
    WhyQuestion,
    WhyReader,
    WhySource,
    WhySubject,
    WhyTone,
    WhyTrace,
)
from almanac.why.sentences import future_day, named_day

LINK, SITE = "link", "site"
_ADDRESS = re.compile(r"(?:https?://|www\.)\S+|[\w-]+(?:\.[\w-]+)+/\S*", re.IGNORECASE)
_DOMAIN = re.compile(r"[\w-]+(?:\.[\w-]+)*\.[a-z]{2,24}", re.IGNORECASE)
_MOST_SOURCES = 6
TONES: dict[str, WhyTone] = {
    LinkStatus.PENDING: "waiting",
    LinkStatus.PROCESSING: "running",
    LinkStatus.COMPLETED: "done",
    LinkStatus.FAILED: "failed",
    LinkStatus.BLOCKED: "waiting",
}


async def find_addresses(_reader: WhyReader, question: WhyQuestion) -> Sequence[WhySubject]:
    """An address of a page, or the name of a site; what is typed can mean nothing else."""
    words = question.words
    if _ADDRESS.fullmatch(words):
        return (WhySubject(kind=LINK, id=words, title=words, label=gettext("Address"), is_exact=True),)
    if _DOMAIN.fullmatch(words):
        return (WhySubject(kind=SITE, id=words.casefold(), title=words, label=gettext("Site"), is_exact=True),)
    return ()


async def explain_link(reader: WhyReader, url: str) -> WhyTrace:
    """What became of an address in any spelling; one that was never seen has a trace, too."""
    try:
        fate = await look_up_url(reader.services, url)
    except InputError as error:
        raise NotFound(error.sentence) from error
    return trace_fate(reader, fate, await sites.get_site(reader.services, url))


def trace_fate(reader: WhyReader, fate: UrlFate, site: SiteRecord) -> WhyTrace:
    """The way of an address: found, tried, and where it stands, with what can be done about it."""
    title = (fate.link.title if fate.link else None) or fate.url
    return WhyTrace(
        subject=WhySubject(kind=LINK, id=fate.url, title=title, label=gettext("Address")),
        state=_state(reader, fate, site),
        tone=TONES.get(fate.status, "plain"),
        href=story_path(fate.story) if fate.story else "",
        steps=[*_steps(fate), *_site_steps(reader, site)],
        next_step=_next_attempt(reader, fate.next_attempt_at),
        actions=_actions(reader, fate, site),
    )


def _state(reader: WhyReader, fate: UrlFate, site: SiteRecord) -> str:
    link = fate.link
    if link is None:
        return _never_seen(site)
    if link.cause == LinkCause.ROBOTS and link.last_checked is not None:
        day = named_day(reader.day_of(link.last_checked), reader.day_of(reader.now))
        return gettext("Not here: blocked by robots.txt on %(day)s.", day=day)
    match fate.status:
        case LinkStatus.COMPLETED:
            return gettext("Here. %(reason)s", reason=fate.sentence)
        case LinkStatus.DUPLICATE:
            return gettext("Here under another address. %(reason)s", reason=fate.sentence)
        case LinkStatus.PENDING | LinkStatus.PROCESSING:
            return gettext("Not here yet. %(reason)s", reason=fate.sentence)
    return gettext("Not here. %(reason)s", reason=fate.sentence)


def _never_seen(site: SiteRecord) -> str:
    if site.domain is None:
        return gettext("Never seen: no task finds links on %(site)s.", site=site.name)
    return gettext("Never seen: tasks find links on %(site)s, but not this one.", site=site.name)


def _steps(fate: UrlFate) -> Sequence[TraceStep]:
    link = fate.link
    if link is None:
        return (TraceStep(sentence=gettext("No task has found this address, and nobody has added it.")),)
    return [
        _found(link, fate.found_by),
        *([_tried(link)] if link.last_checked else []),
        TraceStep(
            sentence=fate.sentence,
            tone=TONES.get(link.status, "plain"),
            href=story_path(fate.story) if fate.story else f"/news/queue?domain={link.domain}",
        ),
        *(TraceStep(sentence=gettext("Also known as"), quote=alias) for alias in fate.also_known_as),
    ]


def _found(link: NewsLink, tasks: Sequence[str]) -> TraceStep:
    if tasks:
        sentence = ngettext(
            "Found by the task %(names)s.", "Found by the tasks %(names)s.", len(tasks), names=", ".join(tasks)
        )
    else:
        sentence = gettext("Added by hand.")
    return TraceStep(
        sentence=sentence, tone="done", at=link.discovered_at, href="/news/tasks", quote=link.canonical_url or link.url
    )


def _tried(link: NewsLink) -> TraceStep:
    times = ngettext("Tried once.", "Tried %(num)s times.", max(link.attempts, 1))
    return TraceStep(sentence=times, tone="done", at=link.last_checked)


def _site_steps(reader: WhyReader, site: SiteRecord) -> Sequence[TraceStep]:
    block = site.block
    if block is None or block.is_allowed or not block.expires_at or block.expires_at <= reader.now:
        return ()
    if block.expires_at >= FOR_GOOD:
        sentence = gettext("%(site)s is blocked until somebody unblocks it.", site=site.name)
    else:
        day = day_text(reader.day_of(block.expires_at), "full_date")
        sentence = gettext("%(site)s is blocked until %(day)s.", site=site.name, day=day)
    return (
        TraceStep(sentence=sentence, tone="waiting", at=block.updated_at, href="/news/sites", quote=block.reason or ""),
    )


def _next_attempt(reader: WhyReader, moment: datetime | None) -> str:
    if moment is None or moment >= FOR_GOOD:
        return ""
    return gettext("Next attempt %(day)s.", day=future_day(reader, moment))


def _actions(reader: WhyReader, fate: UrlFate, site: SiteRecord) -> Sequence[TraceAction]:
    actions = []
    if fate.story:
        actions.append(TraceAction(label=gettext("Read the story"), href=story_path(fate.story)))
    if not reader.may(WRITE):
        return actions
    if fate.link is None:
        values = {"urls": fate.url}
        actions.append(TraceAction(label=gettext("Add this link"), href="/news/queue/add", posts=True, values=values))
        actions.append(TraceAction(label=gettext("New news task"), href="/news/tasks/new"))
    elif fate.status in RETRIABLE:
        href = f"/news/queue/{fate.link.id}/retry"
        actions.append(TraceAction(label=gettext("Read it again"), href=href, posts=True))
    return [*actions, *_unblock(reader, site)]


def _unblock(reader: WhyReader, site: SiteRecord) -> Sequence[TraceAction]:
    if not reader.may(WRITE) or not _site_steps(reader, site):
        return ()
    values = {"domain": site.name}
    return (TraceAction(label=gettext("Unblock"), href="/news/sites/unblock", posts=True, values=values),)


async def explain_site(reader: WhyReader, domain: str) -> WhyTrace:
    """How a site answers and whether it is blocked; one that no task knows has a trace, too."""
    try:
        site = await sites.get_site(reader.services, domain)
    except InputError as error:
        raise NotFound(error.sentence) from error
    blocked = _site_steps(reader, site)
    return WhyTrace(
        subject=WhySubject(kind=SITE, id=site.name, title=site.name, label=gettext("Site")),
        state=blocked[0].sentence if blocked else _site_state(site),
        tone=_site_tone(site, is_blocked=bool(blocked)),
        href="/news/sites",
        steps=[*_answers(site), *blocked],
        actions=[*_links_of_site(site), *_unblock(reader, site), *_follow(reader, site)],
    )


def _site_state(site: SiteRecord) -> str:
    domain = site.domain
    if domain is None:
        return gettext("Never asked: no task finds links on %(site)s.", site=site.name)
    if domain.failures_in_a_row or domain.refusals_in_a_row:
        failures = domain.failures_in_a_row + domain.refusals_in_a_row
        return ngettext(
            "%(site)s didn't answer well the last time.",
            "%(site)s didn't answer well %(num)s times in a row.",
            failures,
            site=site.name,
        )
    return (
        gettext("%(site)s answers.", site=site.name)
        if domain.succeeded
        else gettext("%(site)s wasn't asked yet.", site=site.name)
    )


def _site_tone(site: SiteRecord, *, is_blocked: bool) -> WhyTone:
    domain = site.domain
    if is_blocked or (domain and (domain.failures_in_a_row or domain.refusals_in_a_row)):
        return "waiting"
    return "done" if domain and domain.succeeded else "plain"


def _answers(site: SiteRecord) -> Sequence[TraceStep]:
    domain = site.domain
    if domain is None:
        return ()
    steps = []
    if domain.last_success_at:
        pages = ngettext("%(num)s page was read.", "%(num)s pages were read.", domain.succeeded)
        steps.append(TraceStep(sentence=pages, tone="done", at=domain.last_success_at))
    if domain.last_problem:
        steps.append(
            TraceStep(
                sentence=gettext("Last problem"), tone="waiting", at=domain.last_request_at, quote=domain.last_problem
            )
        )
    return steps


def _links_of_site(site: SiteRecord) -> Sequence[TraceAction]:
    if site.domain is None:
        return ()
    return (TraceAction(label=gettext("See its links"), href=f"/news/queue?domain={site.name}"),)


def _follow(reader: WhyReader, site: SiteRecord) -> Sequence[TraceAction]:
    if site.domain is not None or not reader.may(WRITE):
        return ()
    return (TraceAction(label=gettext("New news task"), href="/news/tasks/new"),)


async def explain_story(reader: WhyReader, story_id: str) -> WhyTrace:
    """Who reported a story and when it was found, who wrote about it, and what was written and left out."""
    if not story_id.isdecimal():
        raise NotFound(UNKNOWN_SUBJECT)
    article = await get_article(reader.services, int(story_id))
    sources = len(article.sources) or 1
    since = article.processed_at or article.discovered_at
    day = named_day(reader.day_of(since or reader.now), reader.day_of(reader.now))
    return WhyTrace(
        subject=WhySubject(kind=KIND.name, id=story_id, title=article.title, label=KIND.title),
        state=ngettext(
            "Here since %(day)s, from %(num)s source.", "Here since %(day)s, from %(num)s sources.", sources, day=day
        ),
        tone="done",
        href=story_path(article.id),
        steps=[*_sources(article), *_writing(article)],
        actions=(TraceAction(label=gettext("Read the story"), href=story_path(article.id)),),
    )


def _sources(article: NewsArticle) -> Sequence[TraceStep]:
    steps = [
        TraceStep(
            sentence=gettext("Found at %(site)s.", site=source.domain),
            tone="done",
            at=source.discovered_at,
            href=story_path(source.link_id),
            quote=source.title,
        )
        for source in article.sources[:_MOST_SOURCES]
    ]
    if article.source_task:
        task = gettext("Found by the task %(name)s.", name=article.source_task)
        steps.append(TraceStep(sentence=task, tone="done", href="/news/tasks"))
    return steps


def _writing(article: NewsArticle) -> Sequence[TraceStep]:
    steps = []
    if article.fallback:
        sentence = gettext("Taken from the article word for word, because no model wrote about it.")
        steps.append(TraceStep(sentence=sentence, tone="waiting", quote=article.fallback.reason))
    if article.processed_at:
        points = ngettext(
            "%(num)s point was written, with the sentence it rests on.",
            "%(num)s points were written, each with the sentence it rests on.",
            len(article.points),
        )
        steps.append(TraceStep(sentence=points, tone="done", at=article.processed_at))
    if article.dropped:
        dropped = ngettext(
            "%(num)s sentence was left out: the article doesn't say it.",
            "%(num)s sentences were left out: the article doesn't say them.",
            len(article.dropped),
        )
        steps.append(TraceStep(sentence=dropped, tone="waiting", href=story_path(article.id)))
    return steps


WHY = WhySource(
    permission=READ,
    traces={LINK: explain_link, SITE: explain_site, KIND.name: explain_story},
    documents=frozenset({KIND.name}),
    find=find_addresses,
    examples=(
        (gettext("An address of an article"), gettext("Why isn't this page among the news?")),
        (gettext("A site"), gettext("Why does nothing come from this site?")),
    ),
)
