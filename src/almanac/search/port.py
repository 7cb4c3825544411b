"""The search port: an index that desks write in their own transactions and everybody searches in one syntax.

Adapters are `PostgresIndex` and the in-memory `MemoryIndex`. Providers return all documents for a rebuild.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from almanac.relational import Unit
from almanac.search.index import DEFAULT_LIMIT
from almanac.search.model import DocumentKind, SearchDocument, SearchOrder, SearchResults, SearchSurvey, SearchViewer
from almanac.search.query import SearchQuery


class SearchIndex(Protocol):
    """What desks, pages and commands do with search."""

    async def put(self, unit: Unit, *documents: SearchDocument) -> None:
        """Upsert documents by kind and id; they are found once the unit has committed."""

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        """Remove documents; unknown ids are ignored."""

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
        """What matches a query and all filters, of what the viewer may see. An empty query matches everything.

        Several values of one filter are alternatives. `facets` names what to count (`kind` and `lang` besides a kind's
        own). Raises InputError for an invalid query, saying where, and for a cursor of another search. `since` is
        inclusive, `until` exclusive. With `forgiving`, words with few matches are also searched by similar words, whose
        matches follow. Documents in the reader's `languages` rank higher. With `bare`, hits have their
        kind, id and score only; the rest isn't even read.
        """

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
        """The matches of a query by kind. With several kinds, the `each` best of every kind; with 0, only counts."""

    def parse(self, text: str) -> SearchQuery:
        """Parse a query with the fields of this index; raises InputError saying where and what to do."""

    def add_kinds(self, *kinds: DocumentKind) -> None:
        """Register kinds of documents: their facets become fields of the syntax."""

    @property
    def kinds(self) -> Mapping[str, DocumentKind]:
        """The registered kinds by name."""


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Some of a provider's documents, and where to continue; None after the last."""

    documents: Sequence[SearchDocument]
    after: str | None = None


class DocumentProvider(Protocol):
    """Returns every document of one kind, in batches; a desk has one for each of its kinds."""

    @property
    def kind(self) -> DocumentKind: ...

    async def count(self) -> int:
        """The approximate number of documents, for progress."""

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        """The documents after a position given by an earlier batch, or the first ones."""
