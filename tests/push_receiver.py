"""A push service and the browser behind it: takes messages over HTTP, checks who sent them and decrypts them."""

import asyncio
import json
from dataclasses import dataclass, field

from aiohttp import web
from cryptography.hazmat.primitives.asymmetric.ec import (
    ECDH,
    ECDSA,
    SECP256R1,
    EllipticCurvePublicKey,
    generate_private_key,
)
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from almanac.notifications.push_encryption import (
    PushSubscription,
    decode_base64url,
    derive_content_keys,
    encode_base64url,
)

AUTH = b"sixteen bytes!!!"


@dataclass
class PushReceiver:
    """`messages` are what the browser decrypted, `headers` what the service saw. It answers with `status`."""

    status: int = 201
    messages: list[dict] = field(default_factory=list)
    headers: list[dict] = field(default_factory=list)
    address: str = ""
    hangs: bool = False
    arrived: asyncio.Event = field(default_factory=asyncio.Event)

    def __post_init__(self):
        self._key = generate_private_key(SECP256R1())
        self._point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    @property
    def route(self):
        return web.post("/push/{id}", self.take)

    def subscription(self, name="1"):
        return PushSubscription(endpoint=f"{self.address}/push/{name}", p256dh=self._point, auth=AUTH)

    def as_json(self, name="1"):
        """As a browser tells it."""
        keys = {"p256dh": encode_base64url(self._point), "auth": encode_base64url(AUTH)}
        return {"endpoint": f"{self.address}/push/{name}", "keys": keys}

    async def take(self, request):
        body = await request.read()
        self.headers.append(dict(request.headers))
        assert request.headers["Content-Encoding"] == "aes128gcm"
        self._check_sender(request)
        self.messages.append(json.loads(self._decrypt(body)))
        self.arrived.set()
        if self.hangs:
            await asyncio.Event().wait()
        return web.Response(status=self.status)

    def _check_sender(self, request):
        scheme, token, key = request.headers["Authorization"].replace(",", "").split()
        assert scheme == "vapid"
        signed, _, signature = token.removeprefix("t=").rpartition(".")
        raw = decode_base64url(signature)
        public = EllipticCurvePublicKey.from_encoded_point(SECP256R1(), decode_base64url(key.removeprefix("k=")))
        whole = encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
        public.verify(whole, signed.encode(), ECDSA(SHA256()))
        assert json.loads(decode_base64url(signed.partition(".")[2]))["aud"] == self.address

    def _decrypt(self, body):
        salt, length = body[:16], body[20]
        sender, sealed = body[21 : 21 + length], body[21 + length :]
        shared = self._key.exchange(ECDH(), EllipticCurvePublicKey.from_encoded_point(SECP256R1(), sender))
        key, nonce = derive_content_keys(shared, AUTH, salt, receiver=self._point, sender=sender)
        plain = AESGCM(key).decrypt(nonce, sealed, None)
        assert plain.endswith(b"\x02")
        return plain[:-1]
