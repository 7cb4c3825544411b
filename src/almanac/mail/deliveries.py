"""Delivery events of sent mail: parsed from bounce mails (RFC 3464) and signed webhooks, and recorded once each.

Addresses that bounced or complained are suppressed, and an event about a mail with an unknown outcome proves that it
was sent.
"""

import hashlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

import msgspec

from almanac.errors import InputError, NotAllowed
from almanac.kit import signatures
from almanac.kit.clock import Clock
from almanac.kit.messages import gettext
from almanac.kit.text import one_line
from almanac.mail import store
from almanac.mail.message import address_key
from almanac.mail.mime import ID_HEADER
from almanac.mail.model import DeliveryEvent, DeliveryKind, MailEvent, RecordedEvents, SuppressionSource
from almanac.mail.suppression import ALL_TOPICS
from almanac.relational import Database, Unit

_KINDS: dict[str, DeliveryKind] = {"failed": "bounced", "delayed": "delayed", "delivered": "delivered"}


def parse_bounce_mail(raw: bytes, received_at: datetime) -> list[DeliveryEvent]:
    """The events of a bounce mail, one for each recipient; the returned original says which mail it is about."""
    report = message_from_bytes(raw, policy=SMTP)
    if report.get_content_type() != "multipart/report":
        raise InputError(gettext("This mail isn't a delivery status notification."))
    original = _original(report)
    if original is None:
        raise InputError(gettext("This delivery status notification doesn't say which mail it is about."))
    return list(_events(report, original, received_at))


def _events(report: EmailMessage, original: EmailMessage, received_at: datetime) -> Iterator[DeliveryEvent]:
    source_id = str(report["Message-ID"]) if report["Message-ID"] else None
    for block in _recipient_blocks(report):
        action = str(block["Action"] or "").strip().lower()
        recipient = str(block["Final-Recipient"] or block["Original-Recipient"] or "").rpartition(";")[2].strip()
        if action not in _KINDS or not recipient:
            continue
        yield DeliveryEvent(
            kind=_KINDS[action],
            recipient=recipient,
            happened_at=received_at,
            source="dsn",
            permanent=str(block["Status"] or "").strip().startswith("5"),
            detail=one_line(str(block["Diagnostic-Code"] or block["Status"] or ""))[:500],
            source_id=source_id,
            mail_id=_header(original, ID_HEADER),
            message_id=_header(original, "Message-ID"),
        )


def _recipient_blocks(report: EmailMessage) -> Iterator[EmailMessage]:
    """The groups of fields about one recipient each; the first group is about the whole mail."""
    for part in report.walk():
        if part.get_content_type() == "message/delivery-status":
            yield from (block for block in part.iter_parts() if isinstance(block, EmailMessage))


def _original(report: EmailMessage) -> EmailMessage | None:
    for part in report.walk():
        if part.get_content_type() == "message/rfc822":
            return next((inner for inner in part.iter_parts() if isinstance(inner, EmailMessage)), None)
        if part.get_content_type() == "text/rfc822-headers":
            payload = part.get_payload(decode=True)
            return message_from_bytes(payload, policy=SMTP) if isinstance(payload, bytes) else None
    return None


def _header(mail: EmailMessage, name: str) -> str | None:
    return str(mail[name]).strip() if mail[name] else None


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


def verify_webhook(body: bytes, signature: str, *, key: bytes, now: datetime) -> None:
    """Raise NotAllowed unless the body was signed with this key within five minutes of now."""
    try:
        signatures.verify_body(body, signature, key, now=now)
    except signatures.BadSignature as error:
        raise NotAllowed(
            gettext("The %(header)s header %(problem)s.", header=SIGNATURE_HEADER, problem=error.args[0])
        ) from error


def parse_webhook(body: bytes) -> list[DeliveryEvent]:
    """Read `{"events": [{"event": "bounced", "message_id": "<...>", "recipient": "...", "at": "...", ...}]}`."""
    try:
        payload = msgspec.json.decode(body, type=_Payload)
    except msgspec.DecodeError as error:
        raise InputError(gettext("The delivery events can't be read: %(error)s.", error=error)) from error
    return [_delivery_event(event) for event in payload.events]


def _delivery_event(event: _Event) -> DeliveryEvent:
    if not (event.id or event.message_id or event.provider_id):
        raise InputError(gettext("A delivery event must name its mail by id, message_id or provider_id."))
    if event.at.tzinfo is None:
        raise InputError(
            gettext("The moment of a delivery event needs a time zone; write it like 2026-05-04T12:00:00Z.")
        )
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


DeliveryListener = Callable[[store.MailReference, Unit], Awaitable[None]]


class Deliveries:
    """Records delivery events. Callers must have verified that an event is genuine."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._listener: DeliveryListener | None = None

    def add_listener(self, listener: DeliveryListener) -> None:
        """Call the listener for each mail with new events, in the transaction that records them."""
        self._listener = listener

    async def record(self, *events: DeliveryEvent) -> RecordedEvents:
        """Record events once each; an event about a mail that isn't ours is only counted."""
        new = repeated = unmatched = 0
        references: dict[str, store.MailReference] = {}
        async with self._database.unit() as unit:
            for event in events:
                mail = await _mail_of(unit, event)
                if mail is None:
                    unmatched += 1
                    continue
                references[mail.id] = mail
                if await self._record(unit, mail.id, event):
                    new += 1
                else:
                    repeated += 1
            if self._listener is not None and new:
                for mail in references.values():
                    await self._listener(mail, unit)
        return RecordedEvents(new, repeated, unmatched, tuple(references))

    async def _record(self, unit: Unit, mail_id: str, event: DeliveryEvent) -> bool:
        now, recipient = self._clock.now(), address_key(event.recipient)
        mail_event = MailEvent(
            kind=event.kind,
            recipient=recipient,
            permanent=event.permanent,
            detail=event.detail,
            source=event.source,
            happened_at=event.happened_at,
        )
        if not await store.insert_event(unit, mail_id, mail_event, now, source_id=_identity(event, mail_id, recipient)):
            return False
        if (source := _suppresses(event)) is not None:
            reason = event.detail or gettext("The mail %(kind)s.", kind=event.kind)
            await store.insert_suppression(
                unit, email=recipient, topic=ALL_TOPICS, source=source, reason=reason, mail_id=mail_id, now=now
            )
        await self._confirm_sent(unit, mail_id, event)
        return True

    async def _confirm_sent(self, unit: Unit, mail_id: str, event: DeliveryEvent) -> None:
        """Any event proves that the mail was sent, so a mail with an unknown outcome is marked as sent."""
        now = self._clock.now()
        if await store.confirm_sent(unit, mail_id, now):
            detail = gettext("It was sent: a delivery event came in (%(kind)s).", kind=event.kind)
            mail_event = MailEvent(
                kind="reconciled", recipient=None, permanent=False, detail=detail, source=event.source, happened_at=now
            )
            await store.insert_event(unit, mail_id, mail_event, now)


async def _mail_of(unit: Unit, event: DeliveryEvent) -> store.MailReference | None:
    return await store.find_mail(
        unit, mail_id=event.mail_id, message_id=event.message_id, provider_id=event.provider_id
    )


def _suppresses(event: DeliveryEvent) -> SuppressionSource | None:
    if event.kind == "complained":
        return "complaint"
    return "bounce" if event.kind == "bounced" and event.permanent else None


def _identity(event: DeliveryEvent, mail_id: str, recipient: str) -> str:
    """The identity of an event: one per recipient and source id, or per time if the source gives no id.

    Hashed, because an address in here would outlive its erasure.
    """
    own = event.source_id or event.happened_at.isoformat()
    parts = "\n".join([event.source, mail_id, event.kind, recipient, own])
    return hashlib.sha256(parts.encode()).hexdigest()
