"""Links: adding them by hand, listing and retrying them, counting them, and looking up what became of an address."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.news.events import record_event
from almanac.desks.news.jobs import start_reading_links
from almanac.desks.news.model.canonical_urls import canonical_url, url_domain, url_hash
from almanac.desks.news.model.links import RETRIABLE, FoundLink, LinkStats, LinkStatus, NewsLink
from almanac.desks.news.pipeline.new_links import BY_HAND, FoundBy, LinkTally, add_found_links
from almanac.desks.news.service.paging import cursor_position
from almanac.desks.news.store import articles, sites, tasks
from almanac.desks.news.store import links as store
from almanac.errors import Conflict, InputError, NotFound
from almanac.kit.messages import gettext, join_texts
from almanac.kit.paging import Page, build_page
from almanac.relational import Unit
from almanac.services import Services

MAX_BY_HAND = 10_000
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFilter:
    """Which links to list: by status, by the task that found them, by domain."""

    status: LinkStatus | None = None
    task: str | None = None
    domain: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UrlFate:
    """What became of an address. `status` is that of its link, or `unknown`."""

    url: str
    canonical_url: str
    status: str
    sentence: str
    link: NewsLink | None = None
    found_by: list[str] = field(default_factory=list)
    also_known_as: list[str] = field(default_factory=list)
    story: int | None = None
    blocked_until: datetime | None = None

    @property
    def next_attempt_at(self) -> datetime | None:
        """When the link is tried next; None where it isn't, or where there is no link."""
        return self.link.next_attempt_at if self.link else None


async def add_links(
    services: Services, principal: Principal, urls: Sequence[str], *, task_name: str | None = None
) -> LinkTally:
    """Add addresses by hand and queue the new ones. InputError where the only address given is invalid."""
    if not 0 < len(urls) <= MAX_BY_HAND:
        raise InputError(gettext("Give 1 to %(limit)s addresses at a time.", limit=f"{MAX_BY_HAND:,}"))
    if len(urls) == 1:
        canonical_url(urls[0])
    found_by = await _found_by(services, task_name)
    tally = await add_found_links(services.database, services.clock, [FoundLink(url=url) for url in urls], found_by)
    async with services.database.unit() as unit:
        counts = {"found": tally.found, "added": tally.added}
        await record_event(unit, services, principal.actor, "news.links.added", "links", **counts)
        if tally.added:
            await start_reading_links(services, unit)
    return tally


async def _found_by(services: Services, task_name: str | None) -> FoundBy:
    if task_name is None:
        return BY_HAND
    async with services.database.unit() as unit:
        task = await tasks.find_task(unit, task_name)
    if task is None:
        raise NotFound(gettext("There is no task named “%(task_name)s”.", task_name=task_name))
    return FoundBy(task.task_name, task.id)


async def get_link(services: Services, link_id: int) -> NewsLink:
    """One link, or NotFound."""
    async with services.database.unit() as unit:
        link = await store.find_link(unit, link_id) if link_id < 2**31 else None
    if link is None:
        raise NotFound(gettext("This link doesn't exist."))
    return link


async def list_links(
    services: Services, which: LinkFilter | None = None, *, cursor: str | None = None, limit: int = 50
) -> Page[NewsLink]:
    """Links, newest first."""
    which = which or LinkFilter()
    of = f"news links {which}"
    before = cursor_position(services, cursor, of, int)
    async with services.database.reading() as reading:
        rows = await store.list_links(
            reading, status=which.status, task=which.task, domain=which.domain, before=before, limit=limit + 1
        )
    return build_page(rows, limit, lambda link: (link.id,), of=of, key=services.key("cursors"))


async def retry_link(services: Services, principal: Principal, link_id: int) -> NewsLink:
    """Queue one link again. Conflict where it is queued or being read already."""
    link = await get_link(services, link_id)
    async with services.database.unit() as unit:
        if not await store.retry_links(unit, [link_id], sorted(RETRIABLE)):
            raise Conflict(
                gettext("This link is being read already, so there is nothing to retry.")
                if link.status == LinkStatus.PROCESSING
                else gettext("This link is pending already, so there is nothing to retry.")
            )
        await record_event(unit, services, principal.actor, "news.link.retried", str(link_id))
        await start_reading_links(services, unit)
    return await get_link(services, link_id)


async def retry_links(
    services: Services,
    principal: Principal,
    *,
    status: LinkStatus = LinkStatus.FAILED,
    cause: str | None = None,
    domain: str | None = None,
) -> int:
    """Queue all failed or all blocked links again, or those with a cause or domain; returns how many."""
    if status not in (LinkStatus.FAILED, LinkStatus.BLOCKED):
        raise InputError(gettext("Only failed and blocked links can be retried in bulk."))
    async with services.database.unit() as unit:
        count = await store.retry_links_by_status(unit, status=status, cause=cause, domain=domain)
        await record_event(unit, services, principal.actor, "news.links.retried", str(status), count=count)
        if count:
            await start_reading_links(services, unit)
    return count


async def count_links_by_status(services: Services) -> LinkStats:
    """The documented statistics, with blocked and duplicate links as well."""
    async with services.database.unit() as unit:
        return await store.count_links_by_status(unit)


async def look_up_url(services: Services, url: str) -> UrlFate:
    """What became of an address, in any spelling. InputError where it isn't a web address."""
    canonical = canonical_url(url)
    async with services.database.unit() as unit:
        link = await store.find_link_by_hash(unit, [url_hash(canonical), url_hash(url.strip())])
        block = await sites.find_active_block(unit, url_domain(url), services.clock.now())
        until = block[0] if block else None
        if link is None:
            sentence = gettext("No task has found this address, and nobody has added it.")
            if block is not None:
                sentence = gettext(
                    "No task has found this address, and nobody has added it. Its site is blocked until %(day)s: "
                    "%(reason)s",
                    day=f"{block[0]:%Y-%m-%d}",
                    reason=block[1],
                )
            return UrlFate(url=url, canonical_url=canonical, status=UNKNOWN, sentence=sentence, blocked_until=until)
        return UrlFate(
            url=url,
            canonical_url=canonical,
            status=link.status,
            sentence=_describe(link),
            link=link,
            found_by=await store.list_link_tasks(unit, link.id),
            also_known_as=await store.list_link_aliases(unit, link.id),
            story=await _find_story(unit, link),
            blocked_until=until,
        )


async def _find_story(unit: Unit, link: NewsLink) -> int | None:
    article = await articles.find_article(unit, link.duplicate_of or link.id)
    return article.cluster if article else None


def _describe(link: NewsLink) -> str:
    reason = link.error_message or ""
    retry_at = link.next_attempt_at
    match link.status:
        case LinkStatus.COMPLETED:
            return _and_reason(gettext("It was read and is listed."), reason)
        case LinkStatus.PENDING:
            return _and_reason(_describe_waiting(retry_at), reason)
        case LinkStatus.PROCESSING:
            return gettext("It is being read right now.")
        case LinkStatus.DUPLICATE:
            return reason or gettext("It is another address of a link that is already listed.")
        case LinkStatus.BLOCKED:
            return _describe_blocked(retry_at, reason)
    return gettext("It could not be read: %(reason)s", reason=reason or gettext("no reason was recorded."))


def _describe_waiting(retry_at: datetime | None) -> str:
    if retry_at is None:
        return gettext("It is waiting to be read.")
    moment = f"{retry_at:%Y-%m-%d %H:%M} UTC"
    return gettext("It is waiting to be read. It will be retried after %(moment)s.", moment=moment)


def _describe_blocked(retry_at: datetime | None, reason: str) -> str:
    if retry_at is None:
        return gettext("It is blocked: %(reason)s", reason=reason)
    day = f"{retry_at:%Y-%m-%d}"
    return gettext("It is blocked: %(reason)s It will be retried after %(day)s.", reason=reason, day=day)


def _and_reason(sentence: str, reason: str) -> str:
    return join_texts([sentence, reason], " ") if reason else sentence
