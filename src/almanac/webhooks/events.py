"""The names of what can be told to other programs; each desk adds its own, and a test payload needs no desk at all."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PING = "ping"
_NAME = re.compile(r"[a-z][a-z_-]*(\.[a-z][a-z_-]*)*")


@dataclass(frozen=True, slots=True)
class EventType:
    """A kind of event: a name such as `newsletter.exported`, and when it happens in one sentence."""

    name: str
    about: str

    def __post_init__(self) -> None:
        if not _NAME.fullmatch(self.name):
            raise ValueError(f"{self.name!r} is no name of an event; write it like newsletter.exported.")


PLATFORM_EVENTS = (
    EventType("approval.asked", "Somebody asked for an approval."),
    EventType("approval.approved", "Somebody approved what was asked for."),
    EventType("approval.rejected", "Somebody rejected what was asked for, with a note."),
)


class EventRegistry:
    """Every event that an endpoint can choose; names are unique."""

    def __init__(self, events: Iterable[EventType] = ()) -> None:
        self._events: dict[str, EventType] = {}
        self.add(*events)

    def add(self, *events: EventType) -> None:
        """Make events known; saying the same twice is no error."""
        for event in events:
            if event.name == PING or self._events.setdefault(event.name, event) != event:
                raise ValueError(f"Two events are named {event.name}.")

    def require(self, name: str) -> None:
        """An event that was never registered is a mistake of the program that publishes it."""
        if name not in self._events:
            raise ValueError(f"The event {name} is not registered; add it to the events of its desk.")

    def __contains__(self, name: object) -> bool:
        return name in self._events

    def __iter__(self) -> Iterator[EventType]:
        return iter(sorted(self._events.values(), key=lambda event: event.name))
