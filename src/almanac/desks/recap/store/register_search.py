"""Finding articles by combined filters: a page is read from the shortest list concerned, so its time hardly grows."""

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
"""Totals and facets are counted over so many of the newest articles found; beyond that nobody reads to the end."""
_PLACE_BITS = 32
_FIRST_DAY = date(1, 1, 1).toordinal()


@dataclass(frozen=True, slots=True)
class RegisterPage:
    """A page of what was found: what is shown of each article as JSON, and the place to go on from."""

    cards: Sequence[object]
    after: int | None


@dataclass(frozen=True, slots=True)
class FacetCounts:
    """How many articles there are, and how many have which value.

    Where the total is not exact there are more. Values are counted `among` so many of the newest, or all where None.
    """

    total: int
    is_exact: bool
    values: Mapping[Facet, Sequence[FacetValue]]
    among: int | None = None


async def find_page(unit: Unit, wanted: ArticleFilter, *, after: int | None, limit: int) -> RegisterPage:
    """A page of the articles that a filter without words finds, by day."""
    return await _page(unit, await _listed(unit, wanted, await _known(unit, wanted), after, limit), limit)


async def count_facets(unit: Unit, wanted: ArticleFilter, facets: Sequence[Facet], *, most: int) -> FacetCounts:
    """How many articles a filter without words finds, and how many of the newest have which value."""
    known = await _known(unit, wanted)
    return await _counted(unit, wanted, known, await _newest(unit, wanted, known), facets, most)


async def find_page_with_counts(
    unit: Unit, wanted: ArticleFilter, facets: Sequence[Facet], *, after: int | None, limit: int, most: int
) -> tuple[RegisterPage, FacetCounts]:
    """Both at once; what is counted begins with the first page of the newest, which is not read again."""
    known = await _known(unit, wanted)
    newest = await _newest(unit, wanted, known)
    counted = await _counted(unit, wanted, known, newest, facets, most)
    if newest is None:
        return RegisterPage((), None), counted
    is_there = after is None and wanted.order == "newest" and limit <= COUNTED_ARTICLES
    rows = newest[: limit + 1] if is_there else await _listed(unit, wanted, known, after, limit)
    return await _page(unit, rows, limit), counted


async def _known(unit: Unit, wanted: ArticleFilter) -> list[RegisterValue]:
    """The values that a filter names; what is read after them is read as the lists want it."""
    pairs = [(facet, value) for facet, values in wanted.chosen.items() for value in values]
    known = await register.find_values(unit, pairs or [(ALL_ARTICLES, ALL_ARTICLES)])
    await register.set_planner_options(unit)
    return known


async def _listed(
    unit: Unit, wanted: ArticleFilter, known: Sequence[RegisterValue], after: int | None, limit: int
) -> list[RegisterRow]:
    """The articles of a page, and the one after it."""
    listing = _listing(wanted, known, after, newest=wanted.order == "newest")
    return await register.list_rows(unit, listing, limit=limit + 1) if listing else []


async def _newest(unit: Unit, wanted: ArticleFilter, known: Sequence[RegisterValue]) -> list[RegisterRow] | None:
    """Those that are counted, and one more; None where nothing can match."""
    listing = _listing(wanted, known, None, newest=True)
    return await register.list_rows(unit, listing, limit=COUNTED_ARTICLES + 1) if listing else None


async def _page(unit: Unit, rows: Sequence[RegisterRow], limit: int) -> RegisterPage:
    shown = rows[:limit]
    if not shown:
        return RegisterPage((), None)
    return RegisterPage(await register.list_cards(unit, shown), shown[-1].place if len(rows) > limit else None)


async def _counted(
    unit: Unit,
    wanted: ArticleFilter,
    known: Sequence[RegisterValue],
    rows: Sequence[RegisterRow] | None,
    facets: Sequence[Facet],
    most: int,
) -> FacetCounts:
    if rows is None:
        return FacetCounts(0, True, {})
    counted = Counter(value for row in rows[:COUNTED_ARTICLES] for value in row.filed)
    chosen = [value for code in register.facet_codes(facets) for value in _most_frequent(counted, code, most)]
    named = await register.name_values(unit, {value: counted[value] for value in chosen}) if chosen else []
    by_facet = {facet: _in_order(named, facet) for facet in facets}
    if len(rows) <= COUNTED_ARTICLES:
        return FacetCounts(len(rows), True, by_facet)
    exact = known[0].articles if len(known) == 1 and not (wanted.since or wanted.until) else None
    return FacetCounts(exact or COUNTED_ARTICLES, exact is not None, by_facet, among=COUNTED_ARTICLES)


def _most_frequent(counted: Counter[int], code: int, most: int) -> list[int]:
    mine = Counter({value: count for value, count in counted.items() if value >> FACET_BITS == code})
    return [value for value, _ in mine.most_common(most)]


def _in_order(named: Sequence[FacetValue], facet: Facet) -> list[FacetValue]:
    mine = [value for value in named if value.facet == facet]
    return sorted(mine, key=lambda value: (-value.count, value.value))


def _listing(
    wanted: ArticleFilter, known: Sequence[RegisterValue], after: int | None, *, newest: bool
) -> RegisterListing | None:
    """What to read for a filter that names these values; None where nothing can match."""
    groups: dict[str, list[RegisterValue]] = {}
    for one in known:
        groups.setdefault(one.facet, []).append(one)
    if len(groups) < max(1, len(wanted.chosen)):
        return None
    shortest = min(groups.values(), key=lambda group: sum(one.articles for one in group))
    above, below = _edges(wanted)
    if after is not None:
        above, below = (above, min(below, after)) if newest else (max(above, after), below)
    return RegisterListing(
        values=[one.id for one in shortest],
        wanted=" & ".join(f"({' | '.join(str(one.id) for one in group)})" for group in groups.values()),
        above=above,
        below=below,
        newest=newest,
    )


def _edges(wanted: ArticleFilter) -> tuple[int, int]:
    """The places before the first day wanted and after the last."""
    first = (wanted.since or date.min).toordinal() - _FIRST_DAY
    last = (wanted.until or date.max).toordinal() - _FIRST_DAY
    return (first << _PLACE_BITS) - 1, (last + 1) << _PLACE_BITS
