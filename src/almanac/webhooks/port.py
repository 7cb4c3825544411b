"""The port by which desks tell other programs what happened. Adapters are `Webhooks` and the in-memory fake."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from almanac.relational import Unit
from almanac.webhooks.events import EventRegistry


class EventPublisher(Protocol):
    """What a desk needs of webhooks."""

    @property
    def events(self) -> EventRegistry:
        """The events that may be published."""
        ...

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Tell every endpoint that chose this event, if the unit commits; returns the event's id, or None where nobody
        wants to know. An event that was never registered is a ValueError, a payload over 256 kB is TooLarge."""
        ...

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Tell of many events of one kind, as `publish` does of one."""
        ...
