"""Publishing: an event becomes its deliveries and their jobs in the caller's transaction, or none of it happens."""

from collections.abc import Mapping, Sequence
from datetime import datetime

import msgspec

from almanac.errors import TooLarge
from almanac.jobs import JobsPort
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.webhooks import store
from almanac.webhooks.events import EventRegistry
from almanac.webhooks.jobs import DELIVER

LARGEST_BODY = 256 * 1024


class Publisher:
    """What desks hold: tell whoever wants to know that something happened."""

    def __init__(self, clock: Clock, jobs: JobsPort, events: EventRegistry) -> None:
        self._clock = clock
        self._jobs = jobs
        self._events = events

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Tell every endpoint that chose this event; returns the event's id, or None where nobody wants to know."""
        self._events.require(event)
        endpoints = await store.endpoints_for(unit, event)
        return await self.send(unit, event, payload, endpoints) if endpoints else None

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Tell of many events of one kind; who wants to know is asked once."""
        self._events.require(event)
        endpoints = await store.endpoints_for(unit, event) if payloads else []
        if endpoints:
            for payload in payloads:
                await self.send(unit, event, payload, endpoints)

    async def send(self, unit: Unit, event: str, payload: Mapping[str, object], endpoints: list[str]) -> str:
        """Tell these endpoints, whatever they chose; returns the event's id."""
        now = self._clock.now()
        event_id, body = body_of(event, payload, now)
        await store.add_event(unit, event_id=event_id, name=event, body=body, now=now)
        for endpoint_id in endpoints:
            delivery_id = new_id()
            await store.add_delivery(unit, delivery_id=delivery_id, endpoint_id=endpoint_id, event_id=event_id, now=now)
            await self.dispatch(unit, delivery_id)
        return event_id

    async def dispatch(self, unit: Unit, delivery_id: str) -> None:
        """Have a worker attempt a delivery once the unit has committed."""
        await self._jobs.defer(DELIVER, {"delivery_id": delivery_id}, unit=unit)


def body_of(event: str, payload: Mapping[str, object], now: datetime) -> tuple[str, str]:
    """A new id and the body that tells of an event under it."""
    event_id = new_id()
    body = msgspec.json.encode({"id": event_id, "event": event, "created_at": now, "data": dict(payload)})
    if len(body) > LARGEST_BODY:
        raise TooLarge(f"What {event} tells is larger than {LARGEST_BODY // 1024} kB; name the thing by its id.")
    return event_id, body.decode()
