"""A cache for answers that every page shows and that may be a few seconds old."""

from collections.abc import Awaitable, Callable, Hashable
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class TtlCache(Generic[T]):
    """The last answers by key, kept for a number of seconds."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._expires = 0.0
        self._version: Hashable = None
        self._answers: dict[Hashable, T] = {}

    async def get(self, load: Callable[[], Awaitable[T]], *, key: Hashable = None, version: Hashable = None) -> T:
        """The cached answer, or what `load` returns. A `version` other than the last one empties the cache.

        An answer whose loading began under an older version is never returned under a newer one.
        """
        answers = self._current(version)
        if key not in answers:
            answers[key] = await load()
        return answers[key]

    def clear(self) -> None:
        """Forget every answer, for whoever changed what they are about."""
        self._expires, self._answers = 0.0, {}

    def _current(self, version: Hashable) -> dict[Hashable, T]:
        now = monotonic()
        if now >= self._expires or version != self._version:
            self._expires, self._version, self._answers = now + self._seconds, version, {}
        return self._answers
