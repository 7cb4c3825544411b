"""Every read and write of knowledge in PostgreSQL, by name; no decisions here."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import date, datetime
from typing import Any

from almanac.knowledge.model import (
    KnowledgeChunk,
    KnowledgeSource,
    KnowledgeViewer,
    SourceDocument,
    SourceFilter,
    SourceKind,
    SourceStatus,
    Visibility,
)
from almanac.relational import Jsonb, ReadTransaction, Unit, load_queries

QUERIES = load_queries(__package__)
NO_LIMIT = 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NewSource:
    """A source to be added; `titled` if a person gave it a title."""

    id: str
    owner_id: str
    identity: str
    kind: SourceKind
    title: str
    titled: bool
    visibility: Visibility
    url: str | None = None
    file_name: str | None = None
    size: int | None = None
    object_key: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceToRead:
    """What a reader needs to know about a source."""

    id: str
    owner_id: str
    identity: str
    kind: SourceKind
    title: str
    titled: bool
    visibility: Visibility
    url: str | None
    file_name: str | None
    object_key: str | None
    digest: str | None
    etag: str | None
    last_modified: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReadOutcome:
    """What is stored after reading; `was` is the object key when reading started."""

    problems: Sequence[str]
    digest: str
    object_key: str
    size: int
    was: str | None
    etag: str | None = None
    last_modified: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentRow:
    """A document as stored."""

    id: str
    source_id: str
    title: str
    url: str | None
    date: date
    date_known: bool
    language: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ChunkRow:
    """A chunk as stored, without the columns of its document."""

    id: str
    position: int
    text: str
    heading: Sequence[str]
    page: int | None
    language: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexedChunk:
    """A chunk with everything that search needs."""

    id: str
    source_id: str
    document_id: str
    text: str
    heading: Sequence[str]
    language: str
    page: int | None
    title: str
    url: str | None
    date: date
    source_title: str
    kind: str
    owner_id: str
    visibility: str


@dataclass(frozen=True, slots=True)
class ChunkPosition:
    """Where a page of chunks continues."""

    date: date
    document_id: str
    position: int


async def insert_source(unit: Unit, source: NewSource, now: datetime) -> bool:
    """Add the source; False if its identity exists."""
    return await unit.execute(QUERIES["insert_source"], asdict(source) | {"now": now}) == 1


async def update_readded_source(unit: Unit, source: NewSource) -> None:
    await unit.execute(QUERIES["update_readded_source"], asdict(source))


async def lock_by_identity(unit: Unit, identity: str) -> str | None:
    source_id: str | None = await unit.value(QUERIES["lock_by_identity"], {"identity": identity})
    return source_id


async def find_source(unit: Unit, source_id: str, *, removed_too: bool = False) -> KnowledgeSource | None:
    params = {"id": source_id, "removed_too": removed_too}
    return await unit.one(QUERIES["find_source"], params, into=_source_from_row)


async def list_sources(
    unit: Unit, viewer: KnowledgeViewer, which: SourceFilter, before: str | None, limit: int
) -> list[KnowledgeSource]:
    params = _viewer_params(viewer) | asdict(which) | {"before": before, "limit": limit}
    return await unit.all(QUERIES["list_sources"], params, into=_source_from_row)


async def find_source_to_read(unit: Unit, source_id: str) -> SourceToRead | None:
    return await unit.one(QUERIES["find_source_to_read"], {"id": source_id}, into=_source_to_read_from_row)


async def lock_source(unit: Unit, source_id: str) -> str | None:
    """Lock a source until the unit ends; returns its object key."""
    object_key: str | None = await unit.value(QUERIES["lock_source"], {"id": source_id})
    return object_key


async def set_waiting(unit: Unit, source_id: str, job_id: int) -> None:
    await unit.execute(QUERIES["set_waiting"], {"id": source_id, "job_id": job_id})


async def set_reading(unit: Unit, source_id: str) -> None:
    await unit.execute(QUERIES["set_reading"], {"id": source_id})


async def set_title(unit: Unit, source_id: str, title: str) -> None:
    await unit.execute(QUERIES["set_title"], {"id": source_id, "title": title})


async def set_ready(unit: Unit, source_id: str, outcome: SourceReadOutcome, now: datetime) -> None:
    params = asdict(outcome) | {"id": source_id, "problems": list(outcome.problems), "now": now}
    await unit.execute(QUERIES["set_ready"], params)


async def set_unchanged(unit: Unit, source_id: str, now: datetime) -> None:
    await unit.execute(QUERIES["set_unchanged"], {"id": source_id, "now": now})


async def set_retrying(unit: Unit, source_id: str, reason: str, now: datetime) -> None:
    """The source could not be read; its job tries again."""
    await unit.execute(QUERIES["set_retrying"], {"id": source_id, "reason": reason, "now": now})


async def set_failed(unit: Unit, source_id: str, reason: str, now: datetime) -> None:
    await unit.execute(QUERIES["set_failed"], {"id": source_id, "reason": reason, "now": now})


async def set_visibility(unit: Unit, source_id: str, visibility: Visibility) -> None:
    await unit.execute(QUERIES["set_visibility"], {"id": source_id, "visibility": visibility})


async def set_removed(unit: Unit, source_id: str, at: datetime | None) -> None:
    await unit.execute(QUERIES["set_removed"], {"id": source_id, "at": at})


async def list_due(unit: Unit, *, feeds_before: datetime, pages_before: datetime, limit: int) -> list[str]:
    params = {"feeds_before": feeds_before, "pages_before": pages_before, "limit": limit}
    return [row["id"] for row in await unit.all(QUERIES["list_due"], params)]


async def list_removed(unit: Unit, before: datetime, limit: int) -> list[str]:
    return [row["id"] for row in await unit.all(QUERIES["list_removed"], {"before": before, "limit": limit})]


async def delete_source(unit: Unit, source_id: str) -> bool:
    return await unit.execute(QUERIES["delete_source"], {"id": source_id}) == 1


async def list_documents(unit: Unit, source_id: str, limit: int) -> list[SourceDocument]:
    params = {"source_id": source_id, "limit": limit}
    return await unit.all(QUERIES["list_documents"], params, into=SourceDocument)


async def list_document_digests(unit: Unit, source_id: str) -> dict[str, str]:
    rows = await unit.all(QUERIES["list_document_digests"], {"source_id": source_id})
    return {row["id"]: row["digest"] for row in rows}


async def upsert_document(unit: Unit, document: DocumentRow) -> None:
    await unit.execute(QUERIES["upsert_document"], asdict(document))


async def upsert_chunks(unit: Unit, document: DocumentRow, chunks: Sequence[ChunkRow]) -> list[str]:
    """Store exactly these chunks for a document; returns the ids of those deleted."""
    key = {"source_id": document.source_id, "document_id": document.id}
    rows = await unit.all(QUERIES["delete_chunks_except"], key | {"ids": [chunk.id for chunk in chunks]})
    await unit.execute(QUERIES["upsert_chunks"], key | {"rows": Jsonb([asdict(chunk) for chunk in chunks])})
    return [row["id"] for row in rows]


async def delete_documents_except(unit: Unit, source_id: str, ids: Sequence[str]) -> list[str]:
    """Delete a source's other documents; returns the ids of their chunks."""
    rows = await unit.all(QUERIES["delete_documents_except"], {"source_id": source_id, "ids": list(ids)})
    return [row["id"] for row in rows]


async def find_chunks(unit: Unit, viewer: KnowledgeViewer, ids: Sequence[str]) -> list[KnowledgeChunk]:
    return await unit.all(QUERIES["find_chunks"], _viewer_params(viewer) | {"ids": list(ids)}, into=KnowledgeChunk)


async def list_chunks(unit: Unit, source_id: str, after: ChunkPosition | None, limit: int) -> list[KnowledgeChunk]:
    place = asdict(after) if after else {"date": None, "document_id": None, "position": None}
    return await unit.all(QUERIES["list_chunks"], place | {"source_id": source_id, "limit": limit}, into=KnowledgeChunk)


async def list_indexed_chunks(
    unit: Unit,
    *,
    source_id: str | None = None,
    document_id: str | None = None,
    after: str | None = None,
    limit: int = NO_LIMIT,
) -> list[IndexedChunk]:
    params = {"source_id": source_id, "document_id": document_id, "after": after, "limit": limit}
    return await unit.all(QUERIES["list_indexed_chunks"], params, into=IndexedChunk)


async def count_chunks(unit: Unit) -> int:
    return int(await unit.value(QUERIES["count_chunks"]))


async def list_chunk_ids(unit: Unit, source_id: str) -> list[str]:
    return [row["id"] for row in await unit.all(QUERIES["list_chunk_ids"], {"source_id": source_id})]


def _viewer_params(viewer: KnowledgeViewer) -> dict[str, object]:
    return {"viewer": viewer.user_id, "everything": viewer.everything}


def _source_from_row(**row: Any) -> KnowledgeSource:
    return KnowledgeSource(**_with_enums(row) | {"status": SourceStatus(row["status"])})


def _source_to_read_from_row(**row: Any) -> SourceToRead:
    return SourceToRead(**_with_enums(row))


def _with_enums(row: Mapping[str, Any]) -> dict[str, Any]:
    return dict(row) | {"kind": SourceKind(row["kind"]), "visibility": Visibility(row["visibility"])}


async def count_owned_sources(reading: ReadTransaction, owner_id: str) -> int:
    return int(await reading.value(QUERIES["count_owned_sources"], {"owner_id": owner_id}))


async def hand_over_sources(unit: Unit, from_id: str, to_id: str) -> int:
    return await unit.execute(QUERIES["hand_over_sources"], {"from_id": from_id, "to_id": to_id})
