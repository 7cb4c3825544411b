"""The secret addresses of private feeds: sealed names of a saved query and of how often its address was changed."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error

import msgspec

_SEAL_BYTES = 18
_PURPOSE = b"saved-query-feed\0"


class FeedTokens:
    """Makes and reads tokens. Nothing is stored: what makes one unguessable is the installation's key."""

    def __init__(self, key: bytes) -> None:
        self._key = key

    def token(self, saved_id: str, generation: int) -> str:
        """The token of a feed as long as its address is not changed."""
        body = msgspec.json.encode([saved_id, generation])
        return urlsafe_b64encode(self._seal(body) + body).decode().rstrip("=")

    def read(self, token: str) -> tuple[str, int] | None:
        """The saved query and the generation, or None for a token that we did not make."""
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
            seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
            if hmac.compare_digest(seal, self._seal(body)):
                return msgspec.json.decode(body, type=tuple[str, int])
        except (Base64Error, ValueError):
            pass
        return None

    def _seal(self, body: bytes) -> bytes:
        return hmac.digest(self._key, _PURPOSE + body, "sha256")[:_SEAL_BYTES]
