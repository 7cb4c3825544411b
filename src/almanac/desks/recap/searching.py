"""Finding articles: one filter by its thin items, combinations by the register, words by the search index.

All three give the same answer where they can answer the same question. A limit always counts what is found.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import msgspec

from almanac.desks.recap import register
from almanac.desks.recap.filing import KIND, READ_PERMISSION, read_card
from almanac.desks.recap.filters import ArticleFilter, Facet
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.table import ArticleCard
from almanac.desks.recap.views import ArticlePage, FacetValue, Listed
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.search import Order, Results, Viewer
from almanac.services import Services

MOST_VALUES = 20
# Whoever may read the desk sees all of it, and nobody else gets here.
_VIEWER = Viewer(permissions=frozenset({READ_PERMISSION}))


async def find_articles(
    services: Services, wanted: ArticleFilter, *, facets: Sequence[Facet] = (), cursor: str | None, limit: int
) -> ArticlePage:
    """One page of what a filter finds, with counts of the facets asked for."""
    if wanted.text:
        return await _by_words(services, wanted, facets, cursor, limit)
    spelled = await single_list(services, wanted)
    if not facets:
        page = await _page(services, wanted, spelled, cursor, limit)
        return ArticlePage(items=page.items, next_cursor=page.next_cursor)
    page, counted = await _counted_page(services, wanted, spelled, facets, cursor, limit)
    return ArticlePage(
        items=page.items,
        next_cursor=page.next_cursor,
        total=counted.total,
        total_is_exact=counted.is_exact,
        facets_among=counted.among,
        facets={
            facet: [FacetValue(one.facet, one.value, one.count) for one in found]
            for facet, found in counted.values.items()
        },
    )


async def _page(
    services: Services, wanted: ArticleFilter, spelled: tuple[Facet, str] | None, cursor: str | None, limit: int
) -> Page[Listed]:
    if spelled is None:
        return await by_register(services, wanted, cursor, limit)
    return await by_thin_items(services, wanted, *spelled, cursor, limit)


async def _counted_page(
    services: Services,
    wanted: ArticleFilter,
    spelled: tuple[Facet, str] | None,
    facets: Sequence[Facet],
    cursor: str | None,
    limit: int,
) -> tuple[Page[Listed], register.Counted]:
    """The same with its counts, which the register has; a page of its own it finds together with them."""
    if spelled is not None:
        page = await by_thin_items(services, wanted, *spelled, cursor, limit)
        async with services.database.unit() as unit:
            return page, await register.counts(unit, wanted, facets, most=MOST_VALUES)
    key, name = services.key("cursors"), f"recap {wanted}"
    after = _opened(cursor, name, key)
    async with services.database.unit() as unit:
        found, counted = await register.find_and_count(unit, wanted, facets, after=after, limit=limit, most=MOST_VALUES)
    return _listed(found, name, key), counted


async def single_list(services: Services, wanted: ArticleFilter) -> tuple[Facet, str] | None:
    """The one list that a filter asks for, under the spelling of its key; None where it takes more than that.

    Case and width don't matter to readers but stand in keys: a value in several spellings has several lists.
    """
    chosen = list(wanted.chosen.items())
    if len(chosen) != 1 or len(chosen[0][1]) != 1 or wanted.order != "newest" or not store.has_list(chosen[0][0]):
        return None
    facet, (value,) = chosen[0]
    async with services.database.reading() as reading:
        known = await register.spellings(reading, facet, value)
    return (facet, known[0] if known else value) if len(known) <= 1 else None


async def by_thin_items(
    services: Services, wanted: ArticleFilter, facet: Facet, value: str, cursor: str | None, limit: int
) -> Page[Listed]:
    """Articles of one list, as the thin items hold them."""
    page = await store.list_by(
        services.tables,
        facet,
        value,
        since=wanted.since.isoformat() if wanted.since else "",
        until=wanted.until.isoformat() if wanted.until else "",
        cursor=cursor,
        limit=limit,
    )
    return Page([Listed(_titled(card)) for card in page.items], page.next_cursor)


def _titled(card: ArticleCard) -> ArticleCard:
    """Other programs decide for themselves what a thin item holds; whatever is listed needs something to open it by."""
    return card if card.title else replace(card, title=card.id)


async def by_register(services: Services, wanted: ArticleFilter, cursor: str | None, limit: int) -> Page[Listed]:
    """Articles of any combination of filters without words."""
    key, name = services.key("cursors"), f"recap {wanted}"
    async with services.database.unit() as unit:
        found = await register.find(unit, wanted, after=_opened(cursor, name, key), limit=limit)
    return _listed(found, name, key)


def _listed(found: register.Found, name: str, key: bytes) -> Page[Listed]:
    after = None if found.after is None else encode_cursor([found.after], of=name, key=key)
    return Page([Listed(read_card(card)) for card in found.cards], after)


def _opened(cursor: str | None, name: str, key: bytes) -> int | None:
    if cursor is None:
        return None
    (place,) = decode_cursor(cursor, of=name, key=key)
    return place if isinstance(place, int) else None


async def _by_words(
    services: Services, wanted: ArticleFilter, facets: Sequence[Facet], cursor: str | None, limit: int
) -> ArticlePage:
    results = await search_articles(services, wanted, facets=facets, cursor=cursor, limit=limit)
    return ArticlePage(
        items=[Listed(read_card(msgspec.json.decode(hit.fields["card"])), hit.snippet) for hit in results.hits],
        next_cursor=results.next_cursor,
        total=results.total,
        total_is_exact=not results.or_more,
        facets_among=results.facets_among,
        facets=_counted(results, facets),
    )


async def search_articles(
    services: Services, wanted: ArticleFilter, *, facets: Sequence[Facet] = (), cursor: str | None = None, limit: int
) -> Results:
    """The same through the search index, which also knows words."""
    order: Order = "-date" if wanted.order == "newest" else "date"
    return await services.search.find(
        wanted.text,
        viewer=_VIEWER,
        kinds=[KIND.name],
        filters=_filters(wanted),
        facets=facets,
        order=order,
        since=datetime.combine(wanted.since, time(), UTC) if wanted.since else None,
        until=datetime.combine(wanted.until + timedelta(days=1), time(), UTC) if wanted.until else None,
        cursor=cursor,
        limit=limit,
    )


def _filters(wanted: ArticleFilter) -> dict[str, Sequence[str]]:
    return {str(facet): values for facet, values in wanted.chosen.items()}


def _counted(results: Results, facets: Sequence[Facet]) -> Mapping[Facet, Sequence[FacetValue]]:
    return {
        facet: [FacetValue(facet, one.value, one.count) for one in results.facets.get(facet, ())][:MOST_VALUES]
        for facet in facets
    }
