"""What was read of the tables and still stands: until this process writes to them, and for a while at most.

Within one process it is never out of date; what another process writes is seen when the while is over.
"""

from collections.abc import Awaitable, Callable, Hashable
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from almanac.kit.ttl_cache import TtlCache
from tablature.async_database import AsyncDatabase

T = TypeVar("T")


class Standing(Generic[T]):
    """Answers by what was asked, for each of the databases that are open."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._of: WeakKeyDictionary[AsyncDatabase, TtlCache[T]] = WeakKeyDictionary()

    async def get(self, tables: AsyncDatabase, asked: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer that stands, or a new one. One that was begun before a write is never found after it."""
        known = self._of.setdefault(tables, TtlCache(self._seconds))
        return await known.get(ask, key=asked, version=tables.costs.total.wcu)
