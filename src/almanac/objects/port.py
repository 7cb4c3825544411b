"""The port to object storage: what every adapter promises, and the few verbs that follow from the others."""

from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

from almanac.errors import InputError, Unavailable
from almanac.kit.ids import new_id
from almanac.kit.paging import Page

Content = bytes | AsyncIterable[bytes]

PAGE_LIMIT = 1000
SIGNED_SECONDS = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class ListedObject:
    """What a listing knows about an object. The entity tag changes whenever the content does."""

    key: str
    size: int
    etag: str
    modified_at: datetime


@dataclass(frozen=True, slots=True)
class ObjectInfo(ListedObject):
    """Everything known about an object except its content."""

    content_type: str


@dataclass(frozen=True, slots=True)
class OpenObject:
    """An object being read: what it is, and its content in pieces."""

    info: ObjectInfo
    chunks: AsyncIterator[bytes]


@dataclass(frozen=True, slots=True)
class Usage:
    """How much is stored."""

    objects: int
    bytes: int


class Objects(Protocol):
    """A flat store of immutable pieces of content by key.

    A write is visible whole or not at all, and an acknowledged one survives a crash. Lists are sorted by key.
    A missing object is NotFound, a bad key InputError, a store that can't be reached Unavailable (retryable).
    """

    async def put(
        self, key: str, content: Content, *, content_type: str | None = None, if_absent: bool = False
    ) -> ObjectInfo:
        """Store the content, replacing what is there; with `if_absent` an existing object is a Conflict.

        Without a content type, the key's ending decides.
        """
        ...

    async def open(self, key: str) -> OpenObject:
        """Begin reading an object whose size need not fit in memory."""
        ...

    async def head(self, key: str) -> ObjectInfo:
        """What is known about an object, without its content."""
        ...

    async def list(self, prefix: str = "", *, after: str | None = None, limit: int = 100) -> Page[ListedObject]:
        """One page of the objects below a prefix of whole segments; `after` is the cursor of the page before."""
        ...

    async def delete(self, key: str) -> None:
        """Remove an object; removing one that is gone already is fine."""
        ...

    async def copy(self, source: str, target: str) -> ObjectInfo:
        """Store the content and type of one object under a second key, replacing what is there."""
        ...

    async def signed_url(self, key: str, *, seconds: int) -> str | None:
        """An address from which anybody may read the object for a while, or None where the store has none."""
        valid_seconds(seconds)
        await self.head(key)
        return None

    async def get(self, key: str) -> bytes:
        """The whole content of an object."""
        opened = await self.open(key)
        return b"".join([chunk async for chunk in opened.chunks])

    async def iterate(self, prefix: str = "") -> AsyncIterator[ListedObject]:
        """Every object below a prefix, in key order."""
        after: str | None = None
        while True:
            page = await self.list(prefix, after=after, limit=PAGE_LIMIT)
            for listed in page.items:
                yield listed
            if page.next_cursor is None:
                return
            after = page.next_cursor

    async def delete_prefix(self, prefix: str) -> int:
        """Remove every object below a prefix and say how many there were."""
        keys = [listed.key async for listed in self.iterate(prefix)]
        for key in keys:
            await self.delete(key)
        return len(keys)

    async def usage(self) -> Usage:
        """Count what is stored; it reads the whole listing."""
        count = size = 0
        async for listed in self.iterate():
            count, size = count + 1, size + listed.size
        return Usage(count, size)

    async def check(self) -> None:
        """Write, read and remove a small object, or raise Unavailable with the reason."""
        key, content = f"check/{new_id()}", b"almanac"
        await self.put(key, content)
        found = await self.get(key)
        await self.delete(key)
        if found != content:
            raise Unavailable("The object store gave back something else than was written; check its disk.")


def valid_seconds(seconds: int) -> timedelta:
    """How long a signed address may live: S3 signs for seven days at most."""
    if not 1 <= seconds <= SIGNED_SECONDS:
        raise InputError(f"A signed address lasts 1 to {SIGNED_SECONDS} seconds; {seconds} is outside.")
    return timedelta(seconds=seconds)


def page_size(limit: int) -> int:
    """The number of objects to list at once, within what every store can do."""
    return max(1, min(limit, PAGE_LIMIT))
