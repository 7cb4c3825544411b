"""The generic webhook accepts only what was recently signed with the shared key, and parses it strictly."""

from datetime import UTC, datetime, timedelta

import pytest

from almanac.errors import InputError, NotAllowed
from almanac.kit.signatures import sign_body
from almanac.mail.deliveries import parse_webhook, verify_webhook

KEY = b"shared"
NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
BODY = (
    b'{"events": [{"event": "bounced", "message_id": "<1@example.org>", "recipient": "Anna@Example.com",'
    b' "at": "2026-05-04T11:59:00Z", "permanent": true, "reason": "550 gone", "event_id": "e-1", "more": 1}]}'
)


def test_a_signed_body_is_believed() -> None:
    verify_webhook(BODY, sign_body(BODY, KEY, now=NOW), key=KEY, now=NOW + timedelta(minutes=4))


@pytest.mark.parametrize(
    ("body", "signature"),
    [
        (BODY + b" ", sign_body(BODY, KEY, now=NOW)),
        (BODY, sign_body(BODY, b"other", now=NOW)),
        (BODY, sign_body(BODY, KEY, now=NOW).replace("t=1", "t=2")),
        (BODY, ""),
        (BODY, "t=,v1="),
        (BODY, "t=1777896000"),
        (BODY, "t=é,v1=é"),
    ],
)
def test_a_wrong_signature_is_refused(body: bytes, signature: str) -> None:
    with pytest.raises(NotAllowed, match="doesn't match this body"):
        verify_webhook(body, signature, key=KEY, now=NOW)


@pytest.mark.parametrize("minutes", [-6, 6])
def test_an_old_or_future_signature_is_refused(minutes: int) -> None:
    with pytest.raises(NotAllowed, match="too old"):
        verify_webhook(BODY, sign_body(BODY, KEY, now=NOW), key=KEY, now=NOW + timedelta(minutes=minutes))


def test_events_are_read_with_everything_they_say() -> None:
    [event] = parse_webhook(BODY)
    assert (event.kind, event.recipient, event.permanent) == ("bounced", "anna@example.com", True)
    assert (event.message_id, event.source_id, event.detail) == ("<1@example.org>", "e-1", "550 gone")


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"", "can't be read"),
        (b"[]", "can't be read"),
        (BODY.replace(b"bounced", b"vanished"), "Invalid enum value 'vanished'"),
        (BODY.replace(b'"message_id"', b'"ignored"'), "must name its mail"),
        (BODY.replace(b"Z", b""), "needs a time zone"),
        (BODY.replace(b"Anna@Example.com", b"Anna"), "isn't a mail address"),
    ],
)
def test_a_body_that_makes_no_sense_is_one_sentence(body: bytes, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        parse_webhook(body)
