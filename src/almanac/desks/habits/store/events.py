"""What happened, as handlers are told of it, and which handler has dealt with what."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.relational import Unit, load_queries

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredHabitEvent:
    """An event with its body as it was when it happened."""

    id: str
    name: str
    owner_id: str
    habit_id: str
    body: Mapping[str, Any]
    created_at: datetime


async def add_event(unit: Unit, event: StoredHabitEvent) -> None:
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
    return await unit.one(QUERIES["find_event"], {"id": event_id}, into=StoredHabitEvent)


async def add_receipt(unit: Unit, event_id: str, handler: str, now: datetime) -> bool:
    """Whether the handler had not dealt with it before."""
    return bool(await unit.execute(QUERIES["add_receipt"], {"event_id": event_id, "handler": handler, "now": now}))


async def prune_events(unit: Unit, before: datetime) -> int:
    return await unit.execute(QUERIES["prune_events"], {"before": before})
