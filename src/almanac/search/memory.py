"""The search index in memory: the same answers by plain comparison, for tests and for what is too small for more."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from almanac.relational import Unit
from almanac.search.hits import grouped, hit_of
from almanac.search.index import COUNTED, Index, Place, Search
from almanac.search.matching import has_any, holds, within
from almanac.search.model import Document, FacetCount, Results, Survey
from almanac.search.query import Node, words_sought
from almanac.search.snippets import marker_of
from almanac.search.terms import KIND, Lexemes, facet_lexeme, lexemes_of, phrase_of

_TITLE_COUNTS_AS = 10
_NO_DATE, _LAST = -(2**62), 2**62


@dataclass(frozen=True, slots=True)
class _Entry:
    """A document taken apart, with the number that breaks ties."""

    number: int
    document: Document
    lexemes: Lexemes

    @property
    def moment(self) -> int:
        date = self.document.date
        return _NO_DATE if date is None else int(date.timestamp() * 1_000_000)


class MemoryIndex(Index):
    """Documents in a dictionary; what a unit puts is there once it has committed."""

    def __init__(self, cursor_key: bytes = b"cursors of the memory index", counted: int = COUNTED) -> None:
        super().__init__(cursor_key, counted)
        self._entries: dict[tuple[str, str], _Entry] = {}
        self._numbers = count(1)

    async def put(self, unit: Unit, *documents: Document) -> None:
        taken_apart = [(document, lexemes_of(document)) for document in documents]

        def store() -> None:
            for document, lexemes in taken_apart:
                known = self._entries.get((document.kind, document.id))
                number = known.number if known else next(self._numbers)
                self._entries[document.kind, document.id] = _Entry(number, document, lexemes)

        unit.after_commit(store)

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        def forget() -> None:
            for key in ids:
                self._entries.pop((kind, key), None)

        unit.after_commit(forget)

    async def _find(self, search: Search) -> Results:
        found = {_place(entry, search): entry for entry in self._entries.values() if _is_found(entry, search)}
        ascending = search.order == "date"
        ordered = sorted(found, reverse=not ascending)
        if (after := search.after) is not None:
            ordered = [place for place in ordered if (place > after) == ascending and place != after]
        page = ordered[: search.limit]
        marker = marker_of(search.query)
        return replace(
            self._counts(list(found.values()), search),
            hits=[hit_of(found[place].document, place.score, marker) for place in page],
            next_cursor=self._cursor_after(search, page[-1]) if len(ordered) > search.limit else None,
        )

    def _counts(self, found: Sequence[_Entry], search: Search) -> Results:
        """What is counted: everything, or of very many the newest and each kind for itself."""
        if len(found) <= self._counted or (search.is_bare and not search.is_dated):
            return Results(facets=_facets(found, search.facets), total=len(found))
        newest = sorted(found, key=lambda entry: (entry.moment, entry.number), reverse=True)[: self._counted]
        alone = {name: self._up_to(name, counts) for name, counts in _facets(found, search.counted_alone).items()}
        others = _facets(newest, [name for name in search.facets if name not in alone])
        kinds = alone.get(KIND, self._up_to(KIND, [FacetCount("", len(found))]))
        return Results(
            facets={**alone, **others},
            total=sum(one.count for one in kinds),
            or_more=any(one.or_more for one in kinds),
            facets_among=self._counted if others else None,
        )

    def _up_to(self, name: str, counts: Sequence[FacetCount]) -> list[FacetCount]:
        most = self._counted
        cut = [FacetCount(one.value, min(one.count, most), one.count > most) for one in counts]
        return sorted(cut, key=lambda one: (-one.count, facet_lexeme(name, one.value)))

    async def _survey(self, search: Search, each: int) -> Survey:
        results = await self._find(search)
        kinds = [counted.value for counted in results.facets[KIND]]
        if each and len(kinds) < 2:
            return Survey(results)
        parts = [replace(search, kinds=(kind,), limit=each) for kind in kinds] if each else []
        best = {part.kinds[0]: (await self._find(part)).hits for part in parts}
        return Survey(replace(results, hits=(), next_cursor=None), best)


def _place(entry: _Entry, search: Search) -> Place:
    moment = _LAST if search.order == "date" and entry.document.date is None else entry.moment
    score = _score(search.query.root, entry.lexemes) if search.order == "relevance" else 0
    return Place(score, moment, entry.number)


def _score(node: Node | None, lexemes: Lexemes) -> int:
    """How often the words occur for the document's length, in its title more than in its body."""
    occurrences = 0
    for text in words_sought(node):
        for piece in phrase_of(text):
            occurrences += _TITLE_COUNTS_AS * len(lexemes.title.get(piece.lexeme, ()))
            occurrences += len(lexemes.body.get(piece.lexeme, ()))
    return 1_000_000 * occurrences // (1 + lexemes.words)


def _is_found(entry: _Entry, search: Search) -> bool:
    chosen = {KIND: search.kinds, **search.filters}
    return (
        search.viewer.may_see(entry.document.owner, entry.document.permission)
        and within(entry.document.date, search.since, search.until)
        and all(has_any(entry.lexemes, name, values) for name, values in chosen.items() if values)
        and (search.query.root is None or holds(search.query.root, entry.lexemes, entry.document.date))
    )


def _facets(entries: Sequence[_Entry], names: Sequence[str]) -> dict[str, list[FacetCount]]:
    counts = Counter(
        (name, value) for entry in entries for name, values in entry.lexemes.facets.items() for value in values
    )
    return grouped(names, ((*facet, number) for facet, number in counts.items()))
