"""The part that all indexes share: kinds, query parsing and cursors."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import get_args

from almanac.errors import InputError
from almanac.kit.paging import decode_cursor, encode_cursor
from almanac.search.model import DocumentKind, SearchOrder, SearchResults, SearchSurvey, SearchViewer
from almanac.search.query import SearchQuery
from almanac.search.query_parser import parse_query
from almanac.search.terms import KIND, LANGUAGE, facet_lexeme
from almanac.search.text_search import has_dates, has_only_dates, has_words

DEFAULT_LIMIT = 20
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
    bare: bool = False

    @property
    def name(self) -> str:
        """Identifies the list, so that a cursor of one search doesn't open another."""
        parts = (self.query, self.viewer.owner, self.kinds, sorted(self.filters.items()), self.order)
        return f"search {' '.join(map(str, parts))} {self.since} {self.until}"

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
            if self._kinds.setdefault(kind.name, kind) != kind:
                raise ValueError(f"Two kinds of documents are named {kind.name}.")

    def parse(self, text: str) -> SearchQuery:
        return parse_query(text, {name for kind in self._kinds.values() for name in kind.facets})

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
        bare: bool = False,
    ) -> SearchResults:
        tree = self.parse(query) if isinstance(query, str) else query
        if order not in get_args(SearchOrder):
            raise InputError("Results come by relevance, by date (oldest first) or by -date (newest first).")
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
            bare=bare,
        )
        return await self._find(self._opened(search, cursor) if cursor else search)

    async def survey(
        self, query: SearchQuery | str, *, viewer: SearchViewer, facets: Sequence[str] = (), each: int
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
        )
        return await self._survey(search, each)

    @abstractmethod
    async def _find(self, search: SearchRequest) -> SearchResults: ...

    @abstractmethod
    async def _survey(self, search: SearchRequest, each: int) -> SearchSurvey: ...

    def _opened(self, search: SearchRequest, cursor: str) -> SearchRequest:
        score, moment, number = decode_cursor(cursor, of=search.name, key=self._cursor_key)
        assert isinstance(score, int)
        assert isinstance(moment, int)
        assert isinstance(number, int)
        return replace(search, after=ResultPosition(score, moment, number))

    def _cursor_after(self, search: SearchRequest, place: ResultPosition) -> str:
        return encode_cursor((place.score, place.moment, place.id), of=search.name, key=self._cursor_key)
