"""Lists of articles: filters are answered by the register, words by search.

Both give the same answer where they can answer the same question. Feeds, exports, headlines and suggestions are built
on these lists.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta

import msgspec

from almanac.desks.recap.indexing import KIND
from almanac.desks.recap.model.days import parse_day
from almanac.desks.recap.model.filters import FACETS, ArticleFilter, ArticleOrder, Facet, fold_value
from almanac.desks.recap.model.items import ArticleCard
from almanac.desks.recap.model.views import (
    ArticlePage,
    FacetValue,
    ForeignArticle,
    ListedArticle,
    RecapHeadlines,
    foreign_asset,
)
from almanac.desks.recap.permissions import READ
from almanac.desks.recap.pipeline.adopt import adopt_listed_articles
from almanac.desks.recap.service.articles import read_article
from almanac.desks.recap.service.correction_feed import list_withdrawals
from almanac.desks.recap.store import register, register_search
from almanac.desks.recap.store.article_mapping import decode_card
from almanac.desks.recap.store.reads import RecapReads
from almanac.desks.recap.urls import WORKSPACE, RecapUrls
from almanac.errors import Gone, NotFound
from almanac.feeds.model import Feed, FeedItem
from almanac.kit.json_text import encode_json, to_builtins
from almanac.kit.messages import gettext, pgettext, translate
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.search import SearchOrder, SearchResults, SearchViewer
from almanac.services import Services

VALUES_PER_FACET = 20
# Every caller has checked that its reader may read the desk, and whoever may read it may read all of it.
_VIEWER = SearchViewer(permissions=frozenset({READ}))
_FEED_ITEMS = 50
_LANGUAGE = "ja"
_EXPORT_BATCH = 50
_HEADLINES, _TRENDS, _TREND_DAYS = 10, 15, 60
_SUGGESTED: tuple[Facet, ...] = ("keyword", "person", "category", "meeting", "house", "session")
_NO_FILTER = ArticleFilter()
_ORDERS: Mapping[ArticleOrder, SearchOrder] = {"newest": "-date", "oldest": "date", "relevance": "relevance"}


async def list_articles(
    services: RecapReads,
    wanted: ArticleFilter,
    *,
    facets: Sequence[Facet] = (),
    cursor: str | None = None,
    limit: int = 20,
    forgiving: bool = False,
) -> ArticlePage:
    """One page of the articles that match a filter, with counts of the facets asked for."""
    if wanted.text:
        return await _list_by_words(services, wanted, facets, cursor, limit, forgiving=forgiving)
    if cursor is None and isinstance(services, Services):
        # The public side can't write; it lists what the workspace has registered.
        await adopt_listed_articles(services, wanted)
    if not facets:
        page = await list_by_register(services, wanted, cursor, limit)
        return ArticlePage(items=page.items, next_cursor=page.next_cursor)
    page, counts = await _list_page_with_counts(services, wanted, facets, cursor, limit)
    return ArticlePage(
        items=page.items,
        next_cursor=page.next_cursor,
        total=counts.total,
        total_is_exact=counts.is_exact,
        facets_among=counts.among,
        facets=counts.values,
    )


async def _list_page_with_counts(
    services: RecapReads,
    wanted: ArticleFilter,
    facets: Sequence[Facet],
    cursor: str | None,
    limit: int,
) -> tuple[Page[ListedArticle], register_search.FacetCounts]:
    """The page and the counts are read together, so that they agree."""
    key, name = services.key("cursors"), f"recap {wanted}"
    after = _decode_place(cursor, name, key)
    async with services.database.unit() as unit:
        register_page, counts = await register_search.find_page_with_counts(
            unit, wanted, facets, after=after, limit=limit, most=VALUES_PER_FACET
        )
    return _listed_page(register_page, name, key), counts


async def list_by_register(
    services: RecapReads, wanted: ArticleFilter, cursor: str | None, limit: int
) -> Page[ListedArticle]:
    """Articles that match any combination of filters without words."""
    key, name = services.key("cursors"), f"recap {wanted}"
    async with services.database.unit() as unit:
        page = await register_search.find_page(unit, wanted, after=_decode_place(cursor, name, key), limit=limit)
    return _listed_page(page, name, key)


def _listed_page(page: register_search.RegisterPage, name: str, key: bytes) -> Page[ListedArticle]:
    next_cursor = None if page.after is None else encode_cursor([page.after], of=name, key=key)
    return Page([ListedArticle(decode_card(card)) for card in page.cards], next_cursor)


def _decode_place(cursor: str | None, name: str, key: bytes) -> int | None:
    if cursor is None:
        return None
    (place,) = decode_cursor(cursor, of=name, key=key)
    return place if isinstance(place, int) else None


async def _list_by_words(
    services: RecapReads,
    wanted: ArticleFilter,
    facets: Sequence[Facet],
    cursor: str | None,
    limit: int,
    *,
    forgiving: bool,
) -> ArticlePage:
    results = await search_by_words(services, wanted, facets=facets, cursor=cursor, limit=limit, forgiving=forgiving)
    return ArticlePage(
        items=[
            ListedArticle(decode_card(msgspec.json.decode(hit.fields["card"])), hit.snippet) for hit in results.hits
        ],
        next_cursor=results.next_cursor,
        total=results.total,
        total_is_exact=not results.or_more,
        facets_among=results.facets_among,
        facets=_facet_counts(results, facets),
        corrections=results.corrections,
    )


async def search_by_words(
    services: RecapReads,
    wanted: ArticleFilter,
    *,
    facets: Sequence[Facet] = (),
    cursor: str | None = None,
    limit: int,
    forgiving: bool = False,
) -> SearchResults:
    """Articles that match a filter, from the search index, which also knows words."""
    order = _ORDERS[wanted.order]
    return await services.search.find(
        wanted.text,
        viewer=_VIEWER,
        kinds=[KIND.name],
        filters={str(facet): values for facet, values in wanted.chosen.items()},
        facets=facets,
        order=order,
        since=datetime.combine(wanted.since, time(), UTC) if wanted.since else None,
        until=datetime.combine(wanted.until + timedelta(days=1), time(), UTC) if wanted.until else None,
        cursor=cursor,
        limit=limit,
        forgiving=forgiving,
    )


def _facet_counts(results: SearchResults, facets: Sequence[Facet]) -> Mapping[Facet, Sequence[FacetValue]]:
    return {
        facet: [FacetValue(facet, count.value, count.count) for count in results.facets.get(facet, ())][
            :VALUES_PER_FACET
        ]
        for facet in facets
    }


async def get_headlines(services: RecapReads) -> RecapHeadlines:
    """The latest articles, and the most frequent keywords and people of the last weeks."""
    latest = await list_articles(services, ArticleFilter(), limit=_HEADLINES)
    since = services.clock.now().date() - timedelta(days=_TREND_DAYS)
    recent = await list_frequent_values(services, ("keyword", "person"), ArticleFilter(since=since), most=_TRENDS)
    trends = recent or await list_frequent_values(services, ("keyword", "person"), most=_TRENDS)
    return RecapHeadlines(
        latest=[listed.card for listed in latest.items],
        keywords=[value for value in trends if value.facet == "keyword"],
        people=[value for value in trends if value.facet == "person"],
    )


async def list_frequent_values(
    services: RecapReads, facets: Sequence[Facet], wanted: ArticleFilter = _NO_FILTER, *, most: int
) -> list[FacetValue]:
    """The most frequent values of each facet among the articles that match a filter."""
    (by_facet,) = await count_frequent_values(services, (wanted, facets), most=most)
    return [value for values in by_facet.values() for value in values]


async def count_frequent_values(
    services: RecapReads, *queries: tuple[ArticleFilter, Sequence[Facet]], most: int
) -> list[Mapping[Facet, Sequence[FacetValue]]]:
    """For each query the most frequent values by facet, all from one transaction."""
    async with services.database.unit() as unit:
        counts = await register_search.count_several(unit, queries, most=most)
    return [count.values for count in counts]


async def suggest_values(
    services: RecapReads, text: str, *, facet: Facet | None = None, limit: int = 10
) -> list[FacetValue]:
    """Values that begin with a text in any case and width, the most frequent first; people by any part of a name."""
    if not fold_value(text):
        return []
    async with services.database.reading() as reading:
        if facet == "person":
            return await register.find_people(reading, text, limit=limit)
        facets = (facet,) if facet in FACETS else _SUGGESTED
        begun = await register.suggest_values(reading, text, facets, limit=limit)
        people = await register.find_people(reading, text, limit=limit) if facet is None else []
    values = {(value.facet, value.value): value for value in (*begun, *people)}
    return sorted(values.values(), key=lambda value: -value.count)[:limit]


async def build_feed(services: Services, wanted: ArticleFilter, *, self_link: str) -> Feed:
    """The latest articles that match a filter, whatever order it asks for."""
    page = await list_articles(services, replace(wanted, order="newest"), limit=_FEED_ITEMS)
    base = services.settings.public_url
    gone = () if wanted.parameters() else await list_withdrawals(services, base=base, to=WORKSPACE, language=_LANGUAGE)
    return article_feed(page.items, wanted, base=base, self_link=self_link, withdrawals=gone)


def article_feed(
    articles: Sequence[ListedArticle],
    wanted: ArticleFilter,
    *,
    base: str,
    self_link: str,
    to: RecapUrls = WORKSPACE,
    language: str = _LANGUAGE,
    withdrawals: Sequence[FeedItem] = (),
    title: str = "",
) -> Feed:
    """Articles as a feed, which is titled in a language; `to` says where on `base` their pages are.

    Withdrawals come first, under the ids of their articles, so that readers' programs replace what they have.
    """
    separator = translate(pgettext("between the items of a list", ", "), language)
    chosen = separator.join(value for values in wanted.chosen.values() for value in values)
    return Feed(
        title=title or " · ".join(filter(None, (translate(gettext("Parliament"), language), chosen, wanted.text))),
        link=base + (to.matching(wanted) if wanted.parameters() else to.home()),
        self_link=self_link,
        description=translate(gettext("What was said and decided, meeting by meeting."), language),
        items=(*withdrawals, *(_feed_item(listed, base, to, language) for listed in articles)),
        language=language,
    )


def _feed_item(listed: ListedArticle, base: str, to: RecapUrls, language: str) -> FeedItem:
    """Published when the article was; the day of the sitting is a field of its own and begins the summary."""
    card, day = listed.card, parse_day(listed.card.date) or date.min
    stage = [translate(gettext("Preliminary record"), language)] if card.record_stage == "preliminary" else []
    place = " ".join(filter(None, (day.isoformat(), card.name_of_house, card.name_of_meeting)))
    return FeedItem(
        id=f"urn:almanac:recap:{card.id}",
        title=card.title,
        link=base + to.article(card.id),
        published=card.published_at or datetime.combine(day, time(), UTC),
        updated=card.updated_at,
        summary="\n".join(filter(None, (place, *stage, card.description))),
        categories=tuple(card.categories),
        language=_LANGUAGE,
        event_day=day,
    )


async def export_articles(services: Services, wanted: ArticleFilter) -> AsyncIterator[bytes]:
    """Every article that matches a filter as a line of JSON, with its texts or the reason they can't be read."""
    cursor: str | None = None
    while True:
        page = await list_articles(services, wanted, cursor=cursor, limit=_EXPORT_BATCH)
        for listed in page.items:
            yield encode_json(await _export_article(services, listed.card)) + b"\n"
        cursor = page.next_cursor
        if cursor is None:
            return


async def _export_article(services: Services, card: ArticleCard) -> dict[str, object]:
    fields: dict[str, object] = {"id": card.id, "date": card.date, "house": card.name_of_house}
    try:
        article = await read_article(services, card.id)
    except (Gone, NotFound) as error:
        return {**fields, "problem": error.sentence}
    if isinstance(article, ForeignArticle):
        written = {"problem": article.problem} if article.problem else {}
        return {**fields, "issue_id": article.issue_id, **foreign_asset(article), **written}
    return {**fields, "version": article.version, "issue_id": article.issue_id, **to_builtins(article.recap)}
