"""Rows that other programs put into the documented tables: their links get an identity, their articles are found."""

from almanac.desks.news.indexing import index_story
from almanac.desks.news.model.urls import canonical_url, domain_of, url_hash
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.links import Adopted
from almanac.errors import InputError
from almanac.services import Services

AT_A_TIME = 1000


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
    """Make articles findable, each as a story of its own."""
    adopted = 0
    while True:
        async with services.database.unit() as unit:
            foreign = await articles.adopt_articles(unit, AT_A_TIME)
            await index_story(unit, services.search, foreign)
        adopted += len(foreign)
        if len(foreign) < AT_A_TIME:
            return adopted
