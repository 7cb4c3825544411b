"""Push messages are encrypted and signed as the RFCs say, with the example of RFC 8291 section 5."""

import json
from datetime import UTC, datetime

import pytest
from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePublicKey, derive_private_key
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256

from almanac.errors import InputError
from almanac.notifications.push_encryption import (
    PushSubscription,
    VapidKey,
    decode_base64url,
    encode_base64url,
    encrypt_push,
)

PLAIN = b"When I grow up, I want to be a watermelon"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
RECEIVER = "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4"
AUTH = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
MESSAGE = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_"
    "yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)
NOW = datetime(2026, 11, 18, 9, 0, tzinfo=UTC)


def test_the_example_of_the_rfc_is_reproduced():
    sender = derive_private_key(int.from_bytes(decode_base64url(SENDER)), SECP256R1())
    subscription = PushSubscription.parse(
        "https://push.example.net/push/JzLQ3raZJfFBR0aqvOMsLrt54w4rJUsV", RECEIVER, AUTH
    )
    body = encrypt_push(PLAIN, subscription, salt=decode_base64url(SALT), sender=sender)
    assert encode_base64url(body) == MESSAGE


def test_each_message_has_its_own_key_and_salt():
    subscription = PushSubscription.parse("https://push.example.net/1", RECEIVER, AUTH)
    bodies = {encrypt_push(PLAIN, subscription) for _ in range(3)}
    assert len({body[:16] for body in bodies}) == 3
    assert len({body[21:86] for body in bodies}) == 3


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [("", AUTH), (RECEIVER, ""), (RECEIVER, AUTH[:8]), ("A" * 87, AUTH), ("é", AUTH), (RECEIVER[:-4], AUTH)],
)
def test_keys_that_are_none_are_refused(p256dh, auth):
    with pytest.raises(InputError):
        PushSubscription.parse("https://push.example.net/1", p256dh, auth)


def test_the_sender_signs_for_one_service_with_a_key_that_stays_the_same():
    key = VapidKey(b"the installation's secret")
    header = key.authorization("https://push.example.net:8443/abc?d", "mailto:post@example.org", NOW)
    scheme, token, public = header.replace(",", "").split()
    assert (scheme, public) == ("vapid", f"k={key.public_key}")
    signed, _, signature = token.removeprefix("t=").rpartition(".")
    raw = decode_base64url(signature)
    point = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode_base64url(key.public_key))
    r_and_s = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    point.verify(r_and_s, signed.encode(), ECDSA(SHA256()))
    claims = json.loads(decode_base64url(signed.partition(".")[2]))
    assert claims["aud"] == "https://push.example.net:8443"
    assert 0 < claims["exp"] - NOW.timestamp() <= 24 * 3600
    assert VapidKey(b"the installation's secret").public_key == key.public_key
    assert VapidKey(b"another secret").public_key != key.public_key
