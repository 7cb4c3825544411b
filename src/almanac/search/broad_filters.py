"""Searches by filters alone that leave most documents, as by a language that nearly everything is in.

Finding and counting what they leave reads nearly everything. So a page is looked for among the latest documents of all,
and what the filters leave out, which is less, is counted and taken off the counts that are kept.
"""

from collections.abc import Sequence

from almanac.relational import Unit
from almanac.search import store
from almanac.search.hits import MOST_VALUES
from almanac.search.index import Place, Search
from almanac.search.store import Counted, Sought
from almanac.search.terms import KIND, facet_lexeme

_LOOKED_THROUGH = 5


async def leave_most(unit: Unit, search: Search, sought: Sought) -> bool:
    """Whether a search is by filters alone and these leave at least half of all, as kept counts show for certain."""
    if not search.filters or KIND in search.filters or not search.is_wordless or sought.is_dated:
        return False
    counted = await store.kept_counts(unit, sought, sorted({KIND, *search.filters}), most=2 * MOST_VALUES)
    everything = sum(one.count for one in counted if one.name == KIND)
    left_out = sum(everything - _at_least(counted, name, values) for name, values in search.filters.items())
    return 2 * left_out <= everything


def _at_least(counted: Sequence[Counted], name: str, values: Sequence[str]) -> int:
    """A document may have several of the values, so no more than the most frequent one is certain."""
    wanted = {facet_lexeme(name, value) for value in values}
    alike = (one.count for one in counted if one.name == name and facet_lexeme(name, one.value) in wanted)
    return max(alike, default=0)


async def newest_of_most(unit: Unit, sought: Sought, after: Place, limit: int) -> list[Place]:
    """The newest of what is found, among the latest of all unless these are too few."""
    latest = await store.newest_of_all(unit, sought, after, _LOOKED_THROUGH * limit)
    found = await store.found_among(unit, sought, latest)
    if len(found) < limit and len(latest) == _LOOKED_THROUGH * limit:
        return await store.newest_found(unit, sought, after, limit)
    return found[:limit]
