"""What was read of the tables and still stands: until this process writes to them, and for a while at most.

Within one process it is never out of date; what another process writes is seen when the while is over.
"""

from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

from tablature.async_database import AsyncDatabase

T = TypeVar("T")


class Standing(Generic[T]):
    """Answers by what was asked, for each of the databases that are open."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._known: WeakKeyDictionary[AsyncDatabase, tuple[float, float, dict[Hashable, T]]] = WeakKeyDictionary()

    async def get(self, tables: AsyncDatabase, asked: Hashable, ask: Callable[[], Awaitable[T]]) -> T:
        """The answer that stands, or a new one. One that was begun before a write is never found after it."""
        answers = self._standing(tables)
        if asked not in answers:
            answers[asked] = await ask()
        return answers[asked]

    def _standing(self, tables: AsyncDatabase) -> dict[Hashable, T]:
        written, now = tables.costs.total.wcu, monotonic()
        known = self._known.get(tables)
        if known is None or known[0] != written or known[1] <= now:
            known = self._known[tables] = (written, now + self._seconds, {})
        return known[2]
