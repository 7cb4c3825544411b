"""The single verbs: one write by itself, with the entity as its answer."""

from __future__ import annotations

from typing import Any, TypeVar

from tablature.errors import DoesNotExist
from tablature.operations.commit import execute
from tablature.operations.context import Context
from tablature.operations.effects import Steps
from tablature.operations.reads import get
from tablature.operations.writes import Write
from tablature.schema.entity import Entity

E = TypeVar("E", bound=Entity)


def written(context: Context, write: Write[E], event: str | None) -> Steps[E]:
    """Carry out a write that leaves an entity; for an event that was applied before, the entity as it is."""
    write = write if event is None else write.once(event)
    outcome = yield from execute(context, (write,), write.name)
    found: Any = outcome.results[0]
    if found is None:
        found = yield from get(context, write.ref, consistent=True)
    if found is None:
        raise DoesNotExist(f"{write.ref!r} does not exist any more.")
    entity: E = found
    return entity


def deleted(context: Context, write: Write[E]) -> Steps[E | None]:
    """Carry out a delete; the answer is what was there."""
    outcome = yield from execute(context, (write,), write.name)
    entity: E | None = outcome.results[0]
    return entity
