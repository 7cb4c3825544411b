"""Answers that are given again for a moment, for what every page tells and nobody needs to the second."""

from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """What was last answered, by what was asked, as long as it is recent."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._until = 0.0
        self._seen: Hashable = None
        self._answers: dict[Hashable, T] = {}

    async def get(self, ask: Callable[[], Awaitable[T]], *, asked: Hashable = None, seen: Hashable = None) -> T:
        """The recent answer, or a new one. Another `seen` than the last time makes all answers old.

        An answer that was begun before the change that `seen` tells of is never given after it.
        """
        answers = self._recent(seen)
        if asked not in answers:
            answers[asked] = await ask()
        return answers[asked]

    def _recent(self, seen: Hashable) -> dict[Hashable, T]:
        now = monotonic()
        if now >= self._until or seen != self._seen:
            self._until, self._seen, self._answers = now + self._seconds, seen, {}
        return self._answers
