"""Publishes events: writes the event, its deliveries and their jobs in the caller's transaction."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from almanac.approvals import Approval, Approvals, ApprovalState
from almanac.errors import TooLarge
from almanac.jobs import JobsPort
from almanac.kit.clock import Clock
from almanac.kit.ids import new_id
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.webhooks import store
from almanac.webhooks.events import EventPublisher, EventRegistry
from almanac.webhooks.jobs import DELIVER

MAX_BODY_BYTES = 256 * 1024
APPROVAL_EVENTS = {
    ApprovalState.WAITING: "approval.asked",
    ApprovalState.APPROVED: "approval.approved",
    ApprovalState.REJECTED: "approval.rejected",
}


class WebhookPublisher:
    """Publishes events to subscribed endpoints."""

    def __init__(self, clock: Clock, jobs: JobsPort, events: EventRegistry) -> None:
        self._clock = clock
        self._jobs = jobs
        self._events = events

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Send an event to all endpoints subscribed to it; returns its id, or None if no endpoint is."""
        self._events.require(event)
        endpoints = await store.list_endpoint_ids_for(unit, event)
        return await self.send(unit, event, payload, endpoints) if endpoints else None

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Publish several events of one type; the subscribed endpoints are read once."""
        self._events.require(event)
        endpoints = await store.list_endpoint_ids_for(unit, event) if payloads else []
        if endpoints:
            for payload in payloads:
                await self.send(unit, event, payload, endpoints)

    async def send(self, unit: Unit, event: str, payload: Mapping[str, object], endpoints: list[str]) -> str:
        """Send an event to these endpoints, subscribed or not; returns its id."""
        now = self._clock.now()
        event_id, body = build_event_body(event, payload, now)
        await store.add_event(unit, event_id=event_id, name=event, body=body, now=now)
        for endpoint_id in endpoints:
            delivery_id = new_id()
            await store.add_delivery(unit, delivery_id=delivery_id, endpoint_id=endpoint_id, event_id=event_id, now=now)
            await self.dispatch(unit, delivery_id)
        return event_id

    async def dispatch(self, unit: Unit, delivery_id: str) -> None:
        """Defer the job that delivers, once the unit commits."""
        await self._jobs.defer(DELIVER, {"delivery_id": delivery_id}, unit=unit)


def build_event_body(event: str, payload: Mapping[str, object], now: datetime) -> tuple[str, str]:
    """A new event id and the JSON body with it; raises TooLarge over 256 kB."""
    event_id = new_id()
    body = encode_json({"id": event_id, "event": event, "created_at": now, "data": dict(payload)})
    if len(body) > MAX_BODY_BYTES:
        raise TooLarge(
            gettext(
                "The payload of %(event)s is larger than %(limit)s kB; send an id instead.",
                event=event,
                limit=MAX_BODY_BYTES // 1024,
            )
        )
    return event_id, body.decode()


def publish_approvals(approvals: Approvals, webhooks: EventPublisher) -> None:
    """Publish an event whenever an approval is requested or decided, in the same transaction."""

    async def publish(unit: Unit, approval: Approval) -> None:
        if event := APPROVAL_EVENTS.get(approval.state):
            await webhooks.publish(unit, event, _approval_payload(approval))

    approvals.add_listener(publish)


def _approval_payload(approval: Approval) -> dict[str, object]:
    return {
        "approval_id": approval.id,
        "kind": approval.subject.kind,
        "subject_id": approval.subject.id,
        "content_hash": approval.content_hash,
        "state": approval.state.value,
        "title": approval.title,
        "by": approval.by.id,
        "note": approval.note,
    }
