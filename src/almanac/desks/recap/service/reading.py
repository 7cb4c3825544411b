"""Reading articles: lists by any filter, one article with its texts, the desk at a glance, values to filter by."""

from collections.abc import AsyncIterator, Mapping, Sequence
from datetime import timedelta

import msgspec

from almanac.desks.recap import register
from almanac.desks.recap.assets import load_asset, load_foreign_asset, load_record
from almanac.desks.recap.filing import card_of, values_of
from almanac.desks.recap.filters import FACETS, ArticleFilter, Facet, folded
from almanac.desks.recap.searching import find_articles
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.table import Article, ArticleCard
from almanac.desks.recap.views import ArticlePage, BareArticle, FacetValue, FullArticle, Headlines
from almanac.errors import NotFound
from almanac.services import Services

_LATEST = 10
_TRENDS = 15
_TREND_DAYS = 60
_SUGGESTED: tuple[Facet, ...] = ("keyword", "person", "category", "meeting", "house", "session")
_EXPORTED_AT_A_TIME = 50
_EVERYTHING = ArticleFilter()


async def list_articles(
    services: Services,
    wanted: ArticleFilter,
    *,
    facets: Sequence[Facet] = (),
    cursor: str | None = None,
    limit: int = 20,
) -> ArticlePage:
    """One page of the articles that a filter finds."""
    return await find_articles(services, wanted, facets=facets, cursor=cursor, limit=limit)


async def open_article(services: Services, article_id: str, version: int | None = None) -> FullArticle:
    """An article with its texts and the record they rest on; an older version where one is asked for."""
    article = await store.get_article(services.tables, article_id)
    latest = article.version or 1
    url = article.asset_url or ""
    if version is not None and version != latest:
        url = (await store.get_version(services.tables, article, version)).asset_url
    return await _opened(services, article, url, version or latest)


async def show_article(services: Services, article_id: str, version: int | None = None) -> FullArticle | BareArticle:
    """The article as a reader sees it. One that another program wrote is shown as far as it can be read."""
    try:
        return await open_article(services, article_id, version)
    except NotFound as unreadable:
        article = await store.find_article(services.tables, article_id)
        if article is None or version not in (None, article.version):
            raise
        return await _bare(services, article, unreadable.sentence)


async def _bare(services: Services, article: Article, problem: str) -> BareArticle:
    filed = values_of(article)
    return BareArticle(
        card=card_of(article),
        problem=problem,
        issue_id=article.issue_id or "",
        people=filed["person"],
        keywords=filed["keyword"],
        terms=[term for term in article.terms if _is_explained(term)],
        asset=await load_foreign_asset(services, article.asset_url or ""),
        updated_at=article.updated_at,
    )


def _is_explained(term: object) -> bool:
    return isinstance(term, dict) and bool(term.get("term")) and bool(term.get("definition"))


async def _opened(services: Services, article: Article, url: str, version: int) -> FullArticle:
    asset = await load_asset(services, url)
    return FullArticle(
        card=card_of(article),
        recap=asset.recap,
        meeting=await load_record(services, asset.record_url),
        version=version,
        latest=article.version or 1,
        updated_at=article.updated_at,
        bills=article.bills or (),
        agenda=article.agenda or (),
    )


async def headlines(services: Services) -> Headlines:
    """The latest articles, and what and who was most in them lately."""
    latest = await find_articles(services, ArticleFilter(), cursor=None, limit=_LATEST)
    since = services.clock.now().date() - timedelta(days=_TREND_DAYS)
    lately = await frequent(services, ("keyword", "person"), ArticleFilter(since=since), most=_TRENDS)
    trends = lately or await frequent(services, ("keyword", "person"), most=_TRENDS)
    return Headlines(
        latest=[listed.card for listed in latest.items],
        keywords=[one for one in trends if one.facet == "keyword"],
        people=[one for one in trends if one.facet == "person"],
    )


async def frequent(
    services: Services, facets: Sequence[Facet], wanted: ArticleFilter = _EVERYTHING, *, most: int
) -> list[FacetValue]:
    """Of each facet the values that most articles of a filter have, the most frequent first."""
    (found,) = await frequent_in(services, (wanted, facets), most=most)
    return [one for values in found.values() for one in values]


async def frequent_in(
    services: Services, *asked: tuple[ArticleFilter, Sequence[Facet]], most: int
) -> list[Mapping[Facet, Sequence[FacetValue]]]:
    """For each filter, such values by facet."""
    async with services.database.unit() as unit:
        counted = [await register.counts(unit, wanted, facets, most=most) for wanted, facets in asked]
    return [
        {facet: [FacetValue(one.facet, one.value, one.count) for one in found] for facet, found in one.values.items()}
        for one in counted
    ]


async def suggest(services: Services, text: str, *, facet: Facet | None = None, limit: int = 10) -> list[FacetValue]:
    """Values that begin with a text whatever its case and width, the most frequent first."""
    if not folded(text):
        return []
    facets = (facet,) if facet in FACETS else _SUGGESTED
    async with services.database.reading() as reading:
        found = await register.suggestions(reading, text, facets, limit=limit)
    return [FacetValue(one.facet, one.value, one.count) for one in found]


async def export_articles(services: Services, wanted: ArticleFilter) -> AsyncIterator[bytes]:
    """Every article that a filter finds, with its texts or why they can't be read, as a line of JSON each."""
    cursor: str | None = None
    while True:
        page = await find_articles(services, wanted, cursor=cursor, limit=_EXPORTED_AT_A_TIME)
        for listed in page.items:
            yield msgspec.json.encode(await _exported(services, listed.card)) + b"\n"
        cursor = page.next_cursor
        if cursor is None:
            return


async def _exported(services: Services, card: ArticleCard) -> dict[str, object]:
    told: dict[str, object] = {"id": card.id, "date": card.date, "house": card.name_of_house}
    try:
        article = await open_article(services, card.id)
    except NotFound as error:
        return {**told, "problem": error.sentence}
    return {**told, "version": article.version, "issue_id": article.issue_id, **msgspec.to_builtins(article.recap)}
