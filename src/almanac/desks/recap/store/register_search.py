"""Combined filters on the register. A page is read from the shortest list involved, so its time hardly grows."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.recap.model.filters import ArticleFilter, Facet
from almanac.desks.recap.model.views import FacetValue
from almanac.desks.recap.store import register
from almanac.desks.recap.store.register import ALL_ARTICLES, FACET_BITS, RegisterListing, RegisterRow, RegisterValue
from almanac.relational import Unit

COUNTED_ARTICLES = 500
"""Totals and facets are counted among this many of the newest matches."""
_PLACE_BITS = 32
_FIRST_DAY = date(1, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class RegisterPage:
    """A page of cards as decoded JSON, and the place where the next page starts, or None."""

    cards: Sequence[object]
    after: int | None


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """The number of matches, and how many of them have each value.

    If the total isn't exact, there are more. Values are counted `among` that many of the newest, or among all if None.
    """

    total: int
    is_exact: bool
    values: Mapping[Facet, Sequence[FacetValue]]
    among: int | None = None


async def find_page(unit: Unit, wanted: ArticleFilter, *, after: int | None, limit: int) -> RegisterPage:
    """A page of the articles that match a filter without words, by day."""
    return await _page(
        unit,
        await _list_page_rows(
            unit, wanted, await register.find_values_to_list(unit, _filter_pairs(wanted)), after, limit
        ),
        limit,
    )


async def count_several(
    unit: Unit, queries: Sequence[tuple[ArticleFilter, Sequence[Facet]]], *, most: int
) -> list[FacetCounts]:
    """For each filter without words how many match, and the most frequent values among the newest.

    Values that the filters share are looked up once.
    """
    filtered: dict[tuple[tuple[str, str], ...], list[RegisterValue]] = {}
    listed = []
    for wanted, facets in queries:
        pairs = _filter_pairs(wanted)
        if pairs not in filtered:
            filtered[pairs] = await register.find_values_to_list(unit, pairs)
        rows = await _list_newest_rows(unit, wanted, filtered[pairs])
        listed.append(_NewestRows(wanted, filtered[pairs], rows, facets, most))
    return await _count_rows(unit, listed)


async def find_page_with_counts(
    unit: Unit, wanted: ArticleFilter, facets: Sequence[Facet], *, after: int | None, limit: int, most: int
) -> tuple[RegisterPage, FacetCounts]:
    """Both at once; the rows that are counted include the first page of the newest, which isn't read again."""
    values = await register.find_values_to_list(unit, _filter_pairs(wanted))
    newest = await _list_newest_rows(unit, wanted, values)
    (counted,) = await _count_rows(unit, [_NewestRows(wanted, values, newest, facets, most)])
    if newest is None:
        return RegisterPage((), None), counted
    is_there = after is None and wanted.order != "oldest" and limit <= COUNTED_ARTICLES
    rows = newest[: limit + 1] if is_there else await _list_page_rows(unit, wanted, values, after, limit)
    return await _page(unit, rows, limit), counted


def _filter_pairs(wanted: ArticleFilter) -> tuple[tuple[str, str], ...]:
    pairs = tuple((facet, value) for facet, values in wanted.chosen.items() for value in values)
    return pairs or ((ALL_ARTICLES, ALL_ARTICLES),)


async def _list_page_rows(
    unit: Unit, wanted: ArticleFilter, values: Sequence[RegisterValue], after: int | None, limit: int
) -> list[RegisterRow]:
    """The rows of a page, plus one to tell whether there is a next page."""
    listing = _listing(wanted, values, after, newest=wanted.order != "oldest")
    return await register.list_rows(unit, listing, limit=limit + 1) if listing else []


async def _list_newest_rows(
    unit: Unit, wanted: ArticleFilter, values: Sequence[RegisterValue]
) -> list[RegisterRow] | None:
    """The rows to count, plus one; None if nothing can match."""
    listing = _listing(wanted, values, None, newest=True)
    return await register.list_rows(unit, listing, limit=COUNTED_ARTICLES + 1) if listing else None


async def _page(unit: Unit, rows: Sequence[RegisterRow], limit: int) -> RegisterPage:
    shown = rows[:limit]
    if not shown:
        return RegisterPage((), None)
    return RegisterPage(await register.list_cards(unit, shown), shown[-1].place if len(rows) > limit else None)


@dataclass(frozen=True, slots=True)
class _NewestRows:
    """The newest articles that match a filter; None if nothing can match. Up to `most` values are counted per facet."""

    wanted: ArticleFilter
    values: Sequence[RegisterValue]
    rows: Sequence[RegisterRow] | None
    facets: Sequence[Facet]
    most: int

    def count(self) -> dict[int, int]:
        """The numbers of the most frequent values, with how many articles have them."""
        counted = Counter(value for row in (self.rows or ())[:COUNTED_ARTICLES] for value in row.filed)
        codes = register.facet_codes(self.facets)
        return {value: counted[value] for code in codes for value in _most_frequent(counted, code, self.most)}


async def _count_rows(unit: Unit, listed: Sequence[_NewestRows]) -> list[FacetCounts]:
    counted = [newest.count() for newest in listed]
    ids = dict.fromkeys(value for counts in counted for value in counts)
    named = await register.name_values(unit, ids) if ids else {}
    return [
        _describe_counts(
            newest, [FacetValue(*named[value], count) for value, count in counts.items() if value in named]
        )
        for newest, counts in zip(listed, counted, strict=True)
    ]


def _describe_counts(newest: _NewestRows, named: Sequence[FacetValue]) -> FacetCounts:
    wanted, values, rows = newest.wanted, newest.values, newest.rows
    if rows is None:
        return FacetCounts(0, True, {})
    by_facet = {facet: _by_frequency(named, facet) for facet in newest.facets}
    if len(rows) <= COUNTED_ARTICLES:
        return FacetCounts(len(rows), True, by_facet)
    exact = values[0].articles if len(values) == 1 and not (wanted.since or wanted.until) else None
    return FacetCounts(exact or COUNTED_ARTICLES, exact is not None, by_facet, among=COUNTED_ARTICLES)


def _most_frequent(counted: Counter[int], code: int, most: int) -> list[int]:
    mine = Counter({value: count for value, count in counted.items() if value >> FACET_BITS == code})
    return [value for value, _ in mine.most_common(most)]


def _by_frequency(named: Sequence[FacetValue], facet: Facet) -> list[FacetValue]:
    mine = [value for value in named if value.facet == facet]
    return sorted(mine, key=lambda value: (-value.count, value.value))


def _listing(
    wanted: ArticleFilter, values: Sequence[RegisterValue], after: int | None, *, newest: bool
) -> RegisterListing | None:
    """The listing for a filter with these values; None if nothing can match."""
    groups: dict[str, list[RegisterValue]] = {}
    for value in values:
        groups.setdefault(value.facet, []).append(value)
    if len(groups) < max(1, len(wanted.chosen)):
        return None
    shortest = min(groups.values(), key=lambda group: sum(value.articles for value in group))
    above, below = _place_bounds(wanted)
    if after is not None:
        above, below = (above, min(below, after)) if newest else (max(above, after), below)
    return RegisterListing(
        values=[value.id for value in shortest],
        wanted=" & ".join(f"({' | '.join(str(value.id) for value in group)})" for group in groups.values()),
        above=above,
        below=below,
        newest=newest,
    )


def _place_bounds(wanted: ArticleFilter) -> tuple[int, int]:
    """The places just before the first day and just after the last."""
    first = (wanted.since or date.min).toordinal() - _FIRST_DAY
    last = (wanted.until or date.max).toordinal() - _FIRST_DAY
    return (first << _PLACE_BITS) - 1, (last + 1) << _PLACE_BITS
