"""Optimistic writes: read, decide and write again when another writer got there first."""

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import TypeVar

from almanac.errors import Unavailable
from almanac.kit.messages import gettext

T = TypeVar("T")
ATTEMPTS = 60
_FIRST_PAUSE_SECONDS = 0.002
_LONGEST_PAUSE_SECONDS = 0.25


class WriteConflict(Exception):
    """Another writer changed the record first; nothing was written."""


async def retry_on_conflict(
    attempt: Callable[[], Awaitable[T]],
    *,
    conflict: type[Exception] | tuple[type[Exception], ...] = WriteConflict,
    attempts: int = ATTEMPTS,
    sentence: str = gettext("Too many people are changing this right now; try again in a moment."),
) -> T:
    """Call `attempt` until it doesn't raise `conflict`, with a random pause that doubles up to 0.25 s.

    After `attempts` conflicts it raises Unavailable with `sentence`. `attempt` must read its input again each time.
    """
    for turn in range(attempts):
        try:
            return await attempt()
        except conflict:
            longest = min(_FIRST_PAUSE_SECONDS * 2**turn, _LONGEST_PAUSE_SECONDS)
            await asyncio.sleep(random.uniform(0, longest))  # noqa: S311 - the pause only spreads writers out
    raise Unavailable(sentence)
