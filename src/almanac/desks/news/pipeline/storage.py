"""Stores visits, many in one transaction: articles, stories, search entries, events and the status of links.

Deduplication runs under a lock, so that two workers can't both store the same page as the first.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.articles.similarity import lsh_bands
from almanac.desks.news.events import COMPLETED
from almanac.desks.news.indexing import KIND, index_stories
from almanac.desks.news.model.articles import LANGUAGES, text_hash
from almanac.desks.news.model.canonical_urls import url_hash
from almanac.desks.news.model.links import LeasedLink, LinkStatus
from almanac.desks.news.pipeline.context import PipelineContext
from almanac.desks.news.pipeline.dedup import find_duplicate, group_by_story, has_single_url, mark_duplicate
from almanac.desks.news.pipeline.outcome import (
    ArticleRead,
    LinkEnded,
    VisitOutcome,
    keep_existing_article,
    unexpected_failure,
)
from almanac.desks.news.pipeline.rewrite import schedule_rewrite
from almanac.desks.news.pipeline.site_health import record_successes, record_trouble
from almanac.desks.news.store import articles, links
from almanac.desks.news.store.articles import NewArticle
from almanac.desks.news.store.links import LinkUpdate
from almanac.errors import Retryable
from almanac.jobs import JobLeaseLost
from almanac.language.boilerplate import find_instructions, is_instruction
from almanac.relational import Unit
from almanac.services import Services

Visit = tuple[LeasedLink, VisitOutcome]
logger = logging.getLogger(__name__)


async def save_visits(ctx: PipelineContext, visits: Sequence[Visit]) -> list[LinkStatus]:
    """Store outcomes and return the new statuses. Links whose lease is lost are skipped: another worker has them.

    Where a batch fails, each visit is stored on its own, so that one bad page can't block the others.
    """
    try:
        return await _save_batch(ctx, visits)
    except (JobLeaseLost, Retryable):
        raise
    except Exception:
        logger.exception("Links could not be stored.", extra={"links": [link.id for link, _ in visits]})
    if len(visits) == 1:
        return await _save_batch(ctx, [(visits[0][0], unexpected_failure())])
    return [status for visit in visits for status in await save_visits(ctx, [visit])]


async def _save_batch(ctx: PipelineContext, visits: Sequence[Visit]) -> list[LinkStatus]:
    services, now = ctx.services, ctx.services.clock.now()
    async with ctx.open_unit() as unit:
        await links.lock_deduplication(unit)
        leased = await links.lock_leased_links(unit, [link.id for link, _ in visits], ctx.lease)
        checked = [(link, await _deduplicate(unit, link, outcome)) for link, outcome in visits if link.id in leased]
        read = [(link, outcome) for link, outcome in checked if isinstance(outcome, ArticleRead)]
        ended = [(link, _link_ended(outcome)) for link, outcome in checked]
        saved = await _save_articles(unit, read, now)
        if ended:
            await links.update_links(unit, {link.id: end.update for link, end in ended}, now)
        await record_successes(unit, ended, now)
        for link, end in ended:
            await record_trouble(unit, services, link, end)
        await saved.publish(unit, services)
        for link, outcome in read:
            await schedule_rewrite(services, unit, link.id, outcome.written.fallback)
        merged = [str(link.id) for link, end in ended if link.text_hash and end.update.duplicate_of is not None]
        await services.search.remove(unit, KIND.name, merged)
    return [end.update.status for _, end in ended]


def _link_ended(outcome: VisitOutcome) -> LinkEnded:
    if isinstance(outcome, LinkEnded):
        return outcome
    conditions = outcome.conditions
    update = LinkUpdate(status=LinkStatus.COMPLETED, etag=conditions.etag, last_modified=conditions.last_modified)
    return LinkEnded(update=update, site="answered", status_code=outcome.status_code)


async def _deduplicate(unit: Unit, link: LeasedLink, outcome: VisitOutcome) -> VisitOutcome:
    """Mark a page that another link has already as a duplicate; otherwise record all its addresses for this link."""
    if isinstance(outcome, LinkEnded):
        return keep_existing_article(link, outcome)
    if has_single_url(link, outcome.urls):
        return outcome
    urls = {url_hash(url): url for url in outcome.urls}
    original = await find_duplicate(unit, link.id, list(urls))
    if original is not None:
        return mark_duplicate(original)
    for hashed, url in urls.items():
        if await links.find_link_by_hash(unit, [hashed]) is None:
            await links.add_alias(unit, link.id, url, hashed)
    return outcome


@dataclass(frozen=True, slots=True)
class _SavedArticles:
    """Stored articles; published once the status of their links is stored too."""

    links: Sequence[LeasedLink]
    articles: Sequence[NewArticle]

    async def publish(self, unit: Unit, services: Services) -> None:
        """Index the stories and send webhooks. A story is indexed once, by its first article."""
        if not self.articles:
            return
        await index_stories(unit, services.search, sorted({article.cluster for article in self.articles}))
        merged = [str(article.link_id) for article in self.articles if article.cluster != article.link_id]
        await services.search.remove(unit, KIND.name, merged)
        events = [_event(link, article) for link, article in zip(self.links, self.articles, strict=True)]
        await services.webhooks.publish_all(unit, COMPLETED, events)


async def _save_articles(unit: Unit, read: Sequence[tuple[LeasedLink, ArticleRead]], now: datetime) -> _SavedArticles:
    if not read:
        return _SavedArticles((), ())
    stories = await group_by_story(unit, {link.id: outcome.page.signature for link, outcome in read}, now)
    new = [_new_article(link, outcome, stories[link.id], now) for link, outcome in read]
    await articles.upsert_articles(unit, new, now)
    return _SavedArticles([link for link, _ in read], new)


def _event(link: LeasedLink, article: NewArticle) -> dict[str, object]:
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


def _new_article(link: LeasedLink, read: ArticleRead, story: int, now: datetime) -> NewArticle:
    page, written = read.page, read.written
    return NewArticle(
        link_id=link.id,
        title=next((title for title in (page.title, link.title) if title and not is_instruction(title)), link.url),
        titles={language: text for language, text in written.headlines.items() if language in LANGUAGES},
        content=written.list_form(page.language),
        bullets={language: written.point_form(language) for language in LANGUAGES},
        tags=read.tags,
        country=page.country,
        news_date=page.published or link.published,
        metadata=_metadata(link, read, now),
        article=page.text,
        language=page.language,
        text_hash=text_hash(page.text),
        cluster=story,
        signature=page.signature,
        bands=lsh_bands(page.signature) if page.signature else None,
    )


def _metadata(link: LeasedLink, read: ArticleRead, now: datetime) -> dict[str, Any]:
    page, written = read.page, read.written
    return {
        "source_domain": link.domain,
        "language": page.language,
        "words": len(page.text.split()),
        "date_from": "page" if page.published else "source" if link.published else None,
        **written.metadata(),
        "instructions": [*find_instructions(f"{page.title}\n\n{page.text}"), *page.hidden_instructions],
        "read_at": now.isoformat(),
    }
