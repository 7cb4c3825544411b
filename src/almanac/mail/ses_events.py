"""Reads SES notifications about deliveries, delays, bounces, complaints and mails that SES refused. Pure functions."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import msgspec

from almanac.errors import InputError
from almanac.mail.mime import ID_HEADER
from almanac.mail.model import DeliveryEvent, DeliveryKind
from almanac.mail.ses import TAG


class _Recipient(msgspec.Struct, frozen=True, rename="camel"):
    email_address: str
    diagnostic_code: str = ""


class _Header(msgspec.Struct, frozen=True):
    name: str
    value: str


class _Mail(msgspec.Struct, frozen=True, rename="camel"):
    message_id: str
    timestamp: datetime | None = None
    destination: Sequence[str] = ()
    tags: dict[str, list[str]] = {}
    headers: Sequence[_Header] = ()


class _Bounce(msgspec.Struct, frozen=True, rename="camel"):
    bounce_type: str
    bounced_recipients: Sequence[_Recipient]
    timestamp: datetime


class _Complaint(msgspec.Struct, frozen=True, rename="camel"):
    complained_recipients: Sequence[_Recipient]
    timestamp: datetime
    complaint_feedback_type: str | None = None


class _Delivery(msgspec.Struct, frozen=True, rename="camel"):
    recipients: Sequence[str]
    timestamp: datetime
    smtp_response: str = ""


class _Delay(msgspec.Struct, frozen=True, rename="camel"):
    delayed_recipients: Sequence[_Recipient]
    timestamp: datetime


class _Reject(msgspec.Struct, frozen=True):
    reason: str = ""


class _Notification(msgspec.Struct, frozen=True, rename="camel"):
    mail: _Mail
    bounce: _Bounce | None = None
    complaint: _Complaint | None = None
    delivery: _Delivery | None = None
    delivery_delay: _Delay | None = None
    reject: _Reject | None = None


def read_notification(text: str, source_id: str) -> list[DeliveryEvent]:
    """The events in one notification, one for each recipient; kinds that say nothing about delivery give none."""
    try:
        notification = msgspec.json.decode(text, type=_Notification)
    except msgspec.ValidationError as error:
        raise InputError(f"This SES notification can't be read: {error}.") from error
    except msgspec.DecodeError:
        return []
    return list(_events(notification, source_id))


def _events(notification: _Notification, source_id: str) -> Iterator[DeliveryEvent]:
    mail = notification.mail
    if (bounce := notification.bounce) is not None:
        for r in bounce.bounced_recipients:
            permanent = bounce.bounce_type == "Permanent"
            yield _event(mail, "bounced", r.email_address, bounce.timestamp, r.diagnostic_code, source_id, permanent)
    if (complaint := notification.complaint) is not None:
        for r in complaint.complained_recipients:
            detail = f"The reader complained ({complaint.complaint_feedback_type or 'no type given'})."
            yield _event(mail, "complained", r.email_address, complaint.timestamp, detail, source_id, True)
    if (delivery := notification.delivery) is not None:
        for address in delivery.recipients:
            yield _event(mail, "delivered", address, delivery.timestamp, delivery.smtp_response, source_id)
    if (delay := notification.delivery_delay) is not None:
        for r in delay.delayed_recipients:
            yield _event(mail, "delayed", r.email_address, delay.timestamp, r.diagnostic_code, source_id)
    if (reject := notification.reject) is not None and mail.timestamp is not None:
        for address in mail.destination:
            yield _event(mail, "failed", address, mail.timestamp, f"SES refused it: {reject.reason}.", source_id)


def _event(
    mail: _Mail, kind: DeliveryKind, recipient: str, at: datetime, detail: str, source_id: str, permanent: bool = False
) -> DeliveryEvent:
    return DeliveryEvent(
        kind=kind,
        recipient=recipient,
        happened_at=at if at.tzinfo else at.replace(tzinfo=UTC),
        source="ses",
        permanent=permanent,
        detail=detail,
        source_id=source_id,
        mail_id=_our_id(mail),
        provider_id=mail.message_id,
    )


def _our_id(mail: _Mail) -> str | None:
    """From the tag in events, or from the header in notifications that include the original headers."""
    tagged = mail.tags.get(TAG, ())
    headers = (header.value for header in mail.headers if header.name.lower() == ID_HEADER.lower())
    return next(iter(tagged), None) or next(headers, None)
