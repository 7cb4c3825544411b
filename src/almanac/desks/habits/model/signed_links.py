"""Signed links in reminder mails that mark one day of one habit as done or skipped, without signing in."""

import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Literal

import msgspec

from almanac.errors import InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

LinkAction = Literal["done", "skip"]
LINK_LIFETIME = timedelta(days=7)
_SIGNATURE_BYTES = 16


@dataclass(frozen=True, slots=True)
class SignedLink:
    """The content of a link: owner, habit, day and action."""

    owner_id: str
    habit_id: str
    day: date
    action: LinkAction


def sign_link(key: bytes, link: SignedLink) -> str:
    """The token of a link: its content with an HMAC signature."""
    body = encode_json([link.owner_id, link.habit_id, link.day, link.action])
    return urlsafe_b64encode(_signature(key, body) + body).decode().rstrip("=")


def verify_link(key: bytes, token: str, today: date) -> SignedLink:
    """The content of a token; raises InputError if the signature is wrong or the link is older than a week."""
    try:
        raw = urlsafe_b64decode(token.encode("ascii") + b"=" * (-len(token) % 4))
        signature, body = raw[:_SIGNATURE_BYTES], raw[_SIGNATURE_BYTES:]
        if hmac.compare_digest(signature, _signature(key, body)):
            link = SignedLink(*msgspec.json.decode(body, type=tuple[str, str, date, LinkAction]))
            if today - link.day <= LINK_LIFETIME:
                return link
    except ValueError:
        pass
    raise InputError(gettext("This link is damaged or older than a week; open your habits instead."))


def _signature(key: bytes, body: bytes) -> bytes:
    return hmac.digest(key, b"habit-link\0" + body, "sha256")[:_SIGNATURE_BYTES]
