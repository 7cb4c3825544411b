"""Links in reminders that say done or skip for one habit and one day, without signing in."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import msgspec

from almanac.errors import InputError

LinkAction = Literal["done", "skip"]
LINK_LIFETIME = timedelta(days=7)
_SEAL_BYTES = 16


@dataclass(frozen=True, slots=True)
class SignedLink:
    """What a link does, for whom."""

    owner_id: str
    habit_id: str
    day: date
    act: LinkAction


def sign_link(key: bytes, linked: SignedLink) -> str:
    """The part of a link that nobody can make up."""
    body = msgspec.json.encode([linked.owner_id, linked.habit_id, linked.day, linked.act])
    return urlsafe_b64encode(_seal(key, body) + body).decode().rstrip("=")


def verify_link(key: bytes, token: str, today: date) -> SignedLink:
    """What a link says. One that we did not make, or that is older than a week, is an InputError."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        seal, body = raw[:_SEAL_BYTES], raw[_SEAL_BYTES:]
        if hmac.compare_digest(seal, _seal(key, body)):
            linked = SignedLink(*msgspec.json.decode(body, type=tuple[str, str, date, LinkAction]))
            if today - linked.day <= LINK_LIFETIME:
                return linked
    except ValueError:
        pass
    raise InputError("This link is damaged or older than a week; open your habits instead.")


def _seal(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"habit-link\0" + body, "sha256")[:_SEAL_BYTES]
