"""Counts the matches of a search and its facet values, and narrows searches to days with enough matches.

Counts are stored for searches without words and filters. Otherwise documents are counted up to a limit; beyond it only
the newest are counted, but each kind and language separately, so that a large one doesn't hide the others.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from almanac.relational import Unit
from almanac.search import store
from almanac.search.hits import MAX_FACET_VALUES, group_facets
from almanac.search.index import ResultPosition, SearchRequest
from almanac.search.model import FacetCount
from almanac.search.query import SearchQuery
from almanac.search.store import LAST, NO_DATE, FacetRow, SearchParameters, day_from_microseconds, to_microseconds
from almanac.search.terms import KIND, facet_lexeme
from almanac.search.text_search import FIRST_DAY, LAST_DAY, build_expressions, day_expression

# Where documents lie unevenly it takes several steps; whoever needs more than these reads everything.
_MAX_STEPS = 12
_MIN_GROWTH, _MAX_GROWTH = 2, 16
_MANY_FACTOR = 3
_DAY = timedelta(days=1)


async def find_days_holding(unit: Unit, params: SearchParameters, enough: int, *, newest: bool = True) -> str:
    """A day expression at the newest or oldest end that has enough matches; empty if there is none.

    Every vector has the year, month and day of its document, so the index itself skips other days and a page of half a
    million matches is found without reading them all.
    """
    edge: date | None = None
    rest, held, width = params, 0, 1
    for _ in range(_MAX_STEPS):
        day = await _first_day(unit, rest, newest=newest)
        if day is None or not FIRST_DAY + width * _DAY < day < LAST_DAY - width * _DAY:
            return ""
        since, until = (day - (width - 1) * _DAY, day + _DAY) if newest else (day, day + width * _DAY)
        edge = edge or (until if newest else since)
        matches = await store.count_matches(unit, restrict_to(params, day_expression(since, until)), upto=enough - held)
        held += matches
        if held >= enough:
            return day_expression(since, edge) if newest else day_expression(edge, until)
        # Half as wide again as would do if documents lay evenly.
        wanted = 3 * width * (enough - held) // (2 * matches) if matches else 2 * _MIN_GROWTH * width
        width = min(max(wanted, _MIN_GROWTH * width), _MAX_GROWTH * width)
        rest = (
            replace(params, until=to_microseconds(since)) if newest else replace(params, since=to_microseconds(until))
        )
    return ""


async def find_days_if_many(unit: Unit, params: SearchParameters, enough: int, documents: int) -> str:
    """The same, only where far more than enough matches are likely; a small index isn't even asked."""
    if documents <= _MANY_FACTOR * enough or await store.estimate_matches(unit, params) <= _MANY_FACTOR * enough:
        return ""
    return await find_days_holding(unit, params, enough)


def restrict_to(params: SearchParameters, days: str) -> SearchParameters:
    """The parameters restricted to an expression, such as days; unchanged where it is empty."""
    return replace(params, everything=f"({params.everything}) & {days}") if days else params


async def _first_day(unit: Unit, params: SearchParameters, *, newest: bool) -> date | None:
    """The day of the newest or oldest document, whatever its words; None where none has a date."""
    if newest:
        places = await store.find_newest_unfiltered(unit, params, ResultPosition(0, LAST, LAST), 1)
    else:
        places = await store.find_oldest_unfiltered(unit, params, ResultPosition(0, NO_DATE, NO_DATE), 1)
    return day_from_microseconds(places[0].moment) if places and NO_DATE < places[0].moment < LAST else None


_MAX_ROWS = 2 * MAX_FACET_VALUES


@dataclass(frozen=True, slots=True)
class SearchCounts:
    """The total (or the limit) and facets; `among` is the number of newest documents counted, None for all."""

    total: int
    facets: Mapping[str, Sequence[FacetCount]] = field(default_factory=dict)
    or_more: bool = False
    among: int | None = None


@dataclass(frozen=True, slots=True)
class SearchCounter:
    """Counts one search up to a limit, in an index of about `documents` documents."""

    unit: Unit
    search: SearchRequest
    params: SearchParameters
    upto: int
    documents: int

    async def counts(self) -> SearchCounts:
        """The total and the requested facets."""
        search, names = self.search, sorted({KIND, *self.search.facets})
        if search.is_unfiltered and not search.has_date_filter:
            rows = await store.list_stored_counts(self.unit, self.params, names, most=_MAX_ROWS)
            return SearchCounts(_total(rows), _grouped(search.facets, rows))
        if not search.is_unfiltered and (days := await self._days_of_many(self.params)):
            return await self._part(days)
        if not search.facets and not search.is_unfiltered:
            total = await store.count_matches(self.unit, self.params, upto=self.upto + 1)
            return SearchCounts(total) if total <= self.upto else await self._part()
        counted = store.count_between_dates if search.is_unfiltered else store.count_facets
        rows = await counted(self.unit, self.params, names, most=_MAX_ROWS, upto=self.upto + 1)
        if _total(rows) <= self.upto:
            return SearchCounts(_total(rows), _grouped(search.facets, rows))
        return await self._part()

    async def _days_of_many(self, params: SearchParameters) -> str:
        return await find_days_if_many(self.unit, params, self.upto + 1, self.documents)

    async def _part(self, days: str = "") -> SearchCounts:
        """Counts of the newest where there are too many; the kinds add up to the total."""
        alone = self.search.separately_counted
        newest = await self._among_newest([name for name in self.search.facets if name not in alone], days)
        each = {name: await self._each(name) for name in alone}
        kinds = each.get(KIND, [FacetCount("", self.upto, or_more=True)])
        total, or_more = sum(facet.count for facet in kinds), any(facet.or_more for facet in kinds)
        return SearchCounts(total, {**each, **newest}, or_more, self.upto if newest else None)

    async def _among_newest(self, names: Sequence[str], days: str) -> dict[str, list[FacetCount]]:
        if not names:
            return {}
        if self.search.is_unfiltered:
            rows = await store.count_between_dates(self.unit, self.params, names, most=_MAX_ROWS, upto=self.upto)
            return _grouped(names, rows)
        newest = restrict_to(self.params, days or await find_days_holding(self.unit, self.params, self.upto))
        return _grouped(names, await store.count_newest(self.unit, newest, names, most=_MAX_ROWS, upto=self.upto))

    async def _each(self, name: str) -> list[FacetCount]:
        """Each value of a facet counted separately, so that a frequent one doesn't hide others."""
        kept = _grouped([name], await store.list_stored_counts(self.unit, self.params, [name], most=_MAX_ROWS))[name]
        counted = [(facet.value, await self._with_value(name, facet.value)) for facet in kept]
        values = [FacetCount(value, min(count, self.upto), count > self.upto) for value, count in counted if count]
        return sorted(values, key=lambda facet: (-facet.count, facet_lexeme(name, facet.value)))

    async def _with_value(self, name: str, value: str) -> int:
        """The number of matches with a value, up to one more than the limit."""
        most = self.upto + 1
        if self.search.is_unfiltered:
            of_kind = replace(self.params, kinds=[value])
            return _total(await store.count_between_dates(self.unit, of_kind, [KIND], most=_MAX_ROWS, upto=most))
        having = restrict_to(self.params, build_expressions(SearchQuery(), filters={name: [value]}).everything)
        return most if await self._days_of_many(having) else await store.count_matches(self.unit, having, upto=most)


def _total(rows: Sequence[FacetRow]) -> int:
    return sum(row.count for row in rows if row.name == KIND)


def _grouped(names: Sequence[str], rows: Sequence[FacetRow]) -> dict[str, list[FacetCount]]:
    return group_facets(names, ((row.name, row.value, row.count) for row in rows))
