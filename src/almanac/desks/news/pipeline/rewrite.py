"""Asks a model again about a story that extraction wrote in its place; the page isn't fetched again."""

import asyncio
from dataclasses import replace

from almanac.articles import ParsedPage
from almanac.articles.highlights import pick_highlights
from almanac.desks.news.indexing import index_stories
from almanac.desks.news.model.articles import NewsArticle, StoryFallback
from almanac.desks.news.store import articles
from almanac.desks.news.writer.composer import StoryComposer
from almanac.desks.news.writer.step import STORY
from almanac.jobs import JobType, RunningJob
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services

MAX_ATTEMPTS = 5


async def schedule_rewrite(services: Services, unit: Unit, link_id: int, fallback: StoryFallback | None) -> None:
    """Queue the job that asks a model again at the time that the fallback names. No-op where it names none."""
    if fallback is not None and fallback.retry_at is not None:
        lock = f"news.rewrite:{link_id}"
        args = {"link_id": link_id}
        await services.jobs.defer(REWRITE, args, unit=unit, schedule_at=fallback.retry_at, queueing_lock=lock)


async def rewrite_story(services: Services, link_id: int) -> bool:
    """Write about a stored article again; False where there is nothing to write again.

    Raises Retryable where a model should be asked later.
    """
    if services.models.config.for_step(STORY.name) is None:
        return False
    async with services.database.unit() as unit:
        article = await articles.find_article(unit, link_id)
    if article is None or article.fallback is None or not article.article:
        return False
    composer = StoryComposer(services.writer, services.clock, services.judge)
    written = await composer.compose(await asyncio.to_thread(_read_stored, article), link_id)
    if written.fallback is not None:
        written = replace(written, fallback=_count_attempt(written.fallback, article.fallback))
    async with services.database.unit() as unit:
        if not await articles.rewrite_article(unit, article, written, services.clock.now()):
            return False
        await index_stories(unit, services.search, [article.cluster])
        await schedule_rewrite(services, unit, link_id, written.fallback)
    return True


def _read_stored(article: NewsArticle) -> ParsedPage:
    return ParsedPage(
        title=article.title,
        text=article.article,
        language=article.language,
        published=article.news_date,
        stated_url=None,
        country=article.country,
        tags=tuple(article.tags),
        choice=pick_highlights(article.title, article.article),
    )


def _count_attempt(fallback: StoryFallback, earlier: StoryFallback) -> StoryFallback:
    """The model isn't asked by itself any more after the last attempt."""
    attempts = earlier.attempts + 1
    return replace(fallback, attempts=attempts, retry_at=fallback.retry_at if attempts < MAX_ATTEMPTS else None)


async def _rewrite(job: RunningJob[Services], link_id: int) -> None:
    await rewrite_story(job.services, link_id)


REWRITE = JobType(
    "news.rewrite",
    _rewrite,
    queue="news",
    title=gettext("Ask the model again about a story"),
    about=("story", "link_id"),
)
