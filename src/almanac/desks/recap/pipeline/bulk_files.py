"""Makes the files of whole sessions: articles and speeches, as JSON lines and as tables, with their digests.

The files of a session are made again only if one of its articles was added, changed or taken back. They are written to
disk line by line and sent to the object store in pieces, so a session of any size needs little memory.
"""

import asyncio
import hashlib
import shutil
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO, get_args

from almanac.desks.recap.model.bulk import (
    FORMAT,
    MEDIA_TYPES,
    BulkContent,
    BulkFigures,
    BulkForm,
    LineValues,
    article_values,
    speech_values,
    whole_article_values,
    write_beginning,
    write_line,
)
from almanac.desks.recap.model.parliaments.registry import parliament_of
from almanac.desks.recap.model.views import FullArticle
from almanac.desks.recap.pipeline.collect import ReportProgress
from almanac.desks.recap.store import articles as article_store
from almanac.desks.recap.store import bulk_files as store
from almanac.desks.recap.store.article_mapping import card_from_article
from almanac.desks.recap.store.bulk_files import SessionStamp, StoredBulkFile
from almanac.desks.recap.store.objects import bulk_key, load_asset, load_record
from almanac.desks.recap.urls import RecapUrls
from almanac.errors import NotFound
from almanac.kit.catalogs import nearest_language
from almanac.services import Services

PART = "recap"
_PIECE = 256 * 1024
_REPORTS_PAGE, _MOST_REPORTS = 100, 10_000


async def make_bulk_files(services: Services, *, report: ReportProgress) -> int:
    """Make the files of every session that changed; returns how many sessions. Nothing if meetings aren't public."""
    if PART not in services.settings.public_parts:
        return 0
    await _count_open_reports(services)
    async with services.database.unit() as unit:
        stamps = [SessionStamp(row.session, f"{FORMAT} {row.stamp}") for row in await store.list_session_stamps(unit)]
        made = await store.list_made_sessions(unit)
        gone = [
            key
            for session in made.keys() - {row.session for row in stamps}
            for key in await store.delete_files(unit, session)
        ]
    await _delete_objects(services, gone)
    changed = [stamp for stamp in stamps if made.get(stamp.session) != stamp.stamp]
    for number, stamp in enumerate(changed):
        await report(number, len(changed), f"Session {stamp.session}")
        await _make_session(services, stamp)
    return len(changed)


async def _make_session(services: Services, stamp: SessionStamp) -> None:
    async with services.database.unit() as unit:
        ids = await store.list_session_articles(unit, stamp.session)
    folder = Path(await asyncio.to_thread(mkdtemp, prefix="almanac-bulk-"))
    try:
        batch = BulkBatch(folder, stamp.session)
        for article_id in ids:
            try:
                article = await _load(services, article_id)
                batch.add(article, _urls(services, article))
            except NotFound:
                # Written by another program in a form of its own, or withdrawn meanwhile.
                continue
        files = [await _store(services, stamp.session, file) for file in batch.close()]
        async with services.database.unit() as unit:
            gone = await store.replace_files(unit, stamp, batch.figures, files, services.clock.now())
    finally:
        await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)
    await _delete_objects(services, set(gone) - {file.key for file in files})


def _urls(services: Services, article: FullArticle) -> RecapUrls:
    """The pages in the language of the record, where the interface has it."""
    language = nearest_language(parliament_of(article.meeting).language)
    return RecapUrls(f"{services.settings.public_side_url}/{language}/recap")


async def _load(services: Services, article_id: str) -> FullArticle:
    article = await article_store.get_article(services.tables, article_id)
    asset = await load_asset(services, article.asset_url or "")
    return FullArticle(
        card=card_from_article(article),
        recap=asset.recap,
        meeting=await load_record(services, asset.record_url),
        version=article.version or 1,
        latest=article.version or 1,
    )


@dataclass(slots=True)
class BulkFile:
    """A file being written, with what is known of it so far."""

    path: Path
    content: BulkContent
    form: BulkForm
    stream: BinaryIO
    lines: int = 0
    size: int = 0
    digest: "hashlib._Hash" = field(default_factory=hashlib.sha256)

    def write(self, piece: bytes) -> None:
        self.stream.write(piece)
        self.size += len(piece)
        self.digest.update(piece)


class BulkBatch:
    """The files of one session while its articles are added one by one."""

    def __init__(self, folder: Path, session: int) -> None:
        self.figures = BulkFigures()
        self._files = [
            self._open(folder / f"session-{session}-{content}.{form}", content, form)
            for content in get_args(BulkContent)
            for form in get_args(BulkForm)
        ]

    @staticmethod
    def _open(path: Path, content: BulkContent, form: BulkForm) -> BulkFile:
        file = BulkFile(path, content, form, path.open("wb"))
        file.write(write_beginning(content, form))
        return file

    def add(self, article: FullArticle, to: RecapUrls) -> None:
        """Write an article and its speeches."""
        self.figures.count(article)
        url = to.article(article.card.id)
        for file in self._files:
            lines: Iterable[LineValues]
            if file.content == "speeches":
                lines = speech_values(article, to.speech)
            else:
                lines = [article_values(article, url) if file.form == "csv" else whole_article_values(article, url)]
            for values in lines:
                file.write(write_line(values, file.content, file.form))
                file.lines += 1

    def close(self) -> list[BulkFile]:
        """The files, ready to be read."""
        for file in self._files:
            file.stream.close()
        return self._files


async def _store(services: Services, session: int, file: BulkFile) -> StoredBulkFile:
    digest = file.digest.hexdigest()
    key = bulk_key(session, digest, file.path.name)
    await services.objects.put(key, _read(file.path), content_type=MEDIA_TYPES[file.form])
    return StoredBulkFile(
        name=file.path.name, content=file.content, key=key, lines=file.lines, size=file.size, digest=digest
    )


async def _read(path: Path) -> AsyncIterator[bytes]:
    with await asyncio.to_thread(path.open, "rb") as stream:
        while piece := await asyncio.to_thread(stream.read, _PIECE):
            yield piece


async def _delete_objects(services: Services, keys: Iterable[str]) -> None:
    for key in keys:
        await services.objects.delete(key)


async def _count_open_reports(services: Services) -> None:
    """Count the open error reports for the page about errors, which may not read them."""
    count, cursor = 0, None
    while count < _MOST_REPORTS:
        page = await article_store.list_reports(services.tables, "open", cursor=cursor, limit=_REPORTS_PAGE)
        count, cursor = count + len(page.items), page.next_cursor
        if cursor is None:
            break
    async with services.database.unit() as unit:
        await store.record_open_reports(unit, count, services.clock.now())
