"""Links: adding them by hand, listing them, letting them be read again, and how many stand where."""

from collections.abc import Sequence
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.news.events import record
from almanac.desks.news.jobs import start_reading
from almanac.desks.news.model.links import RETRIABLE, FoundLink, Link, LinkStatus, Stats
from almanac.desks.news.model.urls import canonical_url
from almanac.desks.news.service.paging import numbered_page, position
from almanac.desks.news.sources.adding import Finder, Tally, add_found
from almanac.desks.news.store import links as store
from almanac.desks.news.store import tasks
from almanac.errors import Conflict, InputError, NotFound
from almanac.kit.paging import Page
from almanac.services import Services

MOST_BY_HAND = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFilter:
    """Which links: of a status, found by a task, of a domain."""

    status: LinkStatus | None = None
    task: str | None = None
    domain: str | None = None


async def add_links(
    services: Services, principal: Principal, urls: Sequence[str], *, task_name: str | None = None
) -> Tally:
    """Add addresses by hand and let a worker read them; what is known already is not read again."""
    if not 0 < len(urls) <= MOST_BY_HAND:
        raise InputError(f"Give 1 to {MOST_BY_HAND:,} addresses at a time.")
    if len(urls) == 1:
        canonical_url(urls[0])
    finder = await _finder(services, task_name)
    tally = await add_found(services.database, services.clock, [FoundLink(url=url) for url in urls], finder)
    async with services.database.unit() as unit:
        await record(unit, services, principal.actor, "news.links.added", "links", found=tally.found, added=tally.added)
        if tally.added:
            await start_reading(services, unit)
    return tally


async def _finder(services: Services, task_name: str | None) -> Finder:
    if task_name is None:
        return Finder()
    async with services.database.unit() as unit:
        task = await tasks.find_task(unit, task_name)
    if task is None:
        raise NotFound(f"There is no task named “{task_name}”.")
    return Finder(task.task_name, task.id)


async def get_link(services: Services, link_id: int) -> Link:
    async with services.database.unit() as unit:
        found = await store.find_link(unit, link_id) if link_id < 2**31 else None
    if found is None:
        raise NotFound("There is no such link.")
    return found


async def list_links(
    services: Services, which: LinkFilter | None = None, *, cursor: str | None = None, limit: int = 50
) -> Page[Link]:
    """Links, the newest first."""
    which = which or LinkFilter()
    of = f"news links {which}"
    before = position(services, cursor, of)
    async with services.database.reading() as reading:
        found = await store.list_links(
            reading, status=which.status, task=which.task, domain=which.domain, before=before, limit=limit + 1
        )
    return numbered_page(services, found, limit, of, lambda link: link.id)


async def retry(services: Services, principal: Principal, link_id: int) -> Link:
    """Let one link be read again. A page that did not change costs nothing."""
    link = await get_link(services, link_id)
    async with services.database.unit() as unit:
        if not await store.retry_links(unit, [link_id], sorted(RETRIABLE)):
            raise Conflict(f"This link is {link.status}: it is read anyway, so there is nothing to try again.")
        await record(unit, services, principal.actor, "news.link.retried", str(link_id))
        await start_reading(services, unit)
    return await get_link(services, link_id)


async def retry_many(
    services: Services,
    principal: Principal,
    *,
    status: LinkStatus = LinkStatus.FAILED,
    cause: str | None = None,
    domain: str | None = None,
) -> int:
    """Let all failed links be read again, or all blocked ones, or those of a cause or domain; returns how many."""
    if status not in (LinkStatus.FAILED, LinkStatus.BLOCKED):
        raise InputError("Only failed and blocked links can be tried again in bulk.")
    async with services.database.unit() as unit:
        count = await store.retry_all(unit, status=status, cause=cause, domain=domain)
        await record(unit, services, principal.actor, "news.links.retried", str(status), count=count)
        if count:
            await start_reading(services, unit)
    return count


async def statistics(services: Services) -> Stats:
    """The documented statistics, with blocked and duplicate links beside them."""
    async with services.database.unit() as unit:
        return await store.statistics(unit)
