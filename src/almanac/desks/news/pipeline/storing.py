"""Articles as they are stored: each with its story, which is found once in the search, by its first article."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec

from almanac.articles.similarity import lsh_bands
from almanac.desks.news.events import COMPLETED
from almanac.desks.news.indexing import KIND, index_story
from almanac.desks.news.model.articles import LANGUAGES
from almanac.desks.news.model.links import LeasedLink
from almanac.desks.news.pipeline.newsroom import Newsroom
from almanac.desks.news.pipeline.outcomes import Told
from almanac.desks.news.pipeline.sameness import stories_of
from almanac.desks.news.pipeline.visiting import text_hash
from almanac.desks.news.store import articles
from almanac.desks.news.store.articles import NewArticle
from almanac.relational import Unit
from almanac.services import Services


@dataclass(frozen=True, slots=True)
class Stored:
    """Articles that are stored; once their links have ended, everybody may know."""

    links: Sequence[LeasedLink]
    articles: Sequence[NewArticle]

    async def announce(self, unit: Unit, services: Services) -> None:
        """Make the stories findable, and tell other programs."""
        if not self.articles:
            return
        await index_story(unit, services.search, sorted({one.cluster for one in self.articles}))
        joined = [str(one.link_id) for one in self.articles if one.cluster != one.link_id]
        await services.search.remove(unit, KIND.name, joined)
        told = [_announced(link, article) for link, article in zip(self.links, self.articles, strict=True)]
        await services.webhooks.publish_all(unit, COMPLETED, told)


async def store_articles(room: Newsroom, unit: Unit, told: Sequence[tuple[LeasedLink, Told]]) -> Stored:
    """Store what was read, each article with the story that it belongs to."""
    if not told:
        return Stored((), ())
    now = room.services.clock.now()
    stories = await stories_of(unit, {link.id: one.page.signature for link, one in told}, now)
    made = [_article(link, one, stories[link.id], now) for link, one in told]
    await articles.put_articles(unit, made, now)
    return Stored([link for link, _ in told], made)


def _announced(link: LeasedLink, article: NewArticle) -> dict[str, object]:
    return {
        "id": link.id,
        "url": link.url,
        "title": article.title,
        "titles": dict(article.titles),
        "tags": list(article.tags),
        "country": article.country,
        "news_date": article.news_date.isoformat() if article.news_date else None,
        "story": article.cluster,
        "language": article.language,
    }


def _article(link: LeasedLink, told: Told, story: int, now: datetime) -> NewArticle:
    page, written = told.page, told.written
    own = written.point_form(page.language)
    return NewArticle(
        link_id=link.id,
        title=page.title or link.title or link.url,
        titles={name: text for name, text in written.headlines.items() if name in LANGUAGES},
        content="\n".join(f"- {line}" for line in own),
        bullets={language: written.point_form(language) for language in LANGUAGES},
        tags=told.tags,
        country=page.country,
        news_date=page.published or link.published,
        metadata=_metadata(link, told, now),
        article=page.text,
        language=page.language,
        text_hash=text_hash(page.text),
        cluster=story,
        signature=page.signature,
        bands=lsh_bands(page.signature) if page.signature else None,
    )


def _metadata(link: LeasedLink, told: Told, now: datetime) -> dict[str, Any]:
    page, written = told.page, told.written
    return {
        "source_domain": link.domain,
        "language": page.language,
        "words": len(page.text.split()),
        "date_from": "page" if page.published else "source" if link.published else None,
        "translations": dict(written.states),
        "points": msgspec.to_builtins(written.bullets),
        "writer": written.writer,
        "prompt_version": written.prompt_version,
        "cost": written.cost,
        "dropped": list(written.dropped),
        "read_at": now.isoformat(),
    }
