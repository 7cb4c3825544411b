"""Whether a piece of work may have left something behind: stores note that they write, and who wants to know watches.

Noted for each context, so that what is written for others at the same time doesn't count.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(slots=True)
class Effects:
    """What is known of the work so far. Until `begun`, nothing of it can have stayed."""

    begun: bool = False


_watched: ContextVar[Effects | None] = ContextVar("watched_effects", default=None)


@contextmanager
def track_effects() -> Iterator[Effects]:
    """Watch everything that is done inside, by this task and those it starts."""
    effects = Effects()
    token = _watched.set(effects)
    try:
        yield effects
    finally:
        _watched.reset(token)


def is_first_effect() -> bool:
    """Whether somebody watches who has not been told of an effect yet; finding out may cost a store something."""
    effects = _watched.get()
    return effects is not None and not effects.begun


def record_effect() -> None:
    """To be called before a write is sent: from then on nobody can say for sure that nothing was done."""
    if (effects := _watched.get()) is not None:
        effects.begun = True
