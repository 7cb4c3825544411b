"""The in-memory store for tests and trials: same promises as the real ones, gone with the process."""

import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass

from almanac.errors import Conflict, NotFound
from almanac.kit.clock import Clock, SystemClock
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
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

_CHUNK = 64 * 1024


@dataclass(frozen=True, slots=True)
class _Stored:
    info: ObjectInfo
    content: bytes


class MemoryObjectStore(ObjectStore):
    """Objects in a dictionary."""

    def __init__(self, clock: Clock | None = None) -> None:
        self._clock = clock or SystemClock()
        self._stored: dict[str, _Stored] = {}

    async def put(
        self, key: str, content: Content, *, content_type: str | None = None, if_absent: bool = False
    ) -> ObjectInfo:
        valid_key(key)
        data = content if isinstance(content, bytes) else b"".join([chunk async for chunk in content])
        if if_absent and key in self._stored:
            raise Conflict(gettext("There is already an object %(key)s.", key=f"{key!r}"))
        info = ObjectInfo(key, len(data), _etag(data), self._clock.now(), content_type or content_type_of(key))
        self._stored[key] = _Stored(info, data)
        return info

    async def open(self, key: str) -> OpenObject:
        stored = self._find(key)
        return OpenObject(stored.info, _chunks(stored.content))

    async def head(self, key: str) -> ObjectInfo:
        return self._find(key).info

    async def list(self, prefix: str = "", *, after: str | None = None, limit: int = 100) -> Page[ListedObject]:
        folder = f"{prefix}/" if (prefix := valid_prefix(prefix)) else ""
        keys = sorted(key for key in self._stored if key.startswith(folder) and (after is None or key > after))
        shown = [_listed(self._stored[key].info) for key in keys[: page_size(limit)]]
        return Page(shown, shown[-1].key if len(keys) > len(shown) else None)

    async def delete(self, key: str) -> None:
        self._stored.pop(valid_key(key), None)

    async def copy(self, source: str, target: str) -> ObjectInfo:
        valid_key(target)
        stored = self._find(source)
        return await self.put(target, stored.content, content_type=stored.info.content_type)

    def _find(self, key: str) -> _Stored:
        if (stored := self._stored.get(valid_key(key))) is None:
            raise NotFound(gettext("There is no object %(key)s.", key=f"{key!r}"))
        return stored


def _etag(data: bytes) -> str:
    return f'"{hashlib.sha256(data).hexdigest()[:32]}"'


def _listed(info: ObjectInfo) -> ListedObject:
    return ListedObject(info.key, info.size, info.etag, info.modified_at)


async def _chunks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), _CHUNK):
        yield content[start : start + _CHUNK]
