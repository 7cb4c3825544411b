"""How often a model is asked again, and how long to wait first. Longer waits are left to the job that asked."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

from almanac.llm.failures import NotAnswering, RateLimited

T = TypeVar("T")
Sleep = Callable[[float], Awaitable[None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Patience:
    """Waits double from `first_seconds`, spread at random. `seconds` bounds the step with all its tries and waits."""

    tries: int = 3
    first_seconds: float = 1.0
    longest_seconds: float = 20.0
    seconds: float = 120.0
    sleep: Sleep = asyncio.sleep

    async def persist(self, call: Callable[[], Awaitable[T]]) -> T:
        """What the call gives, as soon as it gives something; its last failure when patience is at an end."""
        tried = 0
        while True:
            tried += 1
            try:
                return await call()
            except (RateLimited, NotAnswering) as failure:
                wait = self.wait(tried, failure)
                if wait is None:
                    raise
            await self.sleep(wait)

    def wait(self, tried: int, failure: RateLimited | NotAnswering) -> float | None:
        """Seconds to wait before the next try, or None when there is no next one."""
        if tried >= self.tries:
            return None
        if isinstance(failure, RateLimited) and failure.asked is not None:
            return failure.asked if failure.asked <= self.longest_seconds else None
        wait = min(self.first_seconds * 2.0 ** (tried - 1), self.longest_seconds)
        return wait * random.uniform(0.5, 1.5)  # noqa: S311 - spreads tries; nobody gains by guessing it
