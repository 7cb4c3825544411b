"""Rows that other programs put into the documented tables: their links get an identity, their articles are found."""

import logging

from almanac.desks.news.indexing import index_story
from almanac.desks.news.model.urls import canonical_url, domain_of, url_hash
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.links import Adopted
from almanac.errors import InputError, Retryable
from almanac.services import Services

AT_A_TIME = 1000
logger = logging.getLogger(__name__)


async def adopt_foreign_rows(services: Services) -> int:
    """Take in what other programs have written since the last time; returns how many rows that were."""
    return await _adopt_links(services) + await _adopt_articles(services)


async def _adopt_links(services: Services) -> int:
    """Work out the identity of links, so that the same page is known when a task finds it by another address."""
    adopted = 0
    while True:
        async with services.database.unit() as unit:
            foreign = await links.list_foreign(unit, AT_A_TIME)
            now = services.clock.now()
            known: list[Adopted] = []
            for link_id, url in foreign:
                try:
                    canonical = canonical_url(url)
                    known.append(Adopted(link_id, canonical, url_hash(canonical), domain_of(url)))
                except InputError as error:
                    await links.refuse_foreign(unit, link_id, error.sentence, now)
            if known:
                await links.ensure_domains(unit, [one.domain for one in known], now)
                await links.adopt_links(unit, known)
        adopted += len(foreign)
        if len(foreign) < AT_A_TIME:
            return adopted


async def _adopt_articles(services: Services) -> int:
    """Make articles findable, each as a story of its own. One that no index takes keeps the others waiting for nothing:
    it is looked for in ever smaller batches, and passed over."""
    adopted, size = 0, AT_A_TIME
    while True:
        try:
            found = await _adopt_batch(services, size)
            size = min(size * 2, AT_A_TIME)
        except Retryable:
            # The database was away, which is no fault of any article: the next run takes them all.
            raise
        except Exception:
            if size > 1:
                size //= 2
                continue
            logger.exception("An article of another program can't be searched for.")
            found = await _pass_over_one(services)
        adopted += found
        if not found:
            return adopted


async def _adopt_batch(services: Services, size: int) -> int:
    async with services.database.unit() as unit:
        foreign = await articles.adopt_articles(unit, size)
        await index_story(unit, services.search, foreign)
    return len(foreign)


async def _pass_over_one(services: Services) -> int:
    """Leave the next article out of the search; it is a story, and can be read, all the same."""
    async with services.database.unit() as unit:
        return len(await articles.adopt_articles(unit, 1))
