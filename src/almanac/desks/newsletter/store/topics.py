"""Step 2 in the table: chosen topics, retrieved chunks and which of them are excluded."""

from collections.abc import Sequence
from datetime import date, datetime
from typing import Any

import msgspec

from almanac.citations.model import PassageLocation
from almanac.desks.newsletter.model.chunks import RetrievalCoverage, RetrievedChunk, derive_chunk_id
from almanac.desks.newsletter.model.newsletter import TopicsStep
from almanac.desks.newsletter.model.staleness import Basis
from almanac.desks.newsletter.store import table
from almanac.desks.newsletter.store.conversion import model_fields, stored_fields
from almanac.desks.newsletter.store.steps import ended_fields, is_version, step_state_from, write_step
from tablature import Write, create
from tablature.async_database import AsyncDatabase


def new_topics_write(code: str, selected: Sequence[str], excluded: Sequence[str] = ()) -> Write[table.TopicsRecord]:
    """The write that creates the topics of a new newsletter."""
    return create(
        table.TopicsRecord(
            newsletter_code=code, selected_types=list(selected), excluded_chunks=list(excluded) or None, version=1
        )
    )


async def save_topics(
    tables: AsyncDatabase,
    code: str,
    *,
    expected: int,
    selected: Sequence[str] | None = None,
    excluded: Sequence[str] | None = None,
) -> None:
    """Save chosen topics or excluded chunks, edited on version `expected`; retrieved chunks are not touched."""
    fields: dict[str, object] = {"version": expected + 1}
    if selected is not None:
        fields["selected_types"] = list(selected)
    if excluded is not None:
        fields["excluded_chunks"] = list(excluded) or None
    await write_step(tables, code, table.TopicsRecord, is_version(table.TopicsRecord, expected), fields)


async def save_retrieval(
    tables: AsyncDatabase,
    code: str,
    *,
    run: int,
    chunks: Sequence[RetrievedChunk],
    coverage: RetrievalCoverage,
    basis: Basis,
    version: int,
    now: datetime,
) -> None:
    """Save the result of a retrieval; topics and exclusions are kept."""
    fields = {
        "retrieved_content": [_stored_chunk(chunk) for chunk in chunks],
        "total_chunks_retrieved": len(chunks),
        "coverage": _stored_coverage(coverage),
        "rests_on": dict(basis),
        "version": version + 1,
        **ended_fields("retrieval", run, now),
    }
    await write_step(tables, code, table.TopicsRecord, is_version(table.TopicsRecord, version), fields)


def topics_from(record: table.TopicsRecord) -> TopicsStep:
    """Step 2 from its record."""
    excluded = record.excluded_chunks or []
    chunks = tuple(_chunk_from(stored, excluded) for stored in record.retrieved_content or ())
    retrieved = {chunk.id for chunk in chunks}
    return TopicsStep(
        **{
            **model_fields(TopicsStep, record),
            "coverage": msgspec.convert(record.coverage, RetrievalCoverage) if record.coverage else None,
        },
        state=step_state_from(record, "retrieval"),
        selected=tuple(record.selected_types),
        chunks=chunks,
        left_out=tuple(chunk_id for chunk_id in excluded if chunk_id not in retrieved),
    )


def _chunk_from(stored: table.StoredChunk, excluded: Sequence[str]) -> RetrievedChunk:
    metadata = stored.get("metadata") or {}
    source, content = stored.get("source") or "", stored.get("content") or ""
    chunk_id = stored.get("id") or derive_chunk_id(source, content)
    return RetrievedChunk(
        **{
            **model_fields(RetrievedChunk, stored),
            "id": chunk_id,
            "topic": stored.get("topic") or "",
            "source": source,
            "content": content,
            "score": float(stored.get("score") or 0),
            "place": _place_from(stored, chunk_id),
        },
        url=str(metadata.get("url") or ""),
        date=_parse_date(str(metadata.get("date") or "")),
        included=chunk_id not in excluded,
    )


def _place_from(stored: table.StoredChunk, chunk_id: str) -> PassageLocation | None:
    """Where the chunk is from; older records have only the desk."""
    if place := stored.get("place"):
        return msgspec.convert(place, PassageLocation)
    return PassageLocation(desk=stored["kind"], item=chunk_id) if "kind" in stored else None


def _parse_date(text: str) -> date | None:
    """A date as other programs write it, perhaps with a time; None if it isn't one."""
    try:
        return date.fromisoformat(text[:10])
    except ValueError:
        return None


def _stored_chunk(chunk: RetrievedChunk) -> dict[str, Any]:
    fields = stored_fields(chunk, optional=("place",))
    metadata = {name: value for name in ("url", "date") if (value := fields.pop(name))}
    del fields["included"]
    return {**fields, "kind": chunk.kind, "metadata": metadata}


def _stored_coverage(coverage: RetrievalCoverage) -> dict[str, object]:
    return {name: value for name, value in stored_fields(coverage).items() if value is not None}
