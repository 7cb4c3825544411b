"""The generic delivery webhook: proves a payload by its HMAC signature and reads the events in it. Pure functions."""

from collections.abc import Sequence
from datetime import datetime

import msgspec

from almanac.errors import InputError, NotAllowed
from almanac.kit import signatures
from almanac.mail.address import address_key
from almanac.mail.model import DeliveryEvent, DeliveryKind

SIGNATURE_HEADER = "X-Almanac-Signature"


class _Event(msgspec.Struct, frozen=True, forbid_unknown_fields=False):
    event: DeliveryKind
    recipient: str
    at: datetime
    event_id: str | None = None
    id: str | None = None
    message_id: str | None = None
    provider_id: str | None = None
    permanent: bool = False
    reason: str = ""


class _Payload(msgspec.Struct, frozen=True):
    events: Sequence[_Event]


def sign(body: bytes, *, key: bytes, now: datetime) -> str:
    """The value of the signature header: `t=<seconds>,v1=<hex>` over the time, a dot and the body."""
    return signatures.sign(body, key, now=now)


def verify(body: bytes, signature: str, *, key: bytes, now: datetime) -> None:
    """Raise NotAllowed unless the body was signed with this key within five minutes of now."""
    try:
        signatures.verify(body, signature, key, now=now)
    except signatures.BadSignature as error:
        raise NotAllowed(f"The {SIGNATURE_HEADER} header {error}.") from error


def read_events(body: bytes) -> list[DeliveryEvent]:
    """Read `{"events": [{"event": "bounced", "message_id": "<...>", "recipient": "...", "at": "...", ...}]}`."""
    try:
        payload = msgspec.json.decode(body, type=_Payload)
    except msgspec.DecodeError as error:
        raise InputError(f"The delivery events can't be read: {error}.") from error
    return [_delivery_event(event) for event in payload.events]


def _delivery_event(event: _Event) -> DeliveryEvent:
    if not (event.id or event.message_id or event.provider_id):
        raise InputError("A delivery event must name its mail by id, message_id or provider_id.")
    if event.at.tzinfo is None:
        raise InputError("The moment of a delivery event needs a time zone; write it like 2026-05-04T12:00:00Z.")
    return DeliveryEvent(
        kind=event.event,
        recipient=address_key(event.recipient),
        happened_at=event.at,
        source="webhook",
        permanent=event.permanent,
        detail=event.reason,
        source_id=event.event_id,
        mail_id=event.id,
        message_id=event.message_id,
        provider_id=event.provider_id,
    )
