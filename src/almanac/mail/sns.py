"""SES events through Amazon SNS: checks the signature, the certificate's origin and the topic, and reads the events."""

import re
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Awaitable, Callable, Collection, Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import msgspec
from cryptography import x509
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA1, SHA256, HashAlgorithm

from almanac.errors import InputError, NotAllowed, Unavailable
from almanac.kit.json_text import to_builtins
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext
from almanac.mail.mime import ID_HEADER
from almanac.mail.model import DeliveryEvent, DeliveryKind
from almanac.mail.ses import TAG

if TYPE_CHECKING:
    import aiohttp
else:
    aiohttp = lazy_module("aiohttp")


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


def parse_ses_notification(text: str, source_id: str) -> list[DeliveryEvent]:
    """The events in one notification, one for each recipient; kinds that say nothing about delivery give none."""
    try:
        notification = msgspec.json.decode(text, type=_Notification)
    except msgspec.ValidationError as error:
        raise InputError(gettext("This SES notification can't be read: %(error)s.", error=error)) from error
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
            detail = gettext(
                "The reader reported it as spam (%(value)s).",
                value=complaint.complaint_feedback_type or "no type given",
            )
            yield _event(mail, "complained", r.email_address, complaint.timestamp, detail, source_id, True)
    if (delivery := notification.delivery) is not None:
        for address in delivery.recipients:
            yield _event(mail, "delivered", address, delivery.timestamp, delivery.smtp_response, source_id)
    if (delay := notification.delivery_delay) is not None:
        for r in delay.delayed_recipients:
            yield _event(mail, "delayed", r.email_address, delay.timestamp, r.diagnostic_code, source_id)
    if (reject := notification.reject) is not None and mail.timestamp is not None:
        for address in mail.destination:
            yield _event(
                mail,
                "failed",
                address,
                mail.timestamp,
                gettext("SES refused it: %(reason)s.", reason=reject.reason),
                source_id,
            )


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
    """Our id from the tag in events, or from the header in notifications that include the original headers."""
    tagged = mail.tags.get(TAG, ())
    headers = (header.value for header in mail.headers if header.name.lower() == ID_HEADER.lower())
    return next(iter(tagged), None) or next(headers, None)


CertificateLoader = Callable[[str], Awaitable[bytes]]

_HOST = re.compile(r"sns\.[a-z0-9-]{3,}\.amazonaws\.com(\.cn)?")
_SIGNED = {
    "Notification": ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"),
    "SubscriptionConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
    "UnsubscribeConfirmation": ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"),
}
# SNS signs with version 1 unless a topic is configured otherwise, hence SHA-1.
_HASHES: dict[str, HashAlgorithm] = {"1": SHA1(), "2": SHA256()}  # noqa: S303 - the sender chooses
_CERTIFICATE_BYTES = 20_000
# Amazon uses a few at a time. Anybody who knows a topic's name can make us fetch any document of its hosts.
_MAX_CERTIFICATES = 16
_TIMEOUT_SECONDS = 10


class SnsMessage(msgspec.Struct, frozen=True, rename="pascal"):
    """One HTTP delivery of SNS."""

    type: str
    message_id: str
    topic_arn: str
    message: str
    timestamp: str
    signature: str
    signature_version: str
    signing_cert_url: str = msgspec.field(name="SigningCertURL")
    subject: str | None = None
    token: str | None = None
    subscribe_url: str | None = msgspec.field(name="SubscribeURL", default=None)


def parse_sns(body: bytes) -> SnsMessage:
    """Parse a request body; nothing is verified yet."""
    try:
        return msgspec.json.decode(body, type=SnsMessage)
    except msgspec.DecodeError as error:
        raise InputError(gettext("This isn't an Amazon SNS message: %(error)s.", error=error)) from error


async def verify_sns(message: SnsMessage, load_certificate: CertificateLoader) -> None:
    """Raise NotAllowed unless Amazon signed the message. The certificate is fetched from Amazon's hosts only."""
    signed, algorithm = _SIGNED.get(message.type), _HASHES.get(message.signature_version)
    if signed is None or algorithm is None:
        raise NotAllowed(gettext("This kind of SNS message or signature is not known."))
    if not is_amazon_address(message.signing_cert_url):
        raise NotAllowed(gettext("The certificate of this SNS message doesn't come from Amazon."))
    key = _public_key(await load_certificate(message.signing_cert_url))
    try:
        key.verify(b64decode(message.signature), _string_to_sign(message, signed), PKCS1v15(), algorithm)
    except (InvalidSignature, Base64Error, ValueError) as error:
        raise NotAllowed(gettext("The signature of this SNS message is wrong.")) from error


def is_amazon_address(url: str) -> bool:
    """Whether a URL in a message is one of SNS itself, so that a forger can't make us fetch another one."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    plain = parts.scheme == "https" and parts.netloc == parts.hostname
    return plain and _HOST.fullmatch(parts.hostname or "") is not None


class SnsInbox:
    """Receives what SNS posts. Only the topics named are accepted: anybody with an AWS account can sign for others."""

    def __init__(self, topics: Collection[str], load: CertificateLoader | None = None) -> None:
        self._topics = frozenset(topics)
        self._load = load or fetch_from_amazon
        self._certificates: dict[str, bytes] = {}

    async def receive(self, body: bytes) -> list[DeliveryEvent]:
        """The events in a genuine message. A request to confirm our subscription is answered and has none."""
        message = parse_sns(body)
        if message.topic_arn not in self._topics:
            raise NotAllowed(gettext("This SNS topic is not one of ours; name it as sns_topic in the mail setting."))
        await verify_sns(message, self._certificate)
        if message.type == "SubscriptionConfirmation":
            await self._confirm(message.subscribe_url or "")
        return parse_ses_notification(message.message, message.message_id) if message.type == "Notification" else []

    async def _certificate(self, url: str) -> bytes:
        if url not in self._certificates:
            certificate = await self._load(url)
            if len(self._certificates) >= _MAX_CERTIFICATES:
                del self._certificates[next(iter(self._certificates))]
            self._certificates[url] = certificate
        return self._certificates[url]

    async def _confirm(self, url: str) -> None:
        if not is_amazon_address(url):
            raise NotAllowed(gettext("The confirmation address of this SNS message doesn't lead to Amazon."))
        await self._load(url)


async def fetch_from_amazon(url: str) -> bytes:
    """Read a small document from Amazon; the address must have been checked."""
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=_TIMEOUT_SECONDS)) as session,
            session.get(url, allow_redirects=False, raise_for_status=True) as response,
        ):
            return await response.content.read(_CERTIFICATE_BYTES)
    except (aiohttp.ClientError, OSError) as error:
        raise Unavailable(gettext("Amazon SNS can't be reached to check a message.")) from error


def _public_key(certificate: bytes) -> RSAPublicKey:
    try:
        key = x509.load_pem_x509_certificate(certificate).public_key()
    except ValueError as error:
        raise NotAllowed(gettext("The certificate of this SNS message can't be read.")) from error
    if not isinstance(key, RSAPublicKey):
        raise NotAllowed(gettext("The certificate of this SNS message has the wrong kind of key."))
    return key


def _string_to_sign(message: SnsMessage, names: Collection[str]) -> bytes:
    fields = to_builtins(message)
    return "".join(f"{name}\n{fields[name]}\n" for name in names if fields.get(name) is not None).encode()
