"""Knowledge in PostgreSQL and object storage: the port's verbs, with permission checks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePath

from almanac.documents.file_type import detect_file_type
from almanac.documents.model import ListedFeed, ReadRequest
from almanac.errors import InputError, NotAllowed, NotFound, TooLarge
from almanac.fetch import AddressRefused
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, decode_cursor, encode_cursor
from almanac.kit.text import one_line, shorten
from almanac.knowledge import store
from almanac.knowledge.forgiveness import fits_typed
from almanac.knowledge.indexing import index_chunks, remove_chunks
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.model import (
    KnowledgeChunk,
    KnowledgeSource,
    KnowledgeViewer,
    OpmlImport,
    SourceDetail,
    SourceFilter,
    SourceKind,
    Visibility,
    source_identity,
)
from almanac.knowledge.reader_process import read_in_process
from almanac.knowledge.source_reader import object_key
from almanac.relational import Database, Unit

TITLE_LIMIT = 300
NAME_LIMIT = 255
MAX_DOCUMENTS_SHOWN = 200
MAX_CHUNKS = 1000
_LOOKED_THROUGH = 500
_NO_SOURCE = gettext("This source doesn't exist, or it isn't shared with you.")


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredKnowledge:
    """The Knowledge port on the real stores."""

    database: Database
    jobs: KnowledgeJobs
    cursor_key: bytes
    max_file_bytes: int

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
            limit = f"{self.max_file_bytes // 1_000_000} MB"
            raise TooLarge(
                gettext(
                    "%(name)s is larger than the %(limit)s allowed for one file; split it.",
                    name=shorten(name, 80),
                    limit=limit,
                )
            )
        detect_file_type(content, name=name)
        source = _new_source(viewer, SourceKind.FILE, name, title or PurePath(name).stem, titled=bool(title))
        async with self.database.unit() as unit:
            existing_id = await store.lock_by_identity(unit, source.identity)
        source = replace(source, id=existing_id or source.id, visibility=visibility, file_name=name, size=len(content))
        key = object_key(source.id, content)
        await self._put(key, content)
        return await self._add(viewer, replace(source, object_key=key), content)

    async def add_url(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        return await self._add_address(viewer, SourceKind.URL, url, title, visibility)

    async def add_feed(
        self, viewer: KnowledgeViewer, url: str, *, title: str = "", visibility: Visibility = Visibility.MINE
    ) -> KnowledgeSource:
        return await self._add_address(viewer, SourceKind.FEED, url, title, visibility)

    async def import_opml(
        self, viewer: KnowledgeViewer, content: bytes, *, visibility: Visibility = Visibility.MINE
    ) -> OpmlImport:
        listed = await read_in_process(content, ReadRequest(wanted="opml", max_seconds=20))
        added: list[KnowledgeSource] = []
        existing: list[KnowledgeSource] = []
        refused: list[tuple[str, str]] = []
        for feed in listed.feeds:
            try:
                fresh, source = await self._add_listed(viewer, feed, visibility)
            except AddressRefused as refusal:
                refused.append((feed.url, str(refusal.sentence)))
            else:
                (added if fresh else existing).append(source)
        return OpmlImport(added=added, existing=existing, refused=refused)

    async def list(
        self, viewer: KnowledgeViewer, which: SourceFilter | None = None, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeSource]:
        of = f"knowledge {viewer} {which}"
        place = self._position(cursor, of)
        async with self.database.unit() as unit:
            before = str(place[0]) if place else None
            sources = await store.list_sources(unit, viewer, which or SourceFilter(), before, limit + 1)
            if which and which.text and not sources:
                sources = await _list_forgivingly(unit, viewer, which, before, limit + 1)
        shown = sources[:limit]
        more = len(sources) > limit
        return Page(shown, encode_cursor([shown[-1].id], of=of, key=self.cursor_key) if more else None)

    async def get(self, viewer: KnowledgeViewer, source_id: str) -> SourceDetail:
        async with self.database.unit() as unit:
            source = await self._seen(unit, viewer, source_id)
            return SourceDetail(
                source=source, documents=await store.list_documents(unit, source_id, MAX_DOCUMENTS_SHOWN)
            )

    async def share(self, viewer: KnowledgeViewer, source_id: str, visibility: Visibility) -> KnowledgeSource:
        async with self.database.unit() as unit:
            await self._changeable(unit, viewer, source_id)
            await store.set_visibility(unit, source_id, visibility)
            await self._index(unit, source_id)
            return await self._seen(unit, viewer, source_id)

    async def refresh(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        async with self.database.unit() as unit:
            await self._changeable(unit, viewer, source_id)
            await self.jobs.queue_reading(unit, source_id)
            return await self._seen(unit, viewer, source_id)

    async def remove(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        async with self.database.unit() as unit:
            source = await self._changeable(unit, viewer, source_id)
            await store.set_removed(unit, source_id, self.jobs.reader.clock.now())
            await remove_chunks(unit, self.jobs.reader.search, await store.list_chunk_ids(unit, source_id))
            return source

    async def restore(self, viewer: KnowledgeViewer, source_id: str) -> KnowledgeSource:
        async with self.database.unit() as unit:
            await self._changeable(unit, viewer, source_id, removed_too=True)
            await store.set_removed(unit, source_id, None)
            await self._index(unit, source_id)
            return await self._seen(unit, viewer, source_id)

    async def find_chunks(self, viewer: KnowledgeViewer, ids: Sequence[str]) -> Mapping[str, KnowledgeChunk]:
        if len(ids) > MAX_CHUNKS:
            raise InputError(gettext("Ask for %(limit)s chunks at a time at most.", limit=f"{MAX_CHUNKS:,}"))
        async with self.database.unit() as unit:
            return {chunk.id: chunk for chunk in await store.find_chunks(unit, viewer, ids)}

    async def list_chunks(
        self, viewer: KnowledgeViewer, source_id: str, *, cursor: str | None = None, limit: int = 50
    ) -> Page[KnowledgeChunk]:
        of = f"chunks of {source_id}"
        place = self._position(cursor, of)
        after = (
            store.ChunkPosition(date.fromisoformat(str(place[0])), str(place[1]), int(place[2] or 0)) if place else None
        )
        async with self.database.unit() as unit:
            await self._seen(unit, viewer, source_id)
            chunks = await store.list_chunks(unit, source_id, after, limit + 1)
        shown = chunks[:limit]
        if len(chunks) <= limit:
            return Page(shown)
        last = shown[-1]
        place = [last.date.isoformat(), last.document_id, last.position]
        return Page(shown, encode_cursor(place, of=of, key=self.cursor_key))

    async def _add_address(
        self, viewer: KnowledgeViewer, kind: SourceKind, url: str, title: str, visibility: Visibility
    ) -> KnowledgeSource:
        address = self.jobs.reader.fetcher.check(url.strip())
        source = _new_source(viewer, kind, address, title or address, titled=bool(title))
        return await self._add(viewer, replace(source, visibility=visibility, url=address))

    async def _add_listed(
        self, viewer: KnowledgeViewer, feed: ListedFeed, visibility: Visibility
    ) -> tuple[bool, KnowledgeSource]:
        """Add a feed of a list: True if it is new; an existing one is left as it is."""
        address = self.jobs.reader.fetcher.check(feed.url)
        source = _new_source(viewer, SourceKind.FEED, address, feed.title or address, titled=False)
        async with self.database.unit() as unit:
            existing_id = await store.lock_by_identity(unit, source.identity)
            present = await store.find_source(unit, existing_id) if existing_id else None
        if present is not None:
            return False, present
        return True, await self._add(viewer, replace(source, visibility=visibility, url=address))

    async def _add(
        self, viewer: KnowledgeViewer, source: store.NewSource, content: bytes | None = None
    ) -> KnowledgeSource:
        """Add a source, or update an existing one with the new content and read it again."""
        async with self.database.unit() as unit:
            source_id = source.id
            if not await store.insert_source(unit, source, self.jobs.reader.clock.now()):
                source_id = await store.lock_by_identity(unit, source.identity) or source.id
                if content is not None:
                    source = replace(source, object_key=await self._put_for_good(source, source_id, content))
                await store.update_readded_source(unit, source)
                await self._index(unit, source_id)
            await self.jobs.queue_reading(unit, source_id)
            return await self._seen(unit, viewer, source_id)

    async def _put_for_good(self, source: store.NewSource, source_id: str, content: bytes) -> str:
        """Store the content under the locked source's id.

        A reader may have deleted it as an older version, and a concurrent request may have given the source another id.
        """
        objects, key = self.jobs.reader.objects, object_key(source_id, content)
        try:
            await objects.head(key)
        except NotFound:
            await self._put(key, content)
        if source.object_key not in (None, key):
            await objects.delete(source.object_key)
        return key

    async def _put(self, key: str, content: bytes) -> None:
        await self.jobs.reader.objects.put(key, content, content_type="application/octet-stream")

    async def _index(self, unit: Unit, source_id: str) -> None:
        await index_chunks(unit, self.jobs.reader.search, await store.list_indexed_chunks(unit, source_id=source_id))

    async def _seen(
        self, unit: Unit, viewer: KnowledgeViewer, source_id: str, *, removed_too: bool = False
    ) -> KnowledgeSource:
        source = await store.find_source(unit, source_id, removed_too=removed_too)
        if source is None or not viewer.may_see(source):
            raise NotFound(_NO_SOURCE)
        return source

    async def _changeable(
        self, unit: Unit, viewer: KnowledgeViewer, source_id: str, *, removed_too: bool = False
    ) -> KnowledgeSource:
        source = await self._seen(unit, viewer, source_id, removed_too=removed_too)
        if not viewer.may_change(source):
            raise NotAllowed(gettext("Only the person who added this source may change it."))
        return source

    def _position(self, cursor: str | None, of: str) -> Sequence[str | int | None]:
        if cursor is None:
            return ()
        return decode_cursor(cursor, of=of, key=self.cursor_key)


def clean_file_name(name: str) -> str:
    """The last part of a name as a browser sends it; raises InputError if it is empty or too long."""
    plain = one_line(name.replace("\\", "/").rpartition("/")[2])
    if not plain:
        raise InputError(gettext("The file has no name; give it one."))
    if len(plain) > NAME_LIMIT:
        raise InputError(
            gettext("A file name may have %(name_limit)s characters at most; shorten it.", name_limit=NAME_LIMIT)
        )
    return plain


def _new_source(viewer: KnowledgeViewer, kind: SourceKind, name: str, title: str, *, titled: bool) -> store.NewSource:
    return store.NewSource(
        id=new_id(),
        owner_id=viewer.user_id,
        identity=source_identity(viewer.user_id, kind, name),
        kind=kind,
        title=shorten(title, TITLE_LIMIT),
        titled=titled,
        visibility=Visibility.MINE,
    )


async def _list_forgivingly(
    unit: Unit, viewer: KnowledgeViewer, which: SourceFilter, before: str | None, limit: int
) -> list[KnowledgeSource]:
    """Sources whose names fit the text of a filter in another spelling, or with typing errors."""
    matching: list[KnowledgeSource] = []
    while len(matching) < limit:
        sources = await store.list_sources(unit, viewer, replace(which, text=None), before, _LOOKED_THROUGH)
        matching += [source for source in sources if fits_typed(which.text or "", source.names)]
        if len(sources) < _LOOKED_THROUGH:
            break
        before = sources[-1].id
    return matching[:limit]
