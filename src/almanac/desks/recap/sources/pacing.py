"""Politeness towards a source: one request at a time, and a pause between two."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from almanac.kit.clock import Clock

Sleep = Callable[[float], Awaitable[None]]


class Pace:
    """Lets its caller go on when the last request is long enough ago."""

    def __init__(self, clock: Clock, seconds: float, *, sleep: Sleep = asyncio.sleep) -> None:
        self._clock = clock
        self._pause = timedelta(seconds=seconds)
        self._sleep = sleep
        self._last: datetime | None = None

    async def turn(self) -> None:
        """Wait for the pause to be over; a clock that was set back costs one pause at the most."""
        if self._last is not None:
            wait = (self._last + self._pause - self._clock.now()).total_seconds()
            if wait > 0:
                await self._sleep(min(wait, self._pause.total_seconds()))
        self._last = self._clock.now()

    def rest(self) -> None:
        """The pause begins now: an answer that took long was work for the source all the while."""
        self._last = self._clock.now()
