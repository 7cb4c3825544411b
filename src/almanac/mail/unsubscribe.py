"""One-click unsubscription (RFC 8058): signed tokens that name an address and a topic, and the headers for them."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass

import msgspec

from almanac.errors import InputError

_SEAL_BYTES = 16
_PURPOSE = b"mail-unsubscribe\0"


@dataclass(frozen=True, slots=True)
class Unsubscription:
    """Who wants no more mail of which topic."""

    email: str
    topic: str


def one_click(url: str) -> dict[str, str]:
    """The headers for a page on which a POST opts out at once."""
    return {"List-Unsubscribe": f"<{url}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}


class UnsubscribeLinks:
    """Makes and reads the links. They never expire: a reader may unsubscribe from a mail of years ago."""

    def __init__(self, key: bytes, public_url: str) -> None:
        self._key = key
        self._public_url = public_url.rstrip("/")

    def url(self, email: str, topic: str) -> str:
        """The page on which a person unsubscribes; a POST to it does so at once."""
        return f"{self._public_url}/unsubscribe/{self.token(email, topic)}"

    def headers(self, email: str, topic: str) -> dict[str, str]:
        """What lets a mail program show its own button."""
        return one_click(self.url(email, topic))

    def token(self, email: str, topic: str) -> str:
        body = msgspec.json.encode([email, topic])
        return urlsafe_b64encode(self._seal(body) + body).decode().rstrip("=")

    def read(self, token: str) -> Unsubscription:
        """What a token says; one that we did not make is an InputError."""
        try:
            raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
            seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
            if hmac.compare_digest(seal, self._seal(body)):
                email, topic = msgspec.json.decode(body, type=tuple[str, str])
                return Unsubscription(email, topic)
        except ValueError:
            pass
        raise InputError("This unsubscribe link is damaged; copy it whole from the mail, or reply to the mail.")

    def _seal(self, body: bytes) -> bytes:
        return hmac.digest(self._key, _PURPOSE + body, "sha256")[:_SEAL_BYTES]
