"""How long work reports what it has done: a callback that takes (done, total, what)."""

from collections.abc import Awaitable, Callable

Progress = Callable[[int, int, str], Awaitable[None]]


async def no_progress(_done: int | None, _total: int | None, _what: str) -> None:
    """No-op progress callback."""
