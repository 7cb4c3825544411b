"""Tracks whether work in this context has written anything: stores announce their writes, and a caller tracks them.

Kept per context, so that concurrent work of others doesn't count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Protocol


class EffectLog(Protocol):
    """Where a caller notes durably that work has begun to write. Both raise if the work may not go on."""

    async def note_here(self, unit: object) -> None:
        """Note it in a unit of work that has written and is about to commit."""

    async def note_elsewhere(self) -> None:
        """Note it before the first write to another store than PostgreSQL."""


@dataclass(slots=True)
class Effects:
    """What was recorded so far. Until `begun`, nothing can have been written."""

    log: EffectLog | None = None
    begun: bool = False
    begun_elsewhere: bool = False


_watched: ContextVar[Effects | None] = ContextVar("watched_effects", default=None)


@contextmanager
def track_effects(log: EffectLog | None = None) -> Iterator[Effects]:
    """Track writes of this task and of tasks that it starts."""
    effects = Effects(log)
    token = _watched.set(effects)
    try:
        yield effects
    finally:
        _watched.reset(token)


def tracked_effects() -> Effects | None:
    """What is tracked in this context; None if nothing is."""
    return _watched.get()


async def announce_write_elsewhere() -> None:
    """Call it before a write to another store than PostgreSQL is sent: from then on something may have been written."""
    effects = _watched.get()
    if effects is None or effects.begun_elsewhere:
        return
    if effects.log is not None:
        await effects.log.note_elsewhere()
    effects.begun = effects.begun_elsewhere = True
