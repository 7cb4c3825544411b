"""The events that can be published to webhooks, and the port by which desks publish them.

Each desk registers its own events. The adapters of the port are `Webhooks` and the in-memory fake.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from almanac.kit.messages import gettext
from almanac.relational import Unit

PING = "ping"
_NAME = re.compile(r"[a-z][a-z_-]*(\.[a-z][a-z_-]*)*")


@dataclass(frozen=True, slots=True)
class EventType:
    """An event type: a name such as `newsletter.exported`, and a sentence about when it happens."""

    name: str
    about: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} isn't a valid event name; use one such as newsletter.exported.")


PLATFORM_EVENTS = (
    EventType("approval.asked", gettext("Somebody asked for an approval.")),
    EventType("approval.approved", gettext("Somebody approved a request.")),
    EventType("approval.rejected", gettext("Somebody rejected a request, with a note.")),
)


class EventRegistry:
    """All events that an endpoint can subscribe to; names are unique."""

    def __init__(self, events: Iterable[EventType] = ()) -> None:
        self._events: dict[str, EventType] = {}
        self.add(*events)

    def add(self, *events: EventType) -> None:
        """Register events; registering the same one twice is allowed. Raises ValueError for conflicting names."""
        for event in events:
            if event.name == PING or self._events.setdefault(event.name, event) != event:
                raise ValueError(f"Two events are named {event.name}.")

    def require(self, name: str) -> None:
        """Raise ValueError if an event isn't registered."""
        if name not in self._events:
            raise ValueError(f"The event {name} is not registered; add it to the events of its desk.")

    def __contains__(self, name: object) -> bool:
        return name in self._events

    def __iter__(self) -> Iterator[EventType]:
        return iter(sorted(self._events.values(), key=lambda event: event.name))


class EventPublisher(Protocol):
    """Publishes events to webhooks."""

    @property
    def events(self) -> EventRegistry:
        """The events that may be published."""

    async def publish(self, unit: Unit, event: str, payload: Mapping[str, object]) -> str | None:
        """Send an event to all endpoints subscribed to it, if the unit commits. Returns the event's id, or None if no
        endpoint is. Raises ValueError for an unregistered event, TooLarge for a payload over 256 kB."""

    async def publish_all(self, unit: Unit, event: str, payloads: Sequence[Mapping[str, object]]) -> None:
        """Publish several events of one type."""
