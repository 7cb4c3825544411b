"""Objects in a folder: content under `files/`, unusual content types under `types/`, unfinished writes in `staging/`.

Content is written aside, flushed to disk and renamed into place, so a crash leaves the old object or the new one.
"""

import asyncio
import os
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from pathlib import Path

from obstore.exceptions import BaseError
from obstore.store import LocalStore

from almanac.errors import SettingError
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.objects.obstore_mapping import CHUNK, listed_object, object_info, translate_chunks, translate_object_errors
from almanac.objects.port import (
    Content,
    ListedObject,
    ObjectInfo,
    ObjectStore,
    OpenObject,
    content_type_of,
    page_size,
    valid_key,
    valid_prefix,
)

_FILES = "files/"
_TYPES = "types/"
_STAGING = "staging/"
_ABANDONED = timedelta(days=1)


class LocalObjectStore(ObjectStore):
    """Objects in one folder of the machine; several processes may share it."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self._folder = folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._store = LocalStore(folder, automatic_cleanup=True)
        except (BaseError, OSError) as error:
            raise SettingError(
                gettext("The object folder %(folder)s can't be used; check that it may be written.", folder=folder)
            ) from error
        _remove_abandoned(folder / _STAGING, clock or SystemClock())

    async def put(
        self, key: str, content: Content, *, content_type: str | None = None, if_absent: bool = False
    ) -> ObjectInfo:
        staged = _STAGING + new_id()
        with translate_object_errors(valid_key(key)):
            try:
                await self._store.put_async(staged, content)
                await asyncio.to_thread(_flush, [self._folder / staged])
                meta = await self._store.head_async(staged)
                await self._store.rename_async(staged, _FILES + key, overwrite=not if_absent)
            except BaseException:
                await asyncio.to_thread((self._folder / staged).unlink, missing_ok=True)
                raise
            await self._keep_type(key, content_type)
            await asyncio.to_thread(_flush, self._folders_above(key))
        return object_info(meta, key, content_type or content_type_of(key))

    async def open(self, key: str) -> OpenObject:
        with translate_object_errors(valid_key(key)):
            response = await self._store.get_async(_FILES + key)
            info = object_info(response.meta, key, await self._type_of(key))
        return OpenObject(info, translate_chunks(response.stream(CHUNK), key))

    async def head(self, key: str) -> ObjectInfo:
        with translate_object_errors(valid_key(key)):
            meta = await self._store.head_async(_FILES + key)
            return object_info(meta, key, await self._type_of(key))

    async def list(self, prefix: str = "", *, after: str | None = None, limit: int = 100) -> Page[ListedObject]:
        rest = [listed for listed in await self._sorted(prefix) if after is None or listed.key > after]
        shown = rest[: page_size(limit)]
        return Page(shown, shown[-1].key if len(rest) > len(shown) else None)

    async def iterate(self, prefix: str = "") -> AsyncIterator[ListedObject]:
        for listed in await self._sorted(prefix):
            yield listed

    async def delete(self, key: str) -> None:
        with translate_object_errors(valid_key(key)):
            for path in (_TYPES + key, _FILES + key):
                with suppress(FileNotFoundError):
                    await self._store.delete_async(path)

    async def copy(self, source: str, target: str) -> ObjectInfo:
        valid_key(target)
        opened = await self.open(source)
        return await self.put(target, opened.chunks, content_type=opened.info.content_type)

    async def _sorted(self, prefix: str) -> Sequence[ListedObject]:
        """Everything below a prefix. A folder comes back in no useful order, so it is read whole and sorted."""
        with translate_object_errors(prefix):
            metas = await self._store.list(_FILES + valid_prefix(prefix)).collect_async()
        objects = (listed_object(meta, meta["path"].removeprefix(_FILES)) for meta in metas)
        return sorted(objects, key=lambda listed: listed.key)

    async def _keep_type(self, key: str, content_type: str | None) -> None:
        if content_type is not None and content_type != content_type_of(key):
            await self._store.put_async(_TYPES + key, content_type.encode())
            return
        with suppress(FileNotFoundError):
            await self._store.delete_async(_TYPES + key)

    async def _type_of(self, key: str) -> str:
        try:
            kept = await self._store.get_async(_TYPES + key)
            return bytes(await kept.bytes_async()).decode()
        except FileNotFoundError:
            return content_type_of(key)

    def _folders_above(self, key: str) -> Iterable[Path]:
        path = self._folder / _FILES / key
        return [folder for folder in path.parents if folder.is_relative_to(self._folder)]


def _flush(paths: Iterable[Path]) -> None:
    """Make files, or the entries of folders, survive a power cut; a folder emptied meanwhile is gone, which is fine."""
    for path in paths:
        with suppress(FileNotFoundError):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)


def _remove_abandoned(staging: Path, clock: Clock) -> None:
    """Remove what a killed process left half-written; younger files may belong to a living one."""
    oldest = (clock.now() - _ABANDONED).timestamp()
    for staged in staging.glob("*"):
        with suppress(OSError):
            if staged.stat().st_mtime < oldest:
                staged.unlink()
