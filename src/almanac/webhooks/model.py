"""Webhook endpoints, deliveries and attempts, with the validation of their fields."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlsplit

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.webhooks.events import EventRegistry

URL_CHARACTERS = 2000
DESCRIPTION_CHARACTERS = 200


class WebhookDeliveryState(StrEnum):
    """The state of a delivery. A failed one can be redelivered by a person."""

    WAITING = "waiting"
    DELIVERED = "delivered"
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookEndpoint:
    """A URL that receives events. `version` rises with each edit and guards against lost updates."""

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
        """The host, which is safe to show and log; the rest of the URL may contain a secret."""
        return urlsplit(self.url).hostname or ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewWebhookEndpoint:
    """An endpoint with its secret, which is shown only once."""

    endpoint: WebhookEndpoint
    secret: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDelivery:
    """The delivery of one event to one endpoint."""

    id: str
    endpoint_id: str
    event_id: str
    event: str
    state: WebhookDeliveryState
    attempts: int
    reason: str
    created_at: datetime
    finished_at: datetime | None
    answer: int | None
    milliseconds: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryAttempt:
    """One delivery attempt: time, duration, response status if any, and the reason if it failed."""

    number: int
    attempted_at: datetime
    milliseconds: int
    answer: int | None
    reason: str

    @property
    def succeeded(self) -> bool:
        return not self.reason


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookDeliveryDetail:
    """A delivery with its body and attempts, newest first."""

    delivery: WebhookDelivery
    body: str
    attempts: list[DeliveryAttempt]


def clean_url(url: str) -> str:
    """A trimmed http(s) URL; raises FieldErrors for anything else. Doesn't check whether it can be reached."""
    url = url.strip()
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid or len(url) > URL_CHARACTERS or not url.isprintable() or " " in url:
        raise FieldErrors({"url": gettext("Use a full address such as https://example.org/hooks/almanac.")})
    if "@" in urlsplit(url).netloc:
        raise FieldErrors({"url": gettext("Leave out name and password; requests are signed instead.")})
    return url


def clean_description(description: str) -> str:
    text = one_line(description)
    if len(text) > DESCRIPTION_CHARACTERS:
        raise FieldErrors(
            {
                "description": gettext(
                    "Use at most %(description_characters)s characters.", description_characters=DESCRIPTION_CHARACTERS
                )
            }
        )
    return text


def clean_events(events: list[str], registry: EventRegistry) -> list[str]:
    """The events, sorted and each once; raises FieldErrors if one is unknown or there are none."""
    if not events:
        raise FieldErrors({"events": gettext("Choose at least one event.")})
    if unknown := sorted(set(events) - {event.name for event in registry}):
        raise FieldErrors({"events": gettext("%(unknown)s isn't an event.", unknown=unknown[0])})
    return sorted(set(events))
