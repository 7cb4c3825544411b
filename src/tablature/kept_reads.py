"""Keeps what was read from the tables for as long as nothing in them changes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from tablature.async_database import AsyncDatabase

T = TypeVar("T")
MOST_KEPT = 256


class KeptReads(Generic[T]):
    """The results of reads by key, each until the next change of any table, whoever makes it.

    Whatever a result depends on besides the tables belongs into its key: a person, a day, a page. Where the transport
    can't tell whether anything has changed, nothing is kept.
    """

    def __init__(self, most: int = MOST_KEPT) -> None:
        self._most = most
        self._of: WeakKeyDictionary[AsyncDatabase, tuple[int, dict[Hashable, T]]] = WeakKeyDictionary()

    async def get(self, tables: AsyncDatabase, key: Hashable, load: Callable[[], Awaitable[T]]) -> T:
        """The kept result, or a new one. A result that was loading during a change is not kept."""
        version = tables.version
        if version is None:
            return await load()
        known_version, kept = self._of.get(tables, (None, {}))
        if known_version != version:
            kept = {}
            self._of[tables] = (version, kept)
        if key not in kept:
            result = await load()
            if len(kept) >= self._most:
                kept.clear()
            kept[key] = result
            return result
        return kept[key]
