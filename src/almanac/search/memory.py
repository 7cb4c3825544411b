"""The search index in memory, for tests and small sets; same results as the PostgreSQL index."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from almanac.relational import Unit
from almanac.search.corrections import MisspeltWord, find_corrections, trigrams
from almanac.search.hits import build_bare_hit, build_hit, build_marker, group_facets
from almanac.search.index import COUNT_LIMIT, LANGUAGE_BOOST, BaseIndex, ResultPosition, SearchRequest
from almanac.search.matcher import has_facet_value, is_within, matches_node, part_positions
from almanac.search.model import Correction, FacetCount, SearchDocument, SearchResults, SearchSurvey
from almanac.search.query import QueryNode, QueryText, SearchQuery, query_texts
from almanac.search.terms import KIND, Lexemes, extract_lexemes, facet_lexeme, text_phrase

_TITLE_COUNTS_AS = 10
_NO_DATE, _LAST = -(2**62), 2**62


@dataclass(frozen=True, slots=True)
class _MemoryEntry:
    """A document with its lexemes and the number that breaks ties."""

    number: int
    document: SearchDocument
    lexemes: Lexemes

    @property
    def moment(self) -> int:
        date = self.document.date
        return _NO_DATE if date is None else int(date.timestamp() * 1_000_000)


class MemoryIndex(BaseIndex):
    """Documents in a dictionary; changes take effect when the unit commits."""

    def __init__(self, cursor_key: bytes = b"cursors of the memory index", counted: int = COUNT_LIMIT) -> None:
        super().__init__(cursor_key, counted)
        self._entries: dict[tuple[str, str], _MemoryEntry] = {}
        self._numbers = count(1)

    async def put(self, unit: Unit, *documents: SearchDocument) -> None:
        taken_apart = [(document, extract_lexemes(document)) for document in documents]

        def store() -> None:
            for document, lexemes in taken_apart:
                existing = self._entries.get((document.kind, document.id))
                number = existing.number if existing else next(self._numbers)
                self._entries[document.kind, document.id] = _MemoryEntry(number, document, lexemes)

        unit.after_commit(store)

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        def forget() -> None:
            for key in ids:
                self._entries.pop((kind, key), None)

        unit.after_commit(forget)

    async def _find(self, search: SearchRequest) -> SearchResults:
        entries = {
            _position(entry, search): entry for entry in self._entries.values() if _matches_request(entry, search)
        }
        ascending = search.order == "date"
        ordered = sorted(entries, reverse=not ascending)
        if (after := search.after) is not None:
            ordered = [place for place in ordered if (place > after) == ascending and place != after]
        page = ordered[: search.limit]
        matches = [(entries[place].document, place.score) for place in page]
        marker = build_marker(search.query)
        return replace(
            self._counts(list(entries.values()), search),
            hits=[
                build_bare_hit(document.kind, document.id, score) if search.bare else build_hit(document, score, marker)
                for document, score in matches
            ],
            corrections=search.corrections,
            next_cursor=self._cursor_after(search, page[-1]) if len(ordered) > search.limit else None,
        )

    def _counts(self, entries: Sequence[_MemoryEntry], search: SearchRequest) -> SearchResults:
        """Count everything, or of very many the newest and each kind separately."""
        if len(entries) <= self._counted or (search.is_unfiltered and not search.has_date_filter):
            return SearchResults(facets=_facets(entries, search.facets), total=len(entries))
        newest = sorted(entries, key=lambda entry: (entry.moment, entry.number), reverse=True)[: self._counted]
        alone = {
            name: self._up_to(name, counts) for name, counts in _facets(entries, search.separately_counted).items()
        }
        others = _facets(newest, [name for name in search.facets if name not in alone])
        kinds = alone.get(KIND, self._up_to(KIND, [FacetCount("", len(entries))]))
        return SearchResults(
            facets={**alone, **others},
            total=sum(facet.count for facet in kinds),
            or_more=any(facet.or_more for facet in kinds),
            facets_among=self._counted if others else None,
        )

    def _up_to(self, name: str, counts: Sequence[FacetCount]) -> list[FacetCount]:
        most = self._counted
        cut = [FacetCount(facet.value, min(facet.count, most), facet.count > most) for facet in counts]
        return sorted(cut, key=lambda facet: (-facet.count, facet_lexeme(name, facet.value)))

    async def _survey(self, search: SearchRequest, each: int) -> SearchSurvey:
        results = await self._find(search)
        kinds = [counted.value for counted in results.facets[KIND]]
        if each and len(kinds) < 2:
            return SearchSurvey(results)
        parts = [replace(search, kinds=(kind,), limit=each) for kind in kinds] if each else []
        best = {part.kinds[0]: (await self._find(part)).hits for part in parts}
        return SearchSurvey(replace(results, hits=(), next_cursor=None), best)

    async def _correct(self, search: SearchRequest, *, matches: int | None = None) -> tuple[Correction, ...]:
        restricted = replace(search, query=SearchQuery())
        entries = list(self._entries.values())
        return await find_corrections(
            search.query,
            _MemoryVocabulary(entries, [entry for entry in entries if _matches_request(entry, restricted)]),
            matches=matches,
        )


@dataclass(frozen=True, slots=True)
class _MemoryVocabulary:
    """The words of all entries, and those entries that the viewer may see."""

    entries: Sequence[_MemoryEntry]
    visible: Sequence[_MemoryEntry]

    async def count_texts(self, texts: Sequence[QueryText], *, upto: int) -> list[int]:
        matches = [[matches_node(text, entry.lexemes, None) for entry in self.visible] for text in texts]
        return [min(sum(matching), upto) for matching in matches]

    async def similar_words(self, words: Sequence[MisspeltWord]) -> list[list[str]]:
        vocabulary = sorted({word for entry in self.entries for word in entry.lexemes.vocabulary})
        return [
            [
                word
                for word in vocabulary
                if len(set(trigrams(word)) & set(misspelt.trigrams)) >= misspelt.fewest_shared
                and misspelt.lengths[0] <= len(word) <= misspelt.lengths[1]
            ]
            for misspelt in words
        ]


def _position(entry: _MemoryEntry, search: SearchRequest) -> ResultPosition:
    moment = _LAST if search.order == "date" and entry.document.date is None else entry.moment
    score = _score(search.query.root, entry.lexemes) if search.order == "relevance" else 0
    score *= LANGUAGE_BOOST if entry.document.language in search.languages else 1
    return ResultPosition(score, moment, entry.number)


def _score(node: QueryNode | None, lexemes: Lexemes) -> int:
    """Occurrences of the words relative to the document's length; the title counts more."""
    occurrences = 0
    for text in query_texts(node):
        for part in text_phrase(text):
            occurrences += _TITLE_COUNTS_AS * len(list(part_positions(part, lexemes.title)))
            occurrences += len(list(part_positions(part, lexemes.body)))
    return 1_000_000 * occurrences // (1 + lexemes.words)


def _matches_request(entry: _MemoryEntry, search: SearchRequest) -> bool:
    chosen = {KIND: search.kinds, **search.filters}
    return (
        search.viewer.may_see(entry.document)
        and is_within(entry.document.date, search.since, search.until)
        and all(has_facet_value(entry.lexemes, name, values) for name, values in chosen.items() if values)
        and (search.query.root is None or matches_node(search.query.root, entry.lexemes, entry.document.date))
    )


def _facets(entries: Sequence[_MemoryEntry], names: Sequence[str]) -> dict[str, list[FacetCount]]:
    counts = Counter(
        (name, value) for entry in entries for name, values in entry.lexemes.facets.items() for value in values
    )
    return group_facets(names, ((*facet, number) for facet, number in counts.items()))
