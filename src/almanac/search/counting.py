"""How many documents a search finds, and how many of them have which value of a facet.

Where words and filters don't decide, counts are kept. Otherwise documents are counted up to a number. Of more than that
the newest are counted, but each kind and each language for itself, so that much of one doesn't hide another.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from almanac.relational import Unit
from almanac.search import store
from almanac.search.hits import MOST_VALUES, grouped
from almanac.search.index import Search
from almanac.search.model import FacetCount
from almanac.search.query import Query
from almanac.search.spans import days_holding, within
from almanac.search.store import Counted, Sought
from almanac.search.terms import KIND, facet_lexeme
from almanac.search.tsquery import matching

_MOST = 2 * MOST_VALUES


@dataclass(frozen=True, slots=True)
class Counts:
    """The total, or where counting ended, and facets; `among` is of how many of the newest these are, None for all."""

    total: int
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)
    or_more: bool = False
    among: int | None = None


async def count(unit: Unit, search: Search, sought: Sought, upto: int) -> Counts:
    """What a search finds, and of the facets that it asks for."""
    names = sorted({KIND, *search.facets})
    if search.is_bare and not search.is_dated:
        rows = await store.kept_counts(unit, sought, names, most=_MOST)
        return Counts(_total(rows), _grouped(search.facets, rows))
    if not search.facets and not search.is_bare:
        total = await store.count_found(unit, sought, upto=upto + 1)
        return Counts(total) if total <= upto else await _part(unit, search, sought, upto)
    counted = store.counts_between if search.is_bare else store.count_facets
    rows = await counted(unit, sought, names, most=_MOST, upto=upto + 1)
    if _total(rows) <= upto:
        return Counts(_total(rows), _grouped(search.facets, rows))
    return await _part(unit, search, sought, upto)


async def _part(unit: Unit, search: Search, sought: Sought, upto: int) -> Counts:
    """Of more than can be counted, the newest; every document has one kind, so the kinds add up to the total."""
    alone = search.counted_alone
    newest = await _among_newest(unit, search, sought, [name for name in search.facets if name not in alone], upto)
    each = {name: await _each(unit, search, sought, name, upto) for name in alone}
    kinds = each.get(KIND, [FacetCount("", upto, or_more=True)])
    return Counts(
        sum(one.count for one in kinds), {**each, **newest}, any(one.or_more for one in kinds), upto if newest else None
    )  # fmt: skip


async def _among_newest(
    unit: Unit, search: Search, sought: Sought, names: Sequence[str], upto: int
) -> dict[str, list[FacetCount]]:  # fmt: skip
    if not names:
        return {}
    if search.is_bare:
        return _grouped(names, await store.counts_between(unit, sought, names, most=_MOST, upto=upto))
    newest = within(sought, await days_holding(unit, sought, upto))
    return _grouped(names, await store.count_newest(unit, newest, names, most=_MOST, upto=upto))


async def _each(unit: Unit, search: Search, sought: Sought, name: str, upto: int) -> list[FacetCount]:
    """The values of a facet that are found, each counted for itself, so that much of one doesn't hide another."""
    kept = _grouped([name], await store.kept_counts(unit, sought, [name], most=_MOST))[name]
    counted = [(one.value, await _with_value(unit, search, sought, name, one.value, upto + 1)) for one in kept]
    found = [FacetCount(value, min(count, upto), count > upto) for value, count in counted if count]
    return sorted(found, key=lambda one: (-one.count, facet_lexeme(name, one.value)))


async def _with_value(unit: Unit, search: Search, sought: Sought, name: str, value: str, upto: int) -> int:
    if search.is_bare:
        return _total(await store.counts_between(unit, replace(sought, kinds=[value]), [KIND], most=_MOST, upto=upto))
    return await store.count_found(
        unit, within(sought, matching(Query(), filters={name: [value]}).everything), upto=upto
    )


def _total(rows: Sequence[Counted]) -> int:
    return sum(row.count for row in rows if row.name == KIND)


def _grouped(names: Sequence[str], rows: Sequence[Counted]) -> dict[str, list[FacetCount]]:
    return grouped(names, ((row.name, row.value, row.count) for row in rows))
