"""All reads and writes of webhooks; callers check rules and permissions."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from almanac.relational import Unit, load_queries
from almanac.webhooks.model import DeliveryAttempt, WebhookDelivery, WebhookDeliveryState, WebhookEndpoint

QUERIES = load_queries(__package__)


@dataclass(frozen=True, slots=True)
class PendingDelivery:
    """What one attempt at a delivery needs."""

    delivery_id: str
    endpoint_id: str
    event: str
    body: str


async def add_endpoint(
    unit: Unit, *, endpoint_id: str, url: str, description: str, events: list[str], by: str, now: datetime
) -> None:
    """Insert an endpoint."""
    row = {"id": endpoint_id, "url": url, "description": description, "events": events, "created_by": by, "now": now}
    await unit.execute(QUERIES["add_endpoint"], row)


async def find_endpoint(unit: Unit, endpoint_id: str, *, lock: bool = False) -> WebhookEndpoint | None:
    """One endpoint, or None; with `lock` nobody else changes it until the unit ends."""
    return await unit.one(QUERIES["lock_endpoint" if lock else "find_endpoint"], {"id": endpoint_id}, into=_endpoint)


async def list_endpoints(unit: Unit) -> list[WebhookEndpoint]:
    """All endpoints, oldest first."""
    return await unit.all(QUERIES["list_endpoints"], into=_endpoint)


async def update_endpoint(
    unit: Unit, endpoint_id: str, *, url: str, description: str, events: list[str], now: datetime
) -> None:
    """Update the fields that an edit may change."""
    row = {"id": endpoint_id, "url": url, "description": description, "events": events, "now": now}
    await unit.execute(QUERIES["update_endpoint"], row)


async def rotate_secret(unit: Unit, endpoint_id: str, *, until: datetime, now: datetime) -> None:
    """Switch to the next secret; the previous one stays valid for a while."""
    await unit.execute(QUERIES["rotate_secret"], {"id": endpoint_id, "until": until, "now": now})


async def disable_endpoint(unit: Unit, endpoint_id: str, *, why: str, now: datetime) -> bool:
    """Disable an endpoint; false if it was disabled already."""
    return await unit.execute(QUERIES["disable_endpoint"], {"id": endpoint_id, "why": why, "now": now}) == 1


async def enable_endpoint(unit: Unit, endpoint_id: str, *, now: datetime) -> bool:
    """Enable an endpoint; false if it was enabled already."""
    return await unit.execute(QUERIES["enable_endpoint"], {"id": endpoint_id, "now": now}) == 1


async def delete_endpoint(unit: Unit, endpoint_id: str) -> None:
    """Delete an endpoint with its deliveries."""
    await unit.execute(QUERIES["delete_endpoint"], {"id": endpoint_id})


async def list_endpoint_ids_for(unit: Unit, event: str) -> list[str]:
    """Ids of the active endpoints subscribed to an event."""
    return [str(row["id"]) for row in await unit.all(QUERIES["list_endpoint_ids_for"], {"event": event})]


async def add_event(unit: Unit, *, event_id: str, name: str, body: str, now: datetime) -> None:
    """Insert an event."""
    await unit.execute(QUERIES["add_event"], {"id": event_id, "name": name, "body": body, "now": now})


async def add_delivery(unit: Unit, *, delivery_id: str, endpoint_id: str, event_id: str, now: datetime) -> None:
    """Insert a delivery of an event."""
    row = {"id": delivery_id, "endpoint_id": endpoint_id, "event_id": event_id, "now": now}
    await unit.execute(QUERIES["add_delivery"], row)


async def find_pending_delivery(unit: Unit, delivery_id: str) -> PendingDelivery | None:
    """What an attempt needs; None if it was delivered already or deleted."""
    return await unit.one(QUERIES["find_pending_delivery"], {"id": delivery_id}, into=PendingDelivery)


async def add_attempt(
    unit: Unit, delivery_id: str, *, at: datetime, milliseconds: int, answer: int | None, reason: str
) -> bool:
    """Insert an attempt; false if the delivery was deleted."""
    number = await unit.value(QUERIES["next_attempt_number"], {"id": delivery_id})
    if number is None:
        return False
    row = {"delivery_id": delivery_id, "number": number, "attempted_at": at, "milliseconds": milliseconds}
    await unit.execute(QUERIES["add_attempt"], {**row, "answer": answer, "reason": reason})
    return True


async def set_delivery_state(
    unit: Unit, delivery_id: str, state: WebhookDeliveryState, *, reason: str = "", finished_at: datetime | None = None
) -> None:
    """Set the state of a delivery."""
    row = {"id": delivery_id, "state": state, "reason": reason, "finished_at": finished_at}
    await unit.execute(QUERIES["set_delivery_state"], row)


async def record_success(unit: Unit, endpoint_id: str) -> None:
    """Clear the failing state of an endpoint."""
    await unit.execute(QUERIES["record_success"], {"id": endpoint_id})


async def record_failure(unit: Unit, endpoint_id: str, now: datetime) -> datetime | None:
    """Mark an endpoint as failing; returns since when, or None if it was deleted."""
    since: datetime | None = await unit.value(QUERIES["record_failure"], {"id": endpoint_id, "now": now})
    return since


async def list_deliveries(
    unit: Unit, endpoint_id: str, *, state: WebhookDeliveryState | None, before: str | None, limit: int
) -> list[WebhookDelivery]:
    """Deliveries, newest first."""
    params = {"endpoint_id": endpoint_id, "state": state, "before": before, "limit": limit}
    return await unit.all(QUERIES["list_deliveries"], params, into=_delivery)


async def find_delivery(unit: Unit, delivery_id: str) -> WebhookDelivery | None:
    """One delivery; None if it doesn't exist."""
    return await unit.one(QUERIES["find_delivery"], {"id": delivery_id}, into=_delivery)


async def find_event_body(unit: Unit, event_id: str) -> str:
    """The exact body of an event."""
    return str(await unit.value(QUERIES["find_event_body"], {"id": event_id}))


async def list_attempts(unit: Unit, delivery_id: str) -> list[DeliveryAttempt]:
    """The attempts at a delivery, newest first."""
    return await unit.all(QUERIES["list_attempts"], {"delivery_id": delivery_id}, into=DeliveryAttempt)


async def prune_events(unit: Unit, before: datetime) -> int:
    """Delete old events; returns how many."""
    return await unit.execute(QUERIES["prune_events"], {"before": before})


def _endpoint(*, events: list[str], **rest: Any) -> WebhookEndpoint:
    return WebhookEndpoint(events=tuple(events), **rest)


def _delivery(*, state: str, **rest: Any) -> WebhookDelivery:
    return WebhookDelivery(state=WebhookDeliveryState(state), **rest)
