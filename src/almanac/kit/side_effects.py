"""Tracks whether work in this context has written anything: stores record that they write, and a caller tracks it.

Kept per context, so that concurrent work of others doesn't count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Effects:
    """What was recorded so far. Until `begun`, nothing can have been written."""

    begun: bool = False


_watched: ContextVar[Effects | None] = ContextVar("watched_effects", default=None)


@contextmanager
def track_effects() -> Iterator[Effects]:
    """Track writes of this task and of tasks that it starts."""
    effects = Effects()
    token = _watched.set(effects)
    try:
        yield effects
    finally:
        _watched.reset(token)


def is_first_effect() -> bool:
    """Whether effects are tracked and none was recorded yet; lets a store skip costly checks."""
    effects = _watched.get()
    return effects is not None and not effects.begun


def record_effect() -> None:
    """Call it before a write is sent: from then on something may have been written."""
    if (effects := _watched.get()) is not None:
        effects.begun = True
