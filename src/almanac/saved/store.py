"""All reads and writes of saved queries and alerts; callers check rules and permissions."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from almanac.relational import ReadTransaction, Unit, load_queries
from almanac.saved.model import Alert, AlertSettings, SavedQuery, SavedQueryInput

QUERIES = load_queries(__package__)


async def add_saved(unit: Unit, saved_id: str, owner_id: str, wish: SavedQueryInput, now: datetime) -> None:
    """Insert a saved query."""
    await unit.execute(QUERIES["add_saved"], {"id": saved_id, "owner_id": owner_id, **_row(wish), "now": now})


async def find_saved(unit: Unit, saved_id: str) -> SavedQuery | None:
    """One saved query with its alert; None if it doesn't exist."""
    return await unit.one(QUERIES["find_saved"], {"id": saved_id}, into=_saved)


async def lock_saved(unit: Unit, saved_id: str) -> SavedQuery | None:
    """One saved query with its alert, locked until the unit ends."""
    await unit.one(QUERIES["lock_saved"], {"id": saved_id})
    return await find_saved(unit, saved_id)


async def list_saved(reading: ReadTransaction, owner_id: str) -> list[SavedQuery]:
    """A person's saved queries, by name."""
    return await reading.all(QUERIES["list_saved"], {"owner_id": owner_id}, into=_saved)


async def count_saved(unit: Unit, owner_id: str) -> int:
    """The number of a person's saved queries."""
    return int(await unit.value(QUERIES["count_saved"], {"owner_id": owner_id}))


async def update_saved(unit: Unit, saved_id: str, wish: SavedQueryInput, now: datetime) -> None:
    """Update the fields that an edit may change."""
    await unit.execute(QUERIES["update_saved"], {"id": saved_id, **_row(wish), "now": now})


async def delete_saved(unit: Unit, saved_id: str) -> None:
    """Delete a saved query with its alert."""
    await unit.execute(QUERIES["delete_saved"], {"id": saved_id})


async def set_feed(unit: Unit, saved_id: str, *, on: bool) -> None:
    """Give the feed a new address, or close it."""
    await unit.execute(QUERIES["open_feed" if on else "close_feed"], {"id": saved_id})


async def publish_saved(unit: Unit, saved_id: str, name: str, now: datetime) -> None:
    """Let anyone read a saved query; one that is public keeps its name."""
    await unit.execute(QUERIES["publish_saved"], {"id": saved_id, "name": name, "now": now})


async def withdraw_saved(unit: Unit, saved_id: str) -> None:
    """Make a saved query private again."""
    await unit.execute(QUERIES["withdraw_saved"], {"id": saved_id})


async def set_alert(
    unit: Unit, saved_id: str, wish: AlertSettings, *, next_due_at: datetime, looked_back_to: datetime | None
) -> None:
    """Insert or reschedule an alert."""
    row = {"saved_id": saved_id, "frequency": wish.frequency, "hour": wish.hour, "time_zone": wish.time_zone}
    await unit.execute(QUERIES["set_alert"], {**row, "next_due_at": next_due_at, "looked_back_to": looked_back_to})


async def stop_alert(unit: Unit, saved_id: str, *, why: str, now: datetime) -> bool:
    """Stop an alert; false if it was stopped already."""
    return await unit.execute(QUERIES["stop_alert"], {"saved_id": saved_id, "why": why, "now": now}) == 1


async def claim_due_alerts(unit: Unit, now: datetime, limit: int) -> list[tuple[str, AlertSettings]]:
    """Due alerts, locked until the unit ends."""
    rows = await unit.all(QUERIES["claim_due_alerts"], {"now": now, "limit": limit})
    return [
        (row["saved_id"], AlertSettings(frequency=row["frequency"], hour=row["hour"], time_zone=row["time_zone"]))
        for row in rows
    ]


async def set_next_due(unit: Unit, saved_id: str, next_due_at: datetime) -> None:
    """Set when an alert runs next."""
    await unit.execute(QUERIES["set_next_due"], {"saved_id": saved_id, "next_due_at": next_due_at})


async def record_alert_run(
    unit: Unit, saved_id: str, *, looked_back_to: datetime | None, sent: bool, now: datetime
) -> None:
    """Record a run of an alert."""
    row = {"saved_id": saved_id, "looked_back_to": looked_back_to, "sent": sent, "now": now}
    await unit.execute(QUERIES["record_alert_run"], row)


async def delete_seen_documents(unit: Unit, saved_id: str) -> None:
    """Delete the list of documents an alert has seen."""
    await unit.execute(QUERIES["delete_seen_documents"], {"saved_id": saved_id})


async def add_seen_documents(
    unit: Unit, saved_id: str, documents: Iterable[tuple[str, str]], now: datetime
) -> set[tuple[str, str]]:
    """Mark documents as seen, by kind and id; returns the new ones."""
    keys = list(documents)
    params = {"saved_id": saved_id, "kinds": [k for k, _ in keys], "ids": [i for _, i in keys], "now": now}
    return {(row["kind"], row["document_id"]) for row in await unit.all(QUERIES["add_seen_documents"], params)}


def _row(wish: SavedQueryInput) -> dict[str, Any]:
    filters = {name: list(values) for name, values in wish.filters.items()}
    return {"name": wish.name, "query": wish.query, "kinds": list(wish.kinds), "filters": filters, "sort": wish.sort}


def _saved(
    *,
    kinds: list[str],
    filters: dict[str, list[str]],
    frequency: Any,
    hour: int,
    time_zone: str,
    next_due_at: datetime,
    looked_back_to: datetime | None,
    last_run_at: datetime | None,
    last_sent_at: datetime | None,
    stopped_at: datetime | None,
    stopped_why: str | None,
    **rest: Any,
) -> SavedQuery:
    alert = frequency and Alert(
        wish=AlertSettings(frequency=frequency, hour=hour, time_zone=time_zone),
        next_due_at=next_due_at,
        looked_back_to=looked_back_to,
        last_run_at=last_run_at,
        last_sent_at=last_sent_at,
        stopped_at=stopped_at,
        stopped_why=stopped_why,
    )
    return SavedQuery(
        kinds=tuple(kinds), filters={name: tuple(values) for name, values in filters.items()}, alert=alert, **rest
    )


async def hand_over_saved(unit: Unit, from_id: str, to_id: str, now: datetime) -> int:
    """Give a person's saved queries with their alerts to another, and close their feeds; returns how many."""
    return await unit.execute(QUERIES["hand_over_saved"], {"from_id": from_id, "to_id": to_id, "now": now})
