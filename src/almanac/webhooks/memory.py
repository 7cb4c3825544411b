"""The publisher for tests and trials: keeps what was published and committed; everybody wants to know everything."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from almanac.kit.clock import Clock
from almanac.relational import Unit
from almanac.webhooks.events import EventRegistry
from almanac.webhooks.publishing import body_of


@dataclass(frozen=True, slots=True)
class Told:
    """An event as it was published."""

    id: str
    event: str
    payload: Mapping[str, object]


@dataclass(slots=True)
class MemoryPublisher:
    """The EventPublisher that sends nothing."""

    events: EventRegistry
    clock: Clock
    told: list[Told] = field(default_factory=list)

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        self.events.require(event)
        event_id, _ = body_of(event, payload, self.clock.now())
        unit.after_commit(lambda: self.told.append(Told(event_id, event, dict(payload))))
        return event_id

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        for payload in payloads:
            await self.publish(unit, event, payload)
