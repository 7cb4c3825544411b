"""SES events that Amazon SNS posts and signs update the reminder by recipient; forged ones don't."""

import json
from base64 import b64encode
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding
from cryptography.x509.oid import NameOID

from almanac.accounts.model import CONSOLE
from almanac.desks import DESKS
from almanac.desks.reminders import service
from almanac.mail.sns import SnsInbox
from almanac.web.app import create_app

PATH = "/api/v1/reminders/events/ses"
TOPIC = "arn:aws:sns:eu-west-1:123456789012:mail-events"
KEY = rsa.generate_private_key(65537, 2048)
SIGNED = ("Message", "MessageId", "Timestamp", "TopicArn", "Type")


async def certificate(_url):
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "sns.amazonaws.com")])
    now = datetime(2026, 1, 1, tzinfo=UTC)
    builder = x509.CertificateBuilder(name, name, KEY.public_key(), x509.random_serial_number())
    return (
        builder.not_valid_before(now)
        .not_valid_after(now + timedelta(days=365))
        .sign(KEY, SHA256())
        .public_bytes(Encoding.PEM)
    )


def posted(news):
    """What SNS would post."""
    message = {
        "Type": "Notification",
        "MessageId": "sns-1",
        "TopicArn": TOPIC,
        "Message": json.dumps(news),
        "Timestamp": "2026-05-04T12:00:01.000Z",
        "SignatureVersion": "2",
        "SigningCertURL": "https://sns.eu-west-1.amazonaws.com/key.pem",
    }
    text = "".join(f"{name}\n{message[name]}\n" for name in SIGNED)
    return {**message, "Signature": b64encode(KEY.sign(text.encode(), PKCS1v15(), SHA256())).decode()}


@pytest.fixture
def app(services):
    """The application as it is with a topic of its own."""
    return create_app(replace(services, sns=SnsInbox([TOPIC], certificate)), DESKS)


async def test_ses_events_update_each_recipient_and_suppress(services, drafted, nobody):
    draft = await drafted(more_recipients=("books@example.org",))
    await service.approve_draft(services, CONSOLE, draft.id, seen=draft.content_hash)
    await service.send_draft(services, CONSOLE, draft.id)
    [sent] = (await service.list_sent_to_customer(services, CONSOLE, "acme")).items
    mail = {"messageId": sent.message_id, "tags": {"almanac-id": [sent.mail_id]}}
    delivered = {
        "eventType": "Delivery",
        "mail": mail,
        "delivery": {"recipients": ["acme@example.org"], "timestamp": "2026-05-04T12:00:00.000Z"},
    }
    bounced = {
        "eventType": "Bounce",
        "mail": mail,
        "bounce": {
            "bounceType": "Permanent",
            "bouncedRecipients": [{"emailAddress": "books@example.org"}],
            "timestamp": "2026-05-04T12:00:00.000Z",
        },
    }
    for news in (delivered, bounced):
        answer = await nobody.http.post(PATH, json=posted(news))
        assert answer.json() == {"new": 1, "repeated": 0, "unmatched": 0}, answer.text
    updated = await service.get_sent(services, CONSOLE, sent.id)
    assert updated.delivery == {"acme@example.org": "delivered", "books@example.org": "bounced"}
    assert await services.suppressions.find("books@example.org") is not None
    forged = {**posted(delivered), "Message": json.dumps(bounced)}
    assert (await nobody.http.post(PATH, json=forged)).status_code == 403
    assert (await nobody.http.post(PATH, json={"Type": "Notification"})).status_code == 400
