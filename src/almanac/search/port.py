"""The search port: an index that desks write in their own transactions and everybody searches in one syntax.

Adapters are `PostgresIndex` and the in-memory `MemoryIndex`. Providers give an index its documents again when it is
rebuilt.
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
    """Everything that a desk, a page or a command does with search."""

    async def put(self, unit: Unit, *documents: SearchDocument) -> None:
        """Add documents or replace those of the same kind and id; they are found once the unit has committed."""
        ...

    async def remove(self, unit: Unit, kind: str, ids: Sequence[str]) -> None:
        """Forget documents; ids that are not there are no error."""
        ...

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
    ) -> SearchResults:
        """What matches a query and every filter, of what the viewer may see. An empty query matches everything.

        Of several values for one filter any will do; several filters must all hold. `facets` names what to count
        (`kind` and `lang` besides a kind's own). A query that makes no sense is an InputError saying where, and so is
        a cursor of another search. `since` is inclusive, `until` is not.
        """
        ...

    async def survey(
        self, query: SearchQuery | str, *, viewer: SearchViewer, facets: Sequence[str] = (), each: int
    ) -> SearchSurvey:
        """What matches a query, and of what kinds. Where there are several, `each` of the best of every kind.

        With none of each, everything is only counted.
        """
        ...

    def parse(self, text: str) -> SearchQuery:
        """Read a query with the fields known here, or raise an InputError that says where and what to do."""
        ...

    def add_kinds(self, *kinds: DocumentKind) -> None:
        """Make kinds of documents known: their facets become fields of the syntax."""
        ...

    @property
    def kinds(self) -> Mapping[str, DocumentKind]:
        """The kinds known here, by name."""
        ...


@dataclass(frozen=True, slots=True)
class DocumentBatch:
    """Some of a provider's documents, and where to go on; None when these are the last."""

    documents: Sequence[SearchDocument]
    after: str | None = None


class DocumentProvider(Protocol):
    """Gives every document of one kind again, in batches; a desk has one for each kind it makes searchable."""

    @property
    def kind(self) -> DocumentKind: ...

    async def count(self) -> int:
        """About how many documents there are, for the progress bar."""
        ...

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        """The next documents after a place that an earlier batch named, or the first ones."""
        ...
