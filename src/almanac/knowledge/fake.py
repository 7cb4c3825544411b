"""The in-memory fake of knowledge, for tests of desks.

It passes the same contract suite as the real adapter. Sources are read at once, in this process.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePath
from typing import Any

from almanac.documents.file_type import detect_file_type
from almanac.documents.model import ChunkedDocument, ReadRequest, TextChunk
from almanac.documents.reader import read_document
from almanac.errors import AlmanacError, NotAllowed, NotFound, TooLarge
from almanac.fetch import AddressRefused, Fetcher
from almanac.fetch.fake import FakeFetcher
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.kit.text import shorten
from almanac.knowledge.forgiveness import fits_typed
from almanac.knowledge.model import (
    KnowledgeChunk,
    KnowledgeSource,
    KnowledgeViewer,
    OpmlImport,
    SourceDetail,
    SourceDocument,
    SourceFilter,
    SourceKind,
    SourceStatus,
    Visibility,
    chunk_id,
    document_id,
    source_identity,
)
from almanac.knowledge.service import TITLE_LIMIT, clean_file_name

_KEY = b"cursors of the fake"


@dataclass(slots=True)
class _HeldSource:
    """A source with everything read from it."""

    source: KnowledgeSource
    identity: str
    titled: bool
    content: bytes = b""
    removed: bool = False
    documents: dict[str, SourceDocument] = field(default_factory=dict)
    chunks: dict[str, list[KnowledgeChunk]] = field(default_factory=dict)


@dataclass(slots=True)
class FakeKnowledge:
    """The Knowledge port in a dictionary."""

    fetcher: Fetcher = field(default_factory=FakeFetcher)
    clock: Clock = field(default_factory=SystemClock)
    max_file_bytes: int = 50_000_000
    held: dict[str, _HeldSource] = field(default_factory=dict)

    async def add_file(
        self,
        viewer: KnowledgeViewer,
        name: str,
        content: bytes,
        *,
        title: str = "",
        visibility: Visibility = Visibility.MINE,
    ) -> KnowledgeSource:
        name = clean_file_name(name)
        if len(content) > self.max_file_bytes:
            raise TooLarge(gettext("%(name)s is larger than allowed for one file; split it.", name=shorten(name, 80)))
        detect_file_type(content, name=name)
        held = self._hold(viewer, SourceKind.FILE, name, title, visibility, file_name=name, size=len(content))
        held.content = content
        return await self._read(held)

    async def add_url(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        address = self.fetcher.check(url.strip())
        return await self._read(self._hold(viewer, SourceKind.URL, address, title, visibility, url=address))

    async def add_feed(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        address = self.fetcher.check(url.strip())
        return await self._read(self._hold(viewer, SourceKind.FEED, address, title, visibility, url=address))

    async def import_opml(
        self, viewer: KnowledgeViewer, content: bytes, *, visibility: Visibility = Visibility.MINE
    ) -> OpmlImport:
        added: list[KnowledgeSource] = []
        existing: list[KnowledgeSource] = []
        refused: list[tuple[str, str]] = []
        for feed in read_document(content, ReadRequest(wanted="opml")).feeds:
            try:
                identity = source_identity(viewer.user_id, SourceKind.FEED, self.fetcher.check(feed.url))
            except AddressRefused as refusal:
                refused.append((feed.url, str(refusal.sentence)))
                continue
            present = next((h.source for h in self.held.values() if h.identity == identity and not h.removed), None)
            if present is not None:
                existing.append(present)
            else:
                added.append(await self.add_feed(viewer, feed.url, visibility=visibility))
        return OpmlImport(added=added, existing=existing, refused=refused)

    async def list(
        self, viewer: KnowledgeViewer, which: SourceFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeSource]:
        of = f"knowledge {viewer} {which}"
        before = _position(cursor, of)
        sources = sorted((h.source for h in self.held.values() if not h.removed), key=lambda s: s.id, reverse=True)
        sources = [
            s
            for s in sources
            if viewer.may_see(s) and _matches(s, which or SourceFilter()) and (not before or s.id < str(before[0]))
        ]
        text = which.text if which and which.text else ""
        matching = [s for s in sources if text.lower() in s.names.lower()]
        matching = matching or [s for s in sources if fits_typed(text, s.names)]
        shown = matching[:limit]
        return Page(shown, encode_cursor([shown[-1].id], of=of, key=_KEY) if len(matching) > limit else None)

    async def get(self, viewer: KnowledgeViewer, source_id: str) -> SourceDetail:
        held = self._seen(viewer, source_id)
        newest = sorted(held.documents.values(), key=lambda d: (d.date, d.id), reverse=True)
        return SourceDetail(source=held.source, documents=newest)

    async def share(self, viewer: KnowledgeViewer, source_id: str, visibility: Visibility) -> KnowledgeSource:
        held = self._changeable(viewer, source_id)
        held.source = replace(held.source, visibility=visibility)
        return held.source

    async def refresh(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        return await self._read(self._changeable(viewer, source_id))

    async def remove(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        held = self._changeable(viewer, source_id)
        held.removed = True
        return held.source

    async def restore(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        held = self._changeable(viewer, source_id, removed_too=True)
        held.removed = False
        return held.source

    async def find_chunks(self, viewer: KnowledgeViewer, ids: Sequence[str]) -> Mapping[str, KnowledgeChunk]:
        wanted = set(ids)
        return {
            chunk.id: chunk
            for held in self.held.values()
            if not held.removed and viewer.may_see(held.source)
            for chunks in held.chunks.values()
            for chunk in chunks
            if chunk.id in wanted
        }

    async def list_chunks(
        self, viewer: KnowledgeViewer, source_id: str, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeChunk]:
        of = f"chunks of {source_id}"
        skipped = int((_position(cursor, of) or [0])[0] or 0)
        detail = await self.get(viewer, source_id)
        held = self.held[source_id]
        remaining = [chunk for document in detail.documents for chunk in held.chunks[document.id]][skipped:]
        more = encode_cursor([skipped + limit], of=of, key=_KEY) if len(remaining) > limit else None
        return Page(remaining[:limit], more)

    def _hold(
        self, viewer: KnowledgeViewer, kind: SourceKind, name: str, title: str, visibility: Visibility, **fields: Any
    ) -> _HeldSource:
        identity = source_identity(viewer.user_id, kind, name)
        held = next((h for h in self.held.values() if h.identity == identity), None)
        if held is None:
            shown = title or (PurePath(name).stem if kind is SourceKind.FILE else name)
            source = _new_source(viewer, kind, shorten(shown, TITLE_LIMIT), self.clock)
            held = self.held[source.id] = _HeldSource(source, identity, titled=bool(title))
        elif title:
            held.titled, fields["title"] = True, shorten(title, TITLE_LIMIT)
        held.removed = False
        held.source = replace(held.source, visibility=visibility, **fields)
        return held

    async def _read(self, held: _HeldSource) -> KnowledgeSource:
        wanted = "feed" if held.source.kind is SourceKind.FEED else "any"
        errand = ReadRequest(name=held.source.file_name or "", url=held.source.url, wanted=wanted)
        try:
            if held.source.url:
                held.content = (await self.fetcher.get(held.source.url)).body
            reading = read_document(held.content, errand)
        except AlmanacError as error:
            held.source = replace(held.source, status=SourceStatus.FAILED, reason=str(error.sentence))
            return held.source
        if held.source.kind is not SourceKind.FEED:
            held.documents.clear()
            held.chunks.clear()
        for document in reading.documents:
            self._keep(held, document)
        title = held.source.title if held.titled or not reading.title else reading.title
        held.source = replace(
            held.source,
            title=title,
            status=SourceStatus.READY,
            reason=None,
            problems=list(reading.problems),
            documents=len(held.documents),
            chunks=sum(map(len, held.chunks.values())),
            read_at=self.clock.now(),
            size=len(held.content),
        )
        return held.source

    def _keep(self, held: _HeldSource, read_document: ChunkedDocument) -> None:
        row_id = document_id(held.identity, read_document.key)
        document = SourceDocument(
            id=row_id,
            source_id=held.source.id,
            title=read_document.title or held.source.title,
            url=read_document.url or held.source.url,
            date=read_document.published or self.clock.now().date(),
            date_known=read_document.published is not None,
            language=read_document.language,
            chunks=0,
        )
        chunks: dict[str, KnowledgeChunk] = {}
        for position, piece in enumerate(read_document.pieces):
            name = chunk_id(held.identity, read_document.key, piece.text)
            chunks.setdefault(name, _build_chunk(document, name, position, piece))
        held.chunks[row_id] = list(chunks.values())
        held.documents[row_id] = replace(document, chunks=len(chunks))

    def _seen(self, viewer: KnowledgeViewer, source_id: str, *, removed_too: bool = False) -> _HeldSource:
        held = self.held.get(source_id)
        if held is None or (held.removed and not removed_too) or not viewer.may_see(held.source):
            raise NotFound(gettext("This source doesn't exist, or it isn't shared with you."))
        return held

    def _changeable(self, viewer: KnowledgeViewer, source_id: str, *, removed_too: bool = False) -> _HeldSource:
        held = self._seen(viewer, source_id, removed_too=removed_too)
        if not viewer.may_change(held.source):
            raise NotAllowed(gettext("Only the person who added this source may change it."))
        return held


def _build_chunk(document: SourceDocument, name: str, position: int, piece: TextChunk) -> KnowledgeChunk:
    return KnowledgeChunk(
        id=name,
        source_id=document.source_id,
        document_id=document.id,
        position=position,
        text=piece.text,
        title=document.title,
        heading=list(piece.heading),
        url=document.url,
        date=document.date,
        date_known=document.date_known,
        language=piece.language,
        page=piece.page,
    )


def _new_source(viewer: KnowledgeViewer, kind: SourceKind, title: str, clock: Clock) -> KnowledgeSource:
    return KnowledgeSource(
        id=new_id(),
        owner_id=viewer.user_id,
        kind=kind,
        title=title,
        visibility=Visibility.MINE,
        status=SourceStatus.WAITING,
        url=None,
        file_name=None,
        size=None,
        reason=None,
        problems=[],
        documents=0,
        chunks=0,
        job_id=None,
        created_at=clock.now(),
        read_at=None,
    )


def _matches(source: KnowledgeSource, which: SourceFilter) -> bool:
    return which.kind in (None, source.kind) and which.status in (None, source.status)


def _position(cursor: str | None, of: str) -> list[str | int | None]:
    if cursor is None:
        return []
    return decode_cursor(cursor, of=of, key=_KEY)
