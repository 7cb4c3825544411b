"""The news desk's own search over 100,000 stories: as its page asks, with facets, and each with all its sources."""

import asyncio
import gc
from collections.abc import Sequence
from pathlib import Path

from news import installation
from search import BATCH, Question, answering, at, corpus, figures, questions_about

from almanac.accounts.model import CONSOLE
from almanac.desks.news.model.articles import ORIGINAL
from almanac.desks.news.model.canonical_urls import canonical_url_and_domain, url_hash
from almanac.desks.news.pages.stories import FACETS
from almanac.desks.news.service import articles as article_service
from almanac.desks.news.service.articles import StoryFilter
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.articles import NewArticle
from almanac.desks.news.store.links import NewLink
from almanac.search import SearchDocument
from almanac.services import Services
from measure import Line

READ = "UPDATE news_links SET status = 'completed', processed_at = discovered_at WHERE id = ANY(%(ids)s)"
IDS = "SELECT id FROM news_links WHERE url_hash = ANY(%(hashes)s) ORDER BY array_position(%(hashes)s, url_hash::text)"


def lines(folder: Path) -> list[Line]:
    gc.freeze()
    return asyncio.run(_measured(folder))


async def _measured(folder: Path) -> list[Line]:
    documents = list(corpus())
    async with installation(folder / "stories") as services:
        for first in range(0, len(documents), BATCH):
            await bring(services, documents[first : first + BATCH])
        await services.rebuilds.rebuild(["news"])
        async with services.database.dedicated() as connection:
            await connection.execute("VACUUM (ANALYZE) news_links, processed_content, search_documents")
        result = await answering(questions_about(documents), lambda question: ask(services, question))
        latest = await answering([("", "", "")] * 100, lambda question: ask(services, question))
    return [
        Line("stories by words and country, p95 ms", figures(result), at(result, 0.95), 100, at_most=True),
        Line("the latest stories, p95 ms", figures(latest), at(latest, 0.95), 100, at_most=True),
    ]


async def bring(services: Services, documents: Sequence[SearchDocument]) -> None:
    """Articles as if they had been read, in one transaction."""
    now = services.clock.now()
    results = [_link(document) for document in documents]
    async with services.database.unit() as unit:
        await links.add_links(unit, results, task=None, task_id=None, run_id=None, now=now)
        rows = await unit.all(IDS, {"hashes": [link.url_hash for link in results]})
        ids = [row["id"] for row in rows]
        await unit.execute(READ, {"ids": ids})
        made = [_article(link_id, document) for link_id, document in zip(ids, documents, strict=True)]
        await articles.upsert_articles(unit, made, now)


def _link(document: SearchDocument) -> NewLink:
    url = f"https://site{int(document.id) % 200}.example/news/{document.id}"
    canonical, domain = canonical_url_and_domain(url)
    hashed = url_hash(canonical)
    return NewLink(
        url=url, canonical_url=canonical, url_hash=hashed, raw_hash=hashed, domain=domain, title=document.title
    )


def _article(link_id: int, document: SearchDocument) -> NewArticle:
    first = document.body[:200]
    language = "zh" if document.language == "ja" else document.language
    return NewArticle(
        link_id=link_id,
        title=document.title,
        titles={language: document.title},
        content=f"- {first}",
        bullets={language: [first]},
        tags=document.facets["tag"],
        country=document.facets["country"][0].upper(),
        news_date=document.date.date() if document.date else None,
        metadata={"translations": {language: ORIGINAL}, "cost": 0.0},
        article=document.body,
        language=language,
        text_hash=url_hash(document.body),
        cluster=link_id,
        signature=None,
        bands=None,
    )


async def ask(services: Services, question: Question) -> None:
    first, second, country = question
    which = StoryFilter(words=f"{first} {second}".strip(), country=country.upper() or None)
    results = await article_service.find_articles(services, CONSOLE, which, facets=[name for name, _ in FACETS])
    assert len(results.page.items) == min(25, results.total)
