"""Maintenance of the tables: adopt rows of other programs, reset stuck links, delete old failures, vacuum."""

import logging

from almanac.desks.news.indexing import index_stories
from almanac.desks.news.model.canonical_urls import canonical_url, url_domain, url_hash
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.links import AdoptedLink
from almanac.desks.news.store.rows import QUERIES
from almanac.errors import InputError, Retryable
from almanac.relational import Database
from almanac.services import Services

BATCH_SIZE = 1000
_VACUUM = ("vacuum_links", "vacuum_content", "vacuum_tasks")
logger = logging.getLogger(__name__)


async def adopt_foreign_rows(services: Services) -> int:
    """Take over links and articles that other programs have inserted since the last run; returns how many."""
    return await _adopt_links(services) + await _adopt_articles(services)


async def _adopt_links(services: Services) -> int:
    """Fill in canonical address, hash and domain, so that tasks recognise the page under another address."""
    adopted = 0
    while True:
        async with services.database.unit() as unit:
            foreign = await links.list_foreign_links(unit, BATCH_SIZE)
            now = services.clock.now()
            identified: list[AdoptedLink] = []
            for link_id, url in foreign:
                try:
                    canonical = canonical_url(url)
                    identified.append(AdoptedLink(link_id, canonical, url_hash(canonical), url_domain(url)))
                except InputError as error:
                    await links.reject_foreign_link(unit, link_id, str(error.sentence), now)
            if identified:
                await links.ensure_domains(unit, [link.domain for link in identified], now)
                await links.adopt_links(unit, identified)
        adopted += len(foreign)
        if len(foreign) < BATCH_SIZE:
            return adopted


async def _adopt_articles(services: Services) -> int:
    """Index articles of other programs, each as its own story.

    An article that can't be indexed must not block the others: batches are halved until it is alone, then it is
    skipped.
    """
    adopted, size = 0, BATCH_SIZE
    while True:
        try:
            count = await _adopt_batch(services, size)
            size = min(size * 2, BATCH_SIZE)
        except Retryable:
            # The database was unavailable, which is no article's fault: the next run adopts them all.
            raise
        except Exception:
            if size > 1:
                size //= 2
                continue
            logger.exception("An article of another program can't be indexed.")
            count = await _skip_article(services)
        adopted += count
        if not count:
            return adopted


async def _adopt_batch(services: Services, size: int) -> int:
    async with services.database.unit() as unit:
        link_ids = await articles.adopt_articles(unit, size)
        await index_stories(unit, services.search, link_ids)
    return len(link_ids)


async def _skip_article(services: Services) -> int:
    """Adopt the next article without indexing it: it can be read but not searched."""
    async with services.database.unit() as unit:
        return len(await articles.adopt_articles(unit, 1))


async def delete_old_failures(database: Database) -> int:
    """Delete links that failed more than thirty days ago; returns how many."""
    async with database.unit() as unit:
        return await unit.execute(QUERIES["delete_old_failures"])


async def reset_stuck_links(database: Database) -> int:
    """Return links to the queue that have been in progress for more than an hour; returns how many.

    For programs that don't store when they took a link, the hour starts when it is first seen here.
    """
    async with database.unit() as unit:
        await unit.execute(QUERIES["mark_unchecked_links"])
        return await unit.execute(QUERIES["reset_stuck_links"])


async def vacuum_tables(database: Database) -> None:
    """Free space and refresh statistics; outside of any transaction, as PostgreSQL requires."""
    async with database.dedicated() as connection:
        for name in _VACUUM:
            await connection.execute(QUERIES[name])
