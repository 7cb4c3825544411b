"""A value that is asked for anew after a moment, for what every page tells and nobody needs to the second."""

from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Generic, TypeVar

T = TypeVar("T")


class Recent(Generic[T]):
    """What was last answered, as long as it is recent."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._known: tuple[float, T] | None = None

    async def get(self, ask: Callable[[], Awaitable[T]]) -> T:
        """The recent answer, or a new one."""
        begun = monotonic()
        if self._known is None or begun >= self._known[0] + self._seconds:
            self._known = begun, await ask()
        return self._known[1]
