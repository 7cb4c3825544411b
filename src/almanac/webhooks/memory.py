"""The in-memory EventPublisher for tests: keeps the events of committed units, as if all had subscribers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from almanac.kit.clock import Clock
from almanac.relational import Unit
from almanac.webhooks.events import EventRegistry
from almanac.webhooks.publisher import build_event_body


@dataclass(frozen=True, slots=True)
class PublishedEvent:
    """A published event."""

    id: str
    event: str
    payload: Mapping[str, object]


@dataclass(slots=True)
class MemoryPublisher:
    """An EventPublisher that sends nothing."""

    events: EventRegistry
    clock: Clock
    published: list[PublishedEvent] = field(default_factory=list)

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        self.events.require(event)
        event_id, _ = build_event_body(event, payload, self.clock.now())
        unit.after_commit(lambda: self.published.append(PublishedEvent(event_id, event, dict(payload))))
        return event_id

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        for payload in payloads:
            await self.publish(unit, event, payload)
