"""The object store port, its rules for keys, and the values it returns."""

import mimetypes
import re
import unicodedata
from collections.abc import AsyncIterable, AsyncIterator
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from almanac.errors import InputError, Unavailable
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.kit.paging import Page

KEY_BYTES = 1024
SEGMENT_BYTES = 255
_STAGED_NAME = re.compile(r"#\d+$")
_PLAIN_BYTES = "application/octet-stream"


def valid_key(key: str) -> str:
    """The key itself, or an InputError that says what is wrong with it."""
    if not key:
        raise InputError(gettext("An object needs a key; an empty one names nothing."))
    if _size(key) > KEY_BYTES:
        raise InputError(
            gettext("An object key may have %(key_bytes)s bytes at most; this one is longer.", key_bytes=KEY_BYTES)
        )
    for segment in key.split("/"):
        _check_segment(segment, key)
    if _STAGED_NAME.search(key):
        raise InputError(
            gettext(
                "The object key %(key)s ends in # and a number, which a folder can't store; rename it.", key=f"{key!r}"
            )
        )
    return key


def valid_prefix(prefix: str) -> str:
    """A prefix names whole segments (`recap/raw` or `recap/raw/`); the empty one names everything."""
    trimmed = prefix.removesuffix("/")
    if not trimmed and prefix:
        raise InputError(gettext("A prefix can't be a bare slash; leave it empty to mean every object."))
    for segment in trimmed.split("/") if trimmed else ():
        _check_segment(segment, prefix)
    return trimmed


def content_type_of(key: str) -> str:
    """The content type that the key's ending suggests, for objects stored without one."""
    guessed, encoding = mimetypes.guess_type(key, strict=False)
    return _PLAIN_BYTES if guessed is None or encoding else guessed


def _check_segment(segment: str, key: str) -> None:
    if not segment:
        raise InputError(
            gettext(
                "The object key %(key)s has an empty part; write it without double or outer slashes.", key=f"{key!r}"
            )
        )
    if segment in {".", ".."}:
        raise InputError(
            gettext("The object key %(key)s has a part that points elsewhere; leave out '.' and '..'.", key=f"{key!r}")
        )
    if "\\" in segment or any(unicodedata.category(c) in {"Cc", "Zl", "Zp"} for c in segment):
        raise InputError(
            gettext("The object key %(key)s has a backslash or a control character; leave it out.", key=f"{key!r}")
        )
    if _size(segment) > SEGMENT_BYTES:
        raise InputError(
            gettext(
                "Each part of an object key may have %(segment_bytes)s bytes at most; shorten %(segment)s.",
                segment_bytes=SEGMENT_BYTES,
                segment=f"{segment[:40]!r}",
            )
        )


def _size(text: str) -> int:
    try:
        return len(text.encode())
    except UnicodeEncodeError as error:
        raise InputError(gettext("The object key %(text)s isn't valid Unicode text.", text=f"{text!r}")) from error


Content = bytes | AsyncIterable[bytes]

PAGE_LIMIT = 1000


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
class StoreUsage:
    """How much is stored."""

    objects: int
    bytes: int


class ObjectStore(Protocol):
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

    async def open(self, key: str) -> OpenObject:
        """Begin reading an object whose size need not fit in memory."""

    async def head(self, key: str) -> ObjectInfo:
        """What is known about an object, without its content."""

    async def list(self, prefix: str = "", *, after: str | None = None, limit: int = 100) -> Page[ListedObject]:
        """One page of the objects below a prefix of whole segments; `after` is the cursor of the page before."""

    async def delete(self, key: str) -> None:
        """Remove an object; removing one that is gone already is fine."""

    async def copy(self, source: str, target: str) -> ObjectInfo:
        """Store the content and type of one object under a second key, replacing what is there."""

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

    async def usage(self) -> StoreUsage:
        """Count what is stored; it reads the whole listing."""
        count = size = 0
        async for listed in self.iterate():
            count, size = count + 1, size + listed.size
        return StoreUsage(count, size)

    async def check(self) -> None:
        """Write, read and remove a small object, or raise Unavailable with the reason."""
        key, content = f"check/{new_id()}", b"almanac"
        await self.put(key, content)
        stored = await self.get(key)
        await self.delete(key)
        if stored != content:
            raise Unavailable(gettext("The object store returned other content than was written; check its disk."))


def page_size(limit: int) -> int:
    """The number of objects to list at once, within what every store can do."""
    return max(1, min(limit, PAGE_LIMIT))
