"""What webhooks are made of: endpoints, deliveries and attempts, with the checks that need no storage."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from almanac.errors import FieldErrors
from almanac.kit.text import one_line
from almanac.webhooks.events import EventRegistry

URL_CHARACTERS = 2000
DESCRIPTION_CHARACTERS = 200


class DeliveryState(StrEnum):
    """Where a delivery stands. A failed one may be delivered again by a person."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address that is told of events. `version` rises with each edit and guards against lost updates."""

    id: str
    url: str
    description: str
    events: tuple[str, ...]
    version: int
    secret_generation: int
    old_secret_until: datetime | None
    active: bool
    disabled_at: datetime | None
    disabled_why: str
    failing_since: datetime | None
    created_by: str
    created_at: datetime
    updated_at: datetime

    @property
    def host(self) -> str:
        """What may be shown and logged everywhere: the rest of an address may hold a secret."""
        return urlsplit(self.url).hostname or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEndpoint:
    """An endpoint at the only moment its secret is shown."""

    endpoint: Endpoint
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One event on its way to one endpoint."""

    id: str
    endpoint_id: str
    event_id: str
    event: str
    state: DeliveryState
    attempts: int
    reason: str
    created_at: datetime
    finished_at: datetime | None
    answer: int | None
    milliseconds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """One try: when, how long it took, the status that came back if one did, and why it failed if it did."""

    number: int
    attempted_at: datetime
    milliseconds: int
    answer: int | None
    reason: str

    @property
    def succeeded(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryDetail:
    """A delivery with its body and attempts, newest first."""

    delivery: Delivery
    body: str
    attempts: list[Attempt]


def clean_url(url: str) -> str:
    """An address that a program can listen at. Whether it may be reached is checked when it is."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        plain = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        plain = False
    if not plain or len(url) > URL_CHARACTERS or not url.isprintable() or " " in url:
        raise FieldErrors({"url": "Write a whole address, such as https://example.org/hooks/almanac."})
    if "@" in urlsplit(url).netloc:
        raise FieldErrors({"url": "Leave name and password out of the address; the signature proves who we are."})
    return url


def clean_description(description: str) -> str:
    text = one_line(description)
    if len(text) > DESCRIPTION_CHARACTERS:
        raise FieldErrors({"description": f"Keep it within {DESCRIPTION_CHARACTERS} characters."})
    return text


def clean_events(events: list[str], known: EventRegistry) -> list[str]:
    """The events chosen, each once; at least one."""
    if not events:
        raise FieldErrors({"events": "Choose at least one event."})
    if unknown := sorted(set(events) - {event.name for event in known}):
        raise FieldErrors({"events": f"There is no event named {unknown[0]}."})
    return sorted(set(events))
