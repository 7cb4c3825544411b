"""Chunks as search documents, and the provider that returns them when the index is rebuilt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.accounts.permissions import desk_permission
from almanac.kit.messages import gettext
from almanac.knowledge import store
from almanac.knowledge.model import Visibility
from almanac.relational import Database, Unit
from almanac.search import DocumentBatch, DocumentKind, SearchDocument, SearchIndex

KIND = DocumentKind(
    "knowledge",
    gettext("Passage"),
    gettext("Knowledge"),
    {"source": gettext("Source"), "origin": gettext("Origin")},
)
READ_PERMISSION = desk_permission("newsletter", "read")
_BATCH_SIZE = 500


def to_search_document(chunk: store.IndexedChunk) -> SearchDocument:
    """A chunk as search document; `fields` let a desk cite it without another query."""
    return SearchDocument(
        kind=KIND.name,
        id=chunk.id,
        title=chunk.title or chunk.source_title,
        path=f"/knowledge/{chunk.source_id}?chunk={chunk.id}#chunk-{chunk.id}",
        body=chunk.text,
        language=chunk.language,
        date=datetime.combine(chunk.date, time(), UTC),
        facets={"source": (chunk.source_title,), "origin": (chunk.kind,)},
        fields=_fields(chunk),
        owner=chunk.owner_id,
        permission=READ_PERMISSION if chunk.visibility == Visibility.EVERYONE else None,
    )


def _fields(chunk: store.IndexedChunk) -> Mapping[str, str]:
    fields = {
        "source_id": chunk.source_id,
        "document_id": chunk.document_id,
        "heading": " › ".join(chunk.heading),
        "url": chunk.url or "",
        "page": str(chunk.page or ""),
    }
    return {name: value for name, value in fields.items() if value}


async def index_chunks(unit: Unit, search: SearchIndex, chunks: Sequence[store.IndexedChunk]) -> None:
    """Index chunks in the transaction that stores them."""
    for start in range(0, len(chunks), _BATCH_SIZE):
        await search.put(unit, *(to_search_document(chunk) for chunk in chunks[start : start + _BATCH_SIZE]))


async def remove_chunks(unit: Unit, search: SearchIndex, ids: Sequence[str]) -> None:
    """Remove chunks from the index."""
    if ids:
        await search.remove(unit, KIND.name, ids)


@dataclass(frozen=True, slots=True)
class ChunkProvider:
    """Returns every chunk when the search index is rebuilt."""

    database: Database
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.database.unit() as unit:
            return await store.count_chunks(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        async with self.database.unit() as unit:
            chunks = await store.list_indexed_chunks(unit, after=after, limit=limit)
        return DocumentBatch(
            [to_search_document(chunk) for chunk in chunks], chunks[-1].id if len(chunks) == limit else None
        )
