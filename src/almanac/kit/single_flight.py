"""One call at a time for the same key: whoever asks meanwhile shares its result."""

import asyncio
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Shares one call among concurrent callers with the same key, its result as well as its error.

    The call goes on while anybody waits for it; when the last caller is cancelled, so is the call.
    """

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, call: Callable[[], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """The result of the call, and whether this caller started it."""
        flight = self._flights.get(key)
        leads = flight is None
        if flight is None:
            flight = self._flights[key] = _Flight(asyncio.create_task(call()))
            flight.task.add_done_callback(lambda task: self._leave(key, task))
        flight.waiting += 1
        try:
            return await asyncio.shield(flight.task), leads
        finally:
            flight.waiting -= 1
            if flight.waiting == 0 and not flight.task.done():
                await self._cancel(key, flight.task)

    async def _cancel(self, key: str, task: asyncio.Task[T]) -> None:
        """Cancel a call that nobody waits for, and let no new caller join it."""
        self._leave(key, task)
        task.cancel()
        await asyncio.wait([task])

    def _leave(self, key: str, task: asyncio.Task[T]) -> None:
        """Remove a call, but not a newer one under the same key."""
        if (flight := self._flights.get(key)) is not None and flight.task is task:
            del self._flights[key]
