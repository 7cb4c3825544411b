"""Every read and write of webhooks, by name; rules and rights are the callers' business."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.relational import Unit, load_queries
from almanac.webhooks.model import Attempt, Delivery, DeliveryState, Endpoint

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class Parcel:
    """What one attempt at a delivery needs."""

    delivery_id: str
    endpoint_id: str
    event: str
    body: str


async def add_endpoint(
    unit: Unit, *, endpoint_id: str, url: str, description: str, events: list[str], by: str, now: datetime
) -> None:
    """Write a new endpoint."""
    row = {"id": endpoint_id, "url": url, "description": description, "events": events, "created_by": by, "now": now}
    await unit.execute(QUERIES["add_endpoint"], row)


async def find_endpoint(unit: Unit, endpoint_id: str, *, lock: bool = False) -> Endpoint | None:
    """One endpoint; locked, nobody else changes it until the unit ends."""
    return await unit.one(QUERIES["lock_endpoint" if lock else "find_endpoint"], {"id": endpoint_id}, into=_endpoint)


async def list_endpoints(unit: Unit) -> list[Endpoint]:
    """Every endpoint, oldest first."""
    return await unit.all(QUERIES["list_endpoints"], into=_endpoint)


async def update_endpoint(
    unit: Unit, endpoint_id: str, *, url: str, description: str, events: list[str], now: datetime
) -> None:
    """Write what an edit may change."""
    row = {"id": endpoint_id, "url": url, "description": description, "events": events, "now": now}
    await unit.execute(QUERIES["update_endpoint"], row)


async def rotate_secret(unit: Unit, endpoint_id: str, *, until: datetime, now: datetime) -> None:
    """Go on to the next secret."""
    await unit.execute(QUERIES["rotate_secret"], {"id": endpoint_id, "until": until, "now": now})


async def disable_endpoint(unit: Unit, endpoint_id: str, *, why: str, now: datetime) -> bool:
    """Tell it nothing more; false if that was so already."""
    return await unit.execute(QUERIES["disable_endpoint"], {"id": endpoint_id, "why": why, "now": now}) == 1


async def enable_endpoint(unit: Unit, endpoint_id: str, *, now: datetime) -> bool:
    """Tell it of events again; false if that was so already."""
    return await unit.execute(QUERIES["enable_endpoint"], {"id": endpoint_id, "now": now}) == 1


async def delete_endpoint(unit: Unit, endpoint_id: str) -> None:
    """Forget an endpoint with its deliveries."""
    await unit.execute(QUERIES["delete_endpoint"], {"id": endpoint_id})


async def endpoints_for(unit: Unit, event: str) -> list[str]:
    """The ids of who is to be told of an event."""
    return [str(row["id"]) for row in await unit.all(QUERIES["endpoints_for"], {"event": event})]


async def add_event(unit: Unit, *, event_id: str, name: str, body: str, now: datetime) -> None:
    """Write something that happened."""
    await unit.execute(QUERIES["add_event"], {"id": event_id, "name": name, "body": body, "now": now})


async def add_delivery(unit: Unit, *, delivery_id: str, endpoint_id: str, event_id: str, now: datetime) -> None:
    """Put an event on its way."""
    row = {"id": delivery_id, "endpoint_id": endpoint_id, "event_id": event_id, "now": now}
    await unit.execute(QUERIES["add_delivery"], row)


async def find_parcel(unit: Unit, delivery_id: str) -> Parcel | None:
    """What an attempt needs; None where it arrived already or is gone."""
    return await unit.one(QUERIES["find_parcel"], {"id": delivery_id}, into=Parcel)


async def add_attempt(
    unit: Unit, delivery_id: str, *, at: datetime, milliseconds: int, answer: int | None, reason: str
) -> bool:
    """Write how an attempt went; false where the delivery is gone."""
    number = await unit.value(QUERIES["count_attempt"], {"id": delivery_id})
    if number is None:
        return False
    row = {"delivery_id": delivery_id, "number": number, "attempted_at": at, "milliseconds": milliseconds}
    await unit.execute(QUERIES["add_attempt"], {**row, "answer": answer, "reason": reason})
    return True


async def set_state(
    unit: Unit, delivery_id: str, state: DeliveryState, *, reason: str = "", finished_at: datetime | None = None
) -> None:
    """Write where a delivery stands now."""
    row = {"id": delivery_id, "state": state, "reason": reason, "finished_at": finished_at}
    await unit.execute(QUERIES["set_state"], row)


async def note_success(unit: Unit, endpoint_id: str) -> None:
    """An endpoint that answers is not failing."""
    await unit.execute(QUERIES["note_success"], {"id": endpoint_id})


async def note_failure(unit: Unit, endpoint_id: str, now: datetime) -> datetime | None:
    """Since when the endpoint has been failing; None if it is gone."""
    since: datetime | None = await unit.value(QUERIES["note_failure"], {"id": endpoint_id, "now": now})
    return since


async def list_deliveries(
    unit: Unit, endpoint_id: str, *, state: DeliveryState | None, before: str | None, limit: int
) -> list[Delivery]:
    """Deliveries, newest first."""
    params = {"endpoint_id": endpoint_id, "state": state, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_deliveries"], params, into=_delivery)


async def find_delivery(unit: Unit, delivery_id: str) -> Delivery | None:
    """One delivery."""
    return await unit.one(QUERIES["find_delivery"], {"id": delivery_id}, into=_delivery)


async def find_body(unit: Unit, event_id: str) -> str:
    """The exact body of an event."""
    return str(await unit.value(QUERIES["find_body"], {"id": event_id}))


async def list_attempts(unit: Unit, delivery_id: str) -> list[Attempt]:
    """The attempts at a delivery, newest first."""
    return await unit.all(QUERIES["list_attempts"], {"delivery_id": delivery_id}, into=Attempt)


async def prune_events(unit: Unit, before: datetime) -> int:
    """Forget old events; returns how many."""
    return await unit.execute(QUERIES["prune_events"], {"before": before})


def _endpoint(*, events: list[str], **rest: Any) -> Endpoint:
    return Endpoint(events=tuple(events), **rest)


def _delivery(*, state: str, **rest: Any) -> Delivery:
    return Delivery(state=DeliveryState(state), **rest)
