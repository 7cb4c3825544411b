"""How chunks stand in the search index, and the provider that gives them again when it is rebuilt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, time

from almanac.accounts.permissions import desk_permission
from almanac.knowledge import store
from almanac.knowledge.model import Visibility
from almanac.relational import Database, Unit
from almanac.search import DocumentBatch, DocumentKind, SearchDocument, SearchIndex

KIND = DocumentKind("knowledge", "Passage", "Knowledge", {"source": "Source", "origin": "Origin"})
READ_PERMISSION = desk_permission("newsletter", "read")
_BATCH_SIZE = 500


def to_search_document(chunk: store.IndexedChunk) -> SearchDocument:
    """A chunk as search knows it; `fields` let a desk cite it without asking again."""
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
    known = {
        "source_id": chunk.source_id,
        "document_id": chunk.document_id,
        "heading": " › ".join(chunk.heading),
        "url": chunk.url or "",
        "page": str(chunk.page or ""),
    }
    return {name: value for name, value in known.items() if value}


async def index_chunks(unit: Unit, search: SearchIndex, chunks: Sequence[store.IndexedChunk]) -> None:
    """Make chunks findable, in the transaction that stores them."""
    for start in range(0, len(chunks), _BATCH_SIZE):
        await search.put(unit, *(to_search_document(chunk) for chunk in chunks[start : start + _BATCH_SIZE]))


async def remove_chunks(unit: Unit, search: SearchIndex, ids: Sequence[str]) -> None:
    """Let chunks be found no more."""
    if ids:
        await search.remove(unit, KIND.name, ids)


@dataclass(frozen=True, slots=True)
class ChunkProvider:
    """Gives every chunk to a search index that is rebuilt."""

    database: Database
    kind: DocumentKind = field(default=KIND)

    async def count(self) -> int:
        async with self.database.unit() as unit:
            return await store.count_chunks(unit)

    async def batch(self, after: str | None, limit: int) -> DocumentBatch:
        async with self.database.unit() as unit:
            found = await store.list_indexed_chunks(unit, after=after, limit=limit)
        return DocumentBatch(
            [to_search_document(chunk) for chunk in found], found[-1].id if len(found) == limit else None
        )
