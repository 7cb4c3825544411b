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
from almanac.search.spans import days_holding, days_of_many, within
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


@dataclass(frozen=True, slots=True)
class Counting:
    """One search to be counted, up to a number, in an index of about so many documents."""

    unit: Unit
    search: Search
    sought: Sought
    upto: int
    documents: int

    async def counts(self) -> Counts:
        """What the search finds, and of the facets that it asks for."""
        search, names = self.search, sorted({KIND, *self.search.facets})
        if search.is_bare and not search.is_dated:
            rows = await store.kept_counts(self.unit, self.sought, names, most=_MOST)
            return Counts(_total(rows), _grouped(search.facets, rows))
        if not search.is_bare and (days := await self._days_of_many(self.sought)):
            return await self._part(days)
        if not search.facets and not search.is_bare:
            total = await store.count_found(self.unit, self.sought, upto=self.upto + 1)
            return Counts(total) if total <= self.upto else await self._part()
        counted = store.counts_between if search.is_bare else store.count_facets
        rows = await counted(self.unit, self.sought, names, most=_MOST, upto=self.upto + 1)
        if _total(rows) <= self.upto:
            return Counts(_total(rows), _grouped(search.facets, rows))
        return await self._part()

    async def _days_of_many(self, sought: Sought) -> str:
        return await days_of_many(self.unit, sought, self.upto + 1, self.documents)

    async def _part(self, days: str = "") -> Counts:
        """Of more than can be counted, the newest; every document has one kind, so the kinds add up to the total."""
        alone = self.search.counted_alone
        newest = await self._among_newest([name for name in self.search.facets if name not in alone], days)
        each = {name: await self._each(name) for name in alone}
        kinds = each.get(KIND, [FacetCount("", self.upto, or_more=True)])
        total, or_more = sum(one.count for one in kinds), any(one.or_more for one in kinds)
        return Counts(total, {**each, **newest}, or_more, self.upto if newest else None)

    async def _among_newest(self, names: Sequence[str], days: str) -> dict[str, list[FacetCount]]:
        if not names:
            return {}
        if self.search.is_bare:
            rows = await store.counts_between(self.unit, self.sought, names, most=_MOST, upto=self.upto)
            return _grouped(names, rows)
        newest = within(self.sought, days or await days_holding(self.unit, self.sought, self.upto))
        return _grouped(names, await store.count_newest(self.unit, newest, names, most=_MOST, upto=self.upto))

    async def _each(self, name: str) -> list[FacetCount]:
        """The values of a facet that are found, each counted for itself, so that much of one doesn't hide another."""
        kept = _grouped([name], await store.kept_counts(self.unit, self.sought, [name], most=_MOST))[name]
        counted = [(one.value, await self._with_value(name, one.value)) for one in kept]
        found = [FacetCount(value, min(count, self.upto), count > self.upto) for value, count in counted if count]
        return sorted(found, key=lambda one: (-one.count, facet_lexeme(name, one.value)))

    async def _with_value(self, name: str, value: str) -> int:
        """How many are found that have a value, up to one more than is told."""
        most = self.upto + 1
        if self.search.is_bare:
            of_kind = replace(self.sought, kinds=[value])
            return _total(await store.counts_between(self.unit, of_kind, [KIND], most=_MOST, upto=most))
        having = within(self.sought, matching(Query(), filters={name: [value]}).everything)
        return most if await self._days_of_many(having) else await store.count_found(self.unit, having, upto=most)


def _total(rows: Sequence[Counted]) -> int:
    return sum(row.count for row in rows if row.name == KIND)


def _grouped(names: Sequence[str], rows: Sequence[Counted]) -> dict[str, list[FacetCount]]:
    return grouped(names, ((row.name, row.value, row.count) for row in rows))
