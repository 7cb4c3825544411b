"""Stored events of the desk, and receipts that show which handler has processed which event."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.relational import Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHabitEvent:
    """An event row; `body` holds the fields of its HabitEvent."""

    id: str
    name: str
    owner_id: str
    habit_id: str
    body: Mapping[str, Any]
    created_at: datetime


async def add_event(unit: Unit, event: StoredHabitEvent) -> None:
    """Store an event for its handlers."""
    values = {
        "id": event.id,
        "name": event.name,
        "owner_id": event.owner_id,
        "habit_id": event.habit_id,
        "body": dict(event.body),
        "now": event.created_at,
    }
    await unit.execute(QUERIES["add_event"], values)


async def find_event(unit: Unit, event_id: str) -> StoredHabitEvent | None:
    """One event; None if it was pruned."""
    return await unit.one(QUERIES["find_event"], {"id": event_id}, into=StoredHabitEvent)


async def add_receipt(unit: Unit, event_id: str, handler: str, now: datetime) -> bool:
    """Record that a handler processed an event; false if it had done so before."""
    return bool(await unit.execute(QUERIES["add_receipt"], {"event_id": event_id, "handler": handler, "now": now}))


async def prune_events(unit: Unit, before: datetime) -> int:
    """Delete events created before a moment, with their receipts; returns how many."""
    return await unit.execute(QUERIES["prune_events"], {"before": before})
