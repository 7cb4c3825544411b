"""One call for many who ask the same at the same time: they share what comes of it, the failure too.

The call goes on while somebody waits for it; when the last one is cancelled, so is the call.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(slots=True)
class _Flight(Generic[T]):
    task: asyncio.Task[T]
    waiting: int = 0


class SingleFlight(Generic[T]):
    """Calls in progress, by key."""

    def __init__(self) -> None:
        self._flights: dict[str, _Flight[T]] = {}

    async def join(self, key: str, call: Callable[[], Coroutine[Any, Any, T]]) -> tuple[T, bool]:
        """What the call gives, and whether this caller is the one who started it."""
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
        """Nobody waits any more: end the call, and let nobody new join the one that is ending."""
        self._leave(key, task)
        task.cancel()
        await asyncio.wait([task])

    def _leave(self, key: str, task: asyncio.Task[T]) -> None:
        """Under the same key another call may have begun while this one was ending; that one stays."""
        if (flight := self._flights.get(key)) is not None and flight.task is task:
            del self._flights[key]


async def finish(work: Awaitable[T]) -> T:
    """Carry this through, also while the caller is being cancelled."""
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise
