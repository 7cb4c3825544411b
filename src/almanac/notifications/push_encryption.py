"""Web push without I/O: message encryption (RFC 8291, aes128gcm of RFC 8188) and the sender's signature (RFC 8292)."""

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePrivateKey,
    EllipticCurvePublicKey,
    derive_private_key,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from almanac.errors import InputError
from almanac.kit.signatures import derive_key

_SALT_BYTES, _AUTH_BYTES, _POINT_BYTES = 16, 16, 65
_RECORD_BYTES = 4096
_TOKEN_LIFE = timedelta(hours=12)
_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@dataclass(frozen=True, slots=True, kw_only=True)
class PushSubscription:
    """What a browser gives to whoever may push to it. Each part is secret."""

    endpoint: str = field(repr=False)
    p256dh: bytes = field(repr=False)
    auth: bytes = field(repr=False)

    @classmethod
    def parse(cls, endpoint: str, p256dh: str, auth: str) -> "PushSubscription":
        """From the texts of the browser; InputError if a key isn't valid."""
        try:
            subscription = cls(endpoint=endpoint, p256dh=decode_base64url(p256dh), auth=decode_base64url(auth))
            EllipticCurvePublicKey.from_encoded_point(SECP256R1(), subscription.p256dh)
        except ValueError as error:
            raise InputError(
                "This browser's keys for push messages aren't valid; turn notifications on again."
            ) from error
        if len(subscription.auth) != _AUTH_BYTES or len(subscription.p256dh) != _POINT_BYTES:
            raise InputError("This browser's keys for push messages aren't valid; turn notifications on again.")
        return subscription


def encode_base64url(data: bytes) -> str:
    return urlsafe_b64encode(data).decode().rstrip("=")


def decode_base64url(text: str) -> bytes:
    """ValueError for what isn't Base64."""
    return urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))


def encrypt_push(
    plain: bytes,
    subscription: PushSubscription,
    *,
    salt: bytes | None = None,
    sender: EllipticCurvePrivateKey | None = None,
) -> bytes:
    """The body of a push message. Salt and sender key are new for each message; tests give those of the RFC."""
    salt = salt or os.urandom(_SALT_BYTES)
    sender = sender or generate_private_key(SECP256R1())
    point = _point(sender.public_key())
    receiver = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), subscription.p256dh)
    key, nonce = derive_content_keys(
        sender.exchange(ECDH(), receiver), subscription.auth, salt, receiver=subscription.p256dh, sender=point
    )
    # The delimiter 2 says that this record is the last one.
    sealed = AESGCM(key).encrypt(nonce, plain + b"\x02", None)
    return salt + _RECORD_BYTES.to_bytes(4) + bytes([len(point)]) + point + sealed


def derive_content_keys(
    shared: bytes, auth: bytes, salt: bytes, *, receiver: bytes, sender: bytes
) -> tuple[bytes, bytes]:
    """The key and nonce of a message, which both sides derive."""
    material = _hkdf(auth, shared, b"WebPush: info\x00" + receiver + sender, 32)
    key = _hkdf(salt, material, b"Content-Encoding: aes128gcm\x00", 16)
    return key, _hkdf(salt, material, b"Content-Encoding: nonce\x00", 12)


def _hkdf(salt: bytes, material: bytes, info: bytes, length: int) -> bytes:
    return HKDF(algorithm=SHA256(), length=length, salt=salt, info=info).derive(material)


def _point(key: EllipticCurvePublicKey) -> bytes:
    return key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


class VapidKey:
    """The key by which push services know this installation. It is derived from the installation's secret, so it is
    stored nowhere, and every process has the same.
    """

    def __init__(self, secret: bytes) -> None:
        wide = derive_key(secret, "vapid high") + derive_key(secret, "vapid low")
        self._key = derive_private_key(int.from_bytes(wide) % (_P256_ORDER - 1) + 1, SECP256R1())

    @property
    def public_key(self) -> str:
        """As browsers want it for `applicationServerKey`."""
        return encode_base64url(_point(self._key.public_key()))

    def authorization(self, endpoint: str, contact: str, now: datetime) -> str:
        """The Authorization header for one push service."""
        parts = urlsplit(endpoint)
        claims = {
            "aud": f"{parts.scheme}://{parts.netloc}",
            "exp": int((now + _TOKEN_LIFE).timestamp()),
            "sub": contact,
        }
        text = ".".join(
            encode_base64url(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)
        )
        r, s = decode_dss_signature(self._key.sign(text.encode(), ECDSA(SHA256())))
        return f"vapid t={text}.{encode_base64url(r.to_bytes(32) + s.to_bytes(32))}, k={self.public_key}"
