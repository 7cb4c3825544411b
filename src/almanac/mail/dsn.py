"""Bounce mails (RFC 3464): reads a delivery status notification that came back by mail into events. Pure functions."""

from collections.abc import Iterator
from datetime import datetime
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP

from almanac.errors import InputError
from almanac.kit.text import one_line
from almanac.mail.mime import ID_HEADER
from almanac.mail.model import DeliveryEvent, DeliveryKind

_KINDS: dict[str, DeliveryKind] = {"failed": "bounced", "delayed": "delayed", "delivered": "delivered"}


def read_dsn(raw: bytes, received_at: datetime) -> list[DeliveryEvent]:
    """The events of a bounce mail, one for each recipient; the returned mail inside tells which of ours it is about."""
    report = message_from_bytes(raw, policy=SMTP)
    if report.get_content_type() != "multipart/report":
        raise InputError("This mail is no delivery status notification.")
    original = _original(report)
    if original is None:
        raise InputError("This delivery status notification doesn't say which mail it is about.")
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
