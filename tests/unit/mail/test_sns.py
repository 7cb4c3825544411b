"""Events from SES are accepted only if Amazon signed them for one of our topics."""

import json
from base64 import b64encode
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA1, SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from almanac.errors import InputError, NotAllowed
from almanac.mail.sns import SnsInbox, is_amazon_address, parse_sns, verify_sns

TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail-events"
CERTIFICATE = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-abc.pem"
KEY = rsa.generate_private_key(65537, 2048)
NOTIFIED = ("Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type")
CONFIRMED = ("Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type")
BOUNCE = {
    "eventType": "Bounce",
    "mail": {"messageId": "ses-1", "tags": {"almanac-id": ["mail-1"], "ses:operation": ["SendEmail"]}},
    "bounce": {
        "bounceType": "Permanent",
        "bouncedRecipients": [{"emailAddress": "anna@example.com", "diagnosticCode": "smtp; 550 gone"}],
        "timestamp": "2026-05-04T12:00:00.000Z",
    },
}


def self_signed(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now).not_valid_after(now + timedelta(days=365))
    return builder.sign(key, SHA256()).public_bytes(Encoding.PEM)


def signed(*, version: str = "1", key: rsa.RSAPrivateKey = KEY, names: tuple[str, ...] = NOTIFIED, **changes) -> dict:
    message = {
        "Type": "Notification",
        "MessageId": "sns-1",
        "TopicArn": TOPIC,
        "Message": json.dumps(BOUNCE),
        "Timestamp": "2026-05-04T12:00:01.000Z",
        "SignatureVersion": version,
        "SigningCertURL": CERTIFICATE,
        "UnsubscribeURL": "https://sns.eu-west-1.amazonaws.com/?Action=Unsubscribe",
    } | changes
    text = "".join(f"{name}\n{message[name]}\n" for name in names if name in message)
    algorithm = SHA256() if version == "2" else SHA1()
    return message | {"Signature": b64encode(key.sign(text.encode(), PKCS1v15(), algorithm)).decode()}


def body(message: dict) -> bytes:
    return json.dumps(message).encode()


class Amazon:
    """Serves the certificate and remembers what it was asked for."""

    def __init__(self, certificate: bytes = b"") -> None:
        self.certificate = certificate or self_signed(KEY)
        self.asked: list[str] = []

    async def __call__(self, url: str) -> bytes:
        self.asked.append(url)
        return self.certificate


@pytest.mark.parametrize("version", ["1", "2"])
@pytest.mark.parametrize("extra", [{}, {"Subject": "Amazon SES Email Event Notification"}])
async def test_a_genuine_message_is_read_into_events(version: str, extra: dict) -> None:
    [event] = await SnsInbox([TOPIC], Amazon()).receive(body(signed(version=version, **extra)))
    assert (event.kind, event.recipient, event.permanent) == ("bounced", "anna@example.com", True)
    assert (event.mail_id, event.provider_id, event.source_id) == ("mail-1", "ses-1", "sns-1")
    assert event.detail == "smtp; 550 gone"


@pytest.mark.parametrize("name", ["Message", "MessageId", "Timestamp"])
async def test_a_changed_message_is_refused(name: str) -> None:
    forged = signed() | {name: "changed"}
    with pytest.raises(NotAllowed, match="signature of this SNS message is wrong"):
        await SnsInbox([TOPIC], Amazon()).receive(body(forged))


async def test_a_message_signed_with_another_key_is_refused() -> None:
    stranger = rsa.generate_private_key(65537, 2048)
    with pytest.raises(NotAllowed, match="signature"):
        await SnsInbox([TOPIC], Amazon()).receive(body(signed(key=stranger)))


@pytest.mark.parametrize("signature", ["", "not base64!", "AAAA"])
async def test_a_broken_signature_is_refused(signature: str) -> None:
    with pytest.raises(NotAllowed, match="signature"):
        await verify_sns(parse_sns(body(signed() | {"Signature": signature})), Amazon())


@pytest.mark.parametrize(
    "url",
    [
        "http://sns.eu-west-1.amazonaws.com/a.pem",
        "https://sns.eu-west-1.amazonaws.com.evil.example/a.pem",
        "https://evil.example/sns.eu-west-1.amazonaws.com/a.pem",
        "https://sns.eu-west-1.amazonaws.com@evil.example/a.pem",
        "https://sns.eu-west-1.amazonaws.com:8443/a.pem",
        "https://bucket.s3.amazonaws.com/a.pem",
        "https://127.0.0.1/a.pem",
        "",
    ],
)
async def test_a_certificate_from_elsewhere_is_never_fetched(url: str) -> None:
    amazon = Amazon()
    with pytest.raises(NotAllowed, match="doesn't come from Amazon"):
        await SnsInbox([TOPIC], amazon).receive(body(signed(SigningCertURL=url)))
    assert amazon.asked == []


def test_chinas_hosts_are_amazons_too() -> None:
    assert is_amazon_address("https://sns.cn-north-1.amazonaws.com.cn/a.pem")
    assert not is_amazon_address("https://[sns.eu-west-1.amazonaws.com/a.pem")


@pytest.mark.parametrize("certificate", [b"no certificate", self_signed(ec.generate_private_key(ec.SECP256R1()))])
async def test_a_certificate_that_can_not_be_used_is_refused(certificate: bytes) -> None:
    with pytest.raises(NotAllowed, match="certificate"):
        await SnsInbox([TOPIC], Amazon(certificate)).receive(body(signed()))


async def test_a_genuine_message_of_a_foreign_topic_is_refused() -> None:
    with pytest.raises(NotAllowed, match="not one of ours"):
        await SnsInbox([TOPIC], Amazon()).receive(body(signed(TopicArn="arn:aws:sns:eu-west-1:6666:evil")))


async def test_the_certificate_is_fetched_once() -> None:
    amazon = Amazon()
    inbox = SnsInbox([TOPIC], amazon)
    await inbox.receive(body(signed()))
    await inbox.receive(body(signed(MessageId="sns-2")))
    assert amazon.asked == [CERTIFICATE]


async def test_addresses_of_certificates_that_nobody_uses_are_forgotten() -> None:
    amazon = Amazon(b"no certificate")
    inbox = SnsInbox([TOPIC], amazon)
    for number in [*range(100), 99, 0]:
        with pytest.raises(NotAllowed, match="certificate"):
            await inbox.receive(body(signed(SigningCertURL=f"https://sns.eu-west-1.amazonaws.com/{number}.pem")))
    assert len(amazon.asked) == 101, "the last one is kept, the first one was fetched again"


def confirmation(url: str) -> bytes:
    asked = {"Type": "SubscriptionConfirmation", "Token": "t", "SubscribeURL": url, "Message": "Confirm?"}
    return body(signed(names=CONFIRMED, **asked))


async def test_a_subscription_to_our_topic_is_confirmed() -> None:
    amazon, url = Amazon(), "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=t"
    assert await SnsInbox([TOPIC], amazon).receive(confirmation(url)) == []
    assert amazon.asked == [CERTIFICATE, url]


async def test_a_confirmation_that_leads_elsewhere_is_not_followed() -> None:
    amazon = Amazon()
    with pytest.raises(NotAllowed, match="doesn't lead to Amazon"):
        await SnsInbox([TOPIC], amazon).receive(confirmation("https://169.254.169.254/latest"))
    assert amazon.asked == [CERTIFICATE]


@pytest.mark.parametrize("change", [{"Type": "Surprise"}, {"SignatureVersion": "3"}])
async def test_an_unknown_kind_is_refused(change: dict) -> None:
    with pytest.raises(NotAllowed, match="not known"):
        await SnsInbox([TOPIC], Amazon()).receive(body(signed() | change))


def test_a_body_that_is_no_message_is_one_sentence() -> None:
    with pytest.raises(InputError, match="isn't an Amazon SNS message"):
        parse_sns(b"{}")
