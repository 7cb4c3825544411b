"""Reads a source: fetches or opens it, reads it in a separate process, and stores what changed. Safe to repeat.

Every write checks the job's lease, one document at a time; a retry after a crash skips the documents already stored.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any

from almanac.documents.model import ChunkedDocument, ReadRequest, ReadResult
from almanac.errors import AlmanacError, Retryable
from almanac.fetch import Conditions, Fetched, Fetcher
from almanac.jobs import JobCancelled, JobLeaseLost, JobRetryPolicy, RunningJob
from almanac.kit.clock import Clock
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext, ngettext
from almanac.knowledge import store
from almanac.knowledge.indexing import index_chunks, remove_chunks
from almanac.knowledge.model import SourceKind, chunk_id, document_id
from almanac.knowledge.reader_process import FileReadLimits, read_in_process
from almanac.objects import ObjectStore
from almanac.relational import Database, Unit
from almanac.search import SearchIndex

# Raised whenever the reader finds other text or other cuts, so that sources are read anew and not passed over.
READER_VERSION = 2
ACCEPT_HEADER = (
    "text/html, application/pdf;q=0.9, application/rss+xml, application/atom+xml, application/feed+json, */*;q=0.5"
)
READ_RETRY = JobRetryPolicy()


@dataclass(frozen=True, slots=True)
class _SourceContent:
    """The bytes of a source and what is known about them."""

    body: bytes
    errand: ReadRequest
    conditions: Conditions = field(default_factory=Conditions)
    address: str | None = None

    @property
    def digest(self) -> str:
        return f"{READER_VERSION}:{hashlib.sha256(self.body).hexdigest()}"


def object_key(source_id: str, content: bytes) -> str:
    """The key of a source's bytes in object storage."""
    return f"knowledge/{source_id}/{hashlib.sha256(content).hexdigest()}"


@dataclass(frozen=True, slots=True)
class SourceReader:
    """Reads sources for jobs."""

    database: Database
    objects: ObjectStore
    fetcher: Fetcher
    search: SearchIndex
    clock: Clock
    limits: FileReadLimits = field(default_factory=FileReadLimits)

    async def read(self, job: RunningJob[Any], source_id: str) -> None:
        """Read one source; an error is stored with the source before it is raised."""
        async with job.unit() as unit:
            source = await store.find_source_to_read(unit, source_id)
            if source is not None:
                await store.set_reading(unit, source_id)
        if source is None:
            return
        try:
            await self._read(job, source)
        except (JobCancelled, JobLeaseLost) as stopped:
            await self._note_stop(source_id, stopped)
            raise
        except AlmanacError as error:
            await self._note_failure(job, source_id, error)
            raise
        except Exception:  # a fault of ours must not leave the source as being read for ever; the job records it
            await self._set_failed(
                source_id, gettext("Reading failed unexpectedly; see its job for details. Refresh it to try again.")
            )
            raise

    async def _read(self, job: RunningJob[Any], source: store.SourceToRead) -> None:
        await job.progress(doing=gettext("Fetching") if source.url else gettext("Opening"))
        content = await self._content(source)
        if content is None or content.digest == source.digest:
            async with job.unit() as unit:
                await store.set_unchanged(unit, source.id, self.clock.now())
            return
        key = object_key(source.id, content.body)
        if key != source.object_key:
            await self.objects.put(key, content.body, content_type="application/octet-stream")
        await job.progress(doing=gettext("Reading"))
        reading = await read_in_process(content.body, content.errand)
        source = await self._titled(job, source, reading.title)
        await self._keep(job, source, content, reading)
        async with job.unit() as unit:
            await store.set_ready(unit, source.id, _build_outcome(content, reading, key, source), self.clock.now())
        async with job.unit() as unit:
            await self._drop_other_objects(unit, source.id)

    async def _content(self, source: store.SourceToRead) -> _SourceContent | None:
        """The bytes; None where the host says that nothing changed."""
        if source.url is None:
            assert source.object_key is not None
            body = await self.objects.get(source.object_key)
            return _SourceContent(body, self._errand(name=source.file_name or ""))
        conditions = Conditions(etag=source.etag, last_modified=source.last_modified)
        read_before = source.digest is not None and source.digest.startswith(f"{READER_VERSION}:")
        fetched = await self.fetcher.get(
            source.url, accept=ACCEPT_HEADER, conditions=conditions if read_before else None
        )
        return None if fetched.not_modified else self._fetched(source, fetched)

    def _fetched(self, source: store.SourceToRead, fetched: Fetched) -> _SourceContent:
        errand = self._errand(
            name=fetched.url.partition("?")[0].rpartition("/")[2],
            content_type=fetched.content_type,
            charset=fetched.charset,
            url=fetched.url,
            wanted="feed" if source.kind is SourceKind.FEED else "any",
        )
        return _SourceContent(fetched.body, errand, fetched.conditions, source.url)

    def _errand(self, **fields: Any) -> ReadRequest:
        limits = self.limits
        return ReadRequest(
            max_pages=limits.max_pages, max_memory_mb=limits.max_memory_mb, max_seconds=limits.max_seconds, **fields
        )

    async def _titled(self, job: RunningJob[Any], source: store.SourceToRead, title: str) -> store.SourceToRead:
        """The source with the title of its content, unless a person gave it one; search is updated too."""
        if source.titled or title in ("", source.title):
            return source
        async with job.unit() as unit:
            await store.set_title(unit, source.id, title)
            await index_chunks(unit, self.search, await store.list_indexed_chunks(unit, source_id=source.id))
        return replace(source, title=title)

    async def _keep(
        self, job: RunningJob[Any], source: store.SourceToRead, content: _SourceContent, reading: ReadResult
    ) -> None:
        async with self.database.unit() as unit:
            stored_digests = await store.list_document_digests(unit, source.id)
        documents = [(document_id(source.identity, document.key), document) for document in reading.documents]
        for number, (row_id, document) in enumerate(documents):
            await job.progress(
                number,
                len(documents),
                ngettext("Keeping %(num)s document", "Keeping %(num)s documents", len(documents)),
            )
            digest = hashlib.sha256(encode_json(document)).hexdigest()
            if stored_digests.get(row_id) != digest:
                row = self._row(source, content, row_id, document, digest)
                async with job.unit() as unit:
                    await self._keep_document(unit, source, row, document)
        if source.kind is not SourceKind.FEED:
            async with job.unit() as unit:
                gone = await store.delete_documents_except(unit, source.id, [row_id for row_id, _ in documents])
                await remove_chunks(unit, self.search, gone)

    def _row(
        self, source: store.SourceToRead, content: _SourceContent, row_id: str, document: ChunkedDocument, digest: str
    ) -> store.DocumentRow:
        day: date = document.published or self.clock.now().date()
        return store.DocumentRow(
            id=row_id,
            source_id=source.id,
            title=document.title or source.title,
            url=document.url or content.address,
            date=day,
            date_known=document.published is not None,
            language=document.language,
            digest=digest,
        )

    async def _keep_document(
        self, unit: Unit, source: store.SourceToRead, row: store.DocumentRow, document: ChunkedDocument
    ) -> None:
        # Whoever shares, hides or removes the source meanwhile comes before this or after it, never between.
        await store.lock_source(unit, source.id)
        await store.upsert_document(unit, row)
        gone = await store.upsert_chunks(unit, row, _build_chunks(source.identity, document))
        await remove_chunks(unit, self.search, gone)
        await index_chunks(unit, self.search, await store.list_indexed_chunks(unit, document_id=row.id))

    async def _note_failure(self, job: RunningJob[Any], source_id: str, error: AlmanacError) -> None:
        """Store the reason. A source whose job will retry waits for it; the reason tells the attempt."""
        again = isinstance(error, Retryable) and job.attempt < READ_RETRY.attempts
        reason = (
            str(error.sentence)
            if not again
            else gettext(
                "%(sentence)s (Attempt %(attempt)s of %(attempts)s; it is tried again later.)",
                sentence=error.sentence,
                attempt=job.attempt,
                attempts=READ_RETRY.attempts,
            )
        )
        if again:
            async with self.database.unit() as unit:
                await store.set_retrying(unit, source_id, reason, self.clock.now())
        else:
            await self._set_failed(source_id, reason)

    async def _set_failed(self, source_id: str, reason: str) -> None:
        async with self.database.unit() as unit:
            await store.set_failed(unit, source_id, reason, self.clock.now())

    async def _note_stop(self, source_id: str, stopped: AlmanacError) -> None:
        """Store a reason for a cancelled job; a lost lease is another worker's business."""
        if isinstance(stopped, JobCancelled):
            await self._set_failed(source_id, gettext("Reading was cancelled; refresh it to read it."))

    async def _drop_other_objects(self, unit: Unit, source_id: str) -> None:
        """Delete older contents. New content is named under the same lock, so it is never deleted."""
        kept = await store.lock_source(unit, source_id)
        async for listed in self.objects.iterate(f"knowledge/{source_id}"):
            if listed.key != kept:
                await self.objects.delete(listed.key)


def _build_outcome(
    content: _SourceContent, reading: ReadResult, key: str, source: store.SourceToRead
) -> store.SourceReadOutcome:
    return store.SourceReadOutcome(
        problems=reading.problems,
        digest=content.digest,
        object_key=key,
        size=len(content.body),
        was=source.object_key,
        etag=content.conditions.etag,
        last_modified=content.conditions.last_modified,
    )


def _build_chunks(identity: str, document: ChunkedDocument) -> Sequence[store.ChunkRow]:
    """A passage repeated word for word in a document is one chunk, at its first place."""
    rows: dict[str, store.ChunkRow] = {}
    for position, piece in enumerate(document.pieces):
        row_id = chunk_id(identity, document.key, piece.text)
        row = store.ChunkRow(
            id=row_id,
            position=position,
            text=piece.text,
            heading=piece.heading,
            page=piece.page,
            language=piece.language,
        )
        rows.setdefault(row_id, row)
    return list(rows.values())
