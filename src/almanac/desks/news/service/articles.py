"""Articles: finding stories by words, tag, country, language, source and date, and opening one with its sources."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta

from almanac.accounts.model import Principal
from almanac.articles.labels import allowed_tags
from almanac.desks.news.events import record_event
from almanac.desks.news.indexing import KIND
from almanac.desks.news.model.articles import NewsArticle
from almanac.desks.news.pipeline.rewrite import REWRITE
from almanac.desks.news.store import articles as store
from almanac.desks.news.writer.step import STORY
from almanac.errors import Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.search import Correction, SearchOrder, SearchViewer
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class StoryFilter:
    """Which stories; `since` and `until` are days, both included. Without words the latest come first."""

    words: str = ""
    tag: str | None = None
    country: str | None = None
    language: str | None = None
    source: str | None = None
    since: date | None = None
    until: date | None = None


@dataclass(frozen=True, slots=True)
class FoundStories:
    """One page of stories, and what is counted over everything found; see `SearchResults`."""

    page: Page[NewsArticle]
    facets: Mapping[str, list[tuple[str, int]]] = field(default_factory=dict)
    total: int = 0
    or_more: bool = False
    facets_among: int | None = None
    corrections: tuple[Correction, ...] = ()


async def find_articles(
    services: Services,
    principal: Principal,
    which: StoryFilter,
    *,
    facets: Sequence[str] = (),
    cursor: str | None = None,
    limit: int = 25,
    order: SearchOrder | None = None,
    forgiving: bool = False,
    languages: Sequence[str] = (),
) -> FoundStories:
    """Stories that match, each once with all its sources, and counts of the facets asked for."""
    results = await services.search.find(
        which.words,
        viewer=SearchViewer.for_principal(principal),
        kinds=[KIND.name],
        filters=_filters(which),
        facets=facets,
        order=order or ("relevance" if which.words else "-date"),
        since=_start(which.since),
        until=_start(which.until + timedelta(days=1)) if which.until else None,
        cursor=cursor,
        limit=limit,
        forgiving=forgiving,
        languages=languages,
        bare=True,
    )
    async with services.database.reading() as reading:
        articles = await store.list_articles(reading, [int(hit.id) for hit in results.hits])
    values = {name: [(facet.value, facet.count) for facet in counts] for name, counts in results.facets.items()}
    return FoundStories(
        Page(articles, results.next_cursor),
        values,
        results.total,
        results.or_more,
        results.facets_among,
        results.corrections,
    )


async def get_article(services: Services, link_id: int) -> NewsArticle:
    """One article with everybody who tells its story."""
    async with services.database.reading() as reading:
        articles = await store.list_articles(reading, [link_id]) if link_id < 2**31 else []
    if not articles:
        raise NotFound(gettext("This article doesn't exist; its link may not have been read yet."))
    return articles[0]


async def ask_model_again(services: Services, principal: Principal, link_id: int) -> None:
    """Queue a story for which extraction took the place of a model. Conflict where no model is to be asked."""
    article = await get_article(services, link_id)
    can_retry = article.fallback is not None and article.fallback.can_retry
    if not can_retry or services.models.config.for_step(STORY.name) is None:
        raise Conflict(gettext("No model is waiting to write about this article, so there is nothing to try again."))
    async with services.database.unit() as unit:
        await record_event(unit, services, principal.actor, "news.story.retried", str(link_id))
        lock = f"news.rewrite-now:{link_id}"
        await services.jobs.defer(REWRITE, {"link_id": link_id}, unit=unit, queueing_lock=lock)


async def list_tags(services: Services) -> dict[str, int]:
    """Every tag that can be given or is in use, with how many articles have it."""
    async with services.database.reading() as reading:
        used = await store.count_tags(reading)
    return used | {tag: 0 for tag in allowed_tags() if tag not in used}


def _filters(which: StoryFilter) -> dict[str, list[str]]:
    asked = {"tag": which.tag, "country": which.country, "lang": which.language, "source": which.source}
    return {name: [value] for name, value in asked.items() if value}


def _start(day: date | None) -> datetime | None:
    return datetime.combine(day, time(), UTC) if day else None
