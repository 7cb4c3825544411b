"""The part that all indexes share: kinds, query parsing and cursors."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

import msgspec

from almanac.errors import InputError
from almanac.kit.catalogs import LANGUAGE_NAMES
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext, translate
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.language.detection import LANGUAGE_CODES
from almanac.search.corrections import FEW_MATCHES, exclude_query, widen_query
from almanac.search.fields import FACET_FIELDS
from almanac.search.model import (
    Correction,
    DocumentKind,
    SearchHit,
    SearchOrder,
    SearchResults,
    SearchSurvey,
    SearchViewer,
)
from almanac.search.query import SearchQuery
from almanac.search.query_parser import parse_query
from almanac.search.terms import KIND, LANGUAGE, facet_lexeme
from almanac.search.text_search import has_dates, has_only_dates, has_words

DEFAULT_LIMIT = 20
# A document in a language of the reader ranks as one in which the words are twice as frequent.
LANGUAGE_BOOST = 2
COUNT_LIMIT = 10_000
"""So many of what is found are counted; beyond, the total says that there are more, and facets are of the newest."""


@dataclass(frozen=True, slots=True, order=True)
class ResultPosition:
    """The position of a result, compared field by field; the next page starts after it."""

    score: int
    moment: int
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRequest:
    """Everything that decides what is found, and in which order."""

    query: SearchQuery
    viewer: SearchViewer
    kinds: tuple[str, ...]
    filters: Mapping[str, tuple[str, ...]]
    facets: tuple[str, ...]
    order: SearchOrder
    since: datetime | None
    until: datetime | None
    limit: int
    after: ResultPosition | None
    languages: tuple[str, ...] = ()
    asked: SearchQuery | None = None
    corrections: tuple[Correction, ...] = ()
    bare: bool = False

    @property
    def name(self) -> str:
        """Identifies the list, so that a cursor of one search doesn't open another."""
        parts = (self.asked or self.query, self.viewer.owner, self.kinds, sorted(self.filters.items()), self.order)
        return f"search {' '.join(map(str, parts))} {self.since} {self.until}"

    def widened(self, corrections: Sequence[Correction]) -> "SearchRequest":
        """The same search for similar words too; the cursors of its pages belong to the search that was asked for."""
        return replace(
            self,
            query=widen_query(self.query, corrections),
            asked=self.asked or self.query,
            corrections=tuple(corrections),
        )

    def without_exact(self) -> "SearchRequest":
        """What a widened search finds beyond the one asked for, which its list begins with."""
        return replace(self, query=exclude_query(self.query, self.asked)) if self.asked else self

    @property
    def is_unfiltered(self) -> bool:
        """Whether only kinds, dates and the viewer decide, so that stored counts apply."""
        return not self.filters and self.is_wordless

    @property
    def separately_counted(self) -> list[str]:
        """The requested facets whose values are counted one by one where not everything is counted.

        Without words only kinds: documents of some days are looked up by kind, not by language.
        """
        return [name for name in self.facets if name == KIND or (name == LANGUAGE and not self.is_unfiltered)]

    @property
    def has_date_filter(self) -> bool:
        """Whether only documents of some dates are found."""
        return self.since is not None or self.until is not None or has_dates(self.query)

    @property
    def is_wordless(self) -> bool:
        """Whether the query has no words and stored counts know its kinds by their names."""
        named_as_stored = all(facet_lexeme(KIND, kind) == f"{KIND}={kind}" for kind in self.kinds)
        return has_only_dates(self.query) and named_as_stored


class BaseIndex(ABC):
    """The part of `SearchIndex` that doesn't depend on the storage."""

    def __init__(self, cursor_key: bytes, counted: int = COUNT_LIMIT) -> None:
        self._cursor_key = cursor_key
        self._counted = counted
        self._kinds: dict[str, DocumentKind] = {}

    @property
    def kinds(self) -> Mapping[str, DocumentKind]:
        return self._kinds

    def add_kinds(self, *kinds: DocumentKind) -> None:
        for kind in kinds:
            if unknown := sorted(set(kind.facets) - set(FACET_FIELDS)):
                raise ValueError(
                    f"The field {unknown[0]} of {kind.name} has no meaning yet; add it to the list of fields."
                )
            if self._kinds.setdefault(kind.name, kind) != kind:
                raise ValueError(f"Two kinds of documents are named {kind.name}.")

    def parse(self, text: str) -> SearchQuery:
        fields = {name for kind in self._kinds.values() for name in kind.facets}
        values = {KIND: sorted(self._kinds), LANGUAGE: LANGUAGE_CODES}
        return parse_query(text, fields, values, self._value_named)

    def _value_named(self, field: str, name: str) -> str:
        """The value of a field that an interface language shows by a name; the name itself where it is none."""
        named = facet_lexeme(field, name)
        for kind in self._kinds.values():
            titles = [(kind.name, kind.title), (kind.name, kind.plural)] if field == KIND else []
            for value, title in (*titles, *kind.value_names.get(field, {}).items()):
                if any(facet_lexeme(field, translate(title, language)) == named for language in LANGUAGE_NAMES):
                    return value
        return name

    async def find(
        self,
        query: SearchQuery | str,
        *,
        viewer: SearchViewer,
        kinds: Sequence[str] = (),
        filters: Mapping[str, Sequence[str]] | None = None,
        facets: Sequence[str] = (),
        order: SearchOrder = "relevance",
        since: datetime | None = None,
        until: datetime | None = None,
        cursor: str | None = None,
        limit: int = DEFAULT_LIMIT,
        forgiving: bool = False,
        languages: Sequence[str] = (),
        bare: bool = False,
    ) -> SearchResults:
        tree = self.parse(query) if isinstance(query, str) else query
        if order not in get_args(SearchOrder):
            raise InputError(gettext("Results come by relevance, by date (oldest first) or by -date (newest first)."))
        search = SearchRequest(
            query=tree,
            viewer=viewer,
            kinds=tuple(kinds),
            filters={name: tuple(values) for name, values in (filters or {}).items() if values},
            facets=tuple(facets),
            order="-date" if order == "relevance" and not has_words(tree) else order,
            since=since,
            until=until,
            limit=limit,
            after=None,
            languages=tuple(languages),
            bare=bare,
        )
        if cursor:
            return await self._find_page(self._opened(search, cursor))
        results = await self._find(search)
        if not forgiving or results.total >= FEW_MATCHES or len(results.hits) >= limit:
            return results
        return await self._find_similar(search, results)

    async def _find_page(self, search: SearchRequest) -> SearchResults:
        """A further page, counted as the first one was."""
        if not search.asked:
            return await self._find(search)
        page = await self._find(search if search.order != "relevance" else search.without_exact())
        return await self._counted_again(search, page)

    async def _find_similar(self, search: SearchRequest, exact: SearchResults) -> SearchResults:
        """The few matches of a search, and then those of similar words; by date, both in one order."""
        corrections = await self._correct(search, matches=exact.total)
        if not corrections:
            return exact
        wide = search.widened(corrections)
        if search.order != "relevance" or not exact.hits:
            results = await self._find(wide)
            return results if results.total > exact.total else exact
        rest = await self._find(replace(wide.without_exact(), limit=search.limit - len(exact.hits), facets=()))
        if not rest.hits:
            return exact
        return await self._counted_again(wide, replace(rest, hits=[*exact.hits, *rest.hits]))

    async def _counted_again(self, wide: SearchRequest, page: SearchResults) -> SearchResults:
        """A page of a widened search with the counts of all of it."""
        facets = tuple(dict.fromkeys((KIND, *wide.facets)))
        counts = (await self._survey(replace(wide, facets=facets, after=None), 0)).results
        return replace(
            counts,
            hits=page.hits,
            next_cursor=page.next_cursor,
            facets={name: counts.facets[name] for name in wide.facets},
            corrections=wide.corrections,
        )

    async def survey(
        self,
        query: SearchQuery | str,
        *,
        viewer: SearchViewer,
        facets: Sequence[str] = (),
        each: int,
        forgiving: bool = False,
        languages: Sequence[str] = (),
    ) -> SearchSurvey:
        tree = self.parse(query) if isinstance(query, str) else query
        search = SearchRequest(
            query=tree,
            viewer=viewer,
            kinds=(),
            filters={},
            facets=tuple(dict.fromkeys((KIND, *facets))),
            order="relevance" if has_words(tree) else "-date",
            since=None,
            until=None,
            limit=DEFAULT_LIMIT,
            after=None,
            languages=tuple(languages),
        )
        survey = await self._survey(search, each)
        if not forgiving or survey.results.total >= FEW_MATCHES:
            return survey
        corrections = await self._correct(search, matches=survey.results.total)
        wide = await self._survey(search.widened(corrections), each) if corrections else survey
        return _exact_first(survey, wide, each) if wide.results.total > survey.results.total else survey

    @abstractmethod
    async def _find(self, search: SearchRequest) -> SearchResults: ...

    @abstractmethod
    async def _survey(self, search: SearchRequest, each: int) -> SearchSurvey: ...

    @abstractmethod
    async def _correct(self, search: SearchRequest, *, matches: int | None = None) -> tuple[Correction, ...]: ...

    def _opened(self, search: SearchRequest, cursor: str) -> SearchRequest:
        score, moment, number, *corrections = decode_cursor(cursor, of=search.name, key=self._cursor_key)
        if corrections:
            search = search.widened(msgspec.json.decode(str(corrections[0]), type=list[Correction]))
        assert isinstance(score, int)
        assert isinstance(moment, int)
        assert isinstance(number, int)
        return replace(search, after=ResultPosition(score, moment, number))

    def _cursor_after(self, search: SearchRequest, place: ResultPosition) -> str:
        corrections = [encode_json(search.corrections).decode()] if search.corrections else []
        return encode_cursor((place.score, place.moment, place.id, *corrections), of=search.name, key=self._cursor_key)


def _exact_first(survey: SearchSurvey, wide: SearchSurvey, each: int) -> SearchSurvey:
    """The survey of a widened search, in which the matches of the words as written come first."""
    exact_hits = [*survey.results.hits, *(hit for hits in survey.best.values() for hit in hits)]
    best = {
        kind: _merge_hits([hit for hit in exact_hits if hit.kind == kind], hits)[:each]
        for kind, hits in wide.best.items()
    }
    hits = _merge_hits(exact_hits, wide.results.hits) if wide.results.hits else ()
    return SearchSurvey(replace(wide.results, hits=hits), best)


def _merge_hits(first: Sequence[SearchHit], others: Sequence[SearchHit]) -> list[SearchHit]:
    shown = {(hit.kind, hit.id) for hit in first}
    return [*first, *(hit for hit in others if (hit.kind, hit.id) not in shown)]
