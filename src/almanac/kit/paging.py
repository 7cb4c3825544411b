"""Pages and their cursors: a cursor is opaque, authenticated and bound to the list it came from."""

import hashlib
import hmac
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

import msgspec

from almanac.errors import InputError
from almanac.kit.json_text import encode_json
from almanac.kit.messages import gettext

T = TypeVar("T")
_SEAL_BYTES = 12

Position = Sequence[str | int | None]


@dataclass(frozen=True, slots=True)
class Page(Generic[T]):
    """Some items of a list, and the cursor that continues it; no cursor means the list ends here."""

    items: list[T] = field(default_factory=list)
    next_cursor: str | None = None


def build_page(rows: Sequence[T], limit: int, position: Callable[[T], Position], *, of: str, key: bytes) -> Page[T]:
    """The first `limit` rows. Ask the store for `limit + 1` rows: the extra one shows that the list goes on."""
    shown = list(rows[:limit])
    more = encode_cursor(position(shown[-1]), of=of, key=key) if len(rows) > limit else None
    return Page(shown, more)


def encode_cursor(position: Position, *, of: str, key: bytes) -> str:
    """Seal the sort values of the last item shown. `of` names the list and its filters."""
    body = encode_json(list(position))
    return urlsafe_b64encode(_seal(body, of, key) + body).decode().rstrip("=")


def decode_cursor(cursor: str, *, of: str, key: bytes) -> list[str | int | None]:
    """Open a cursor of the same list. InputError if it is forged, damaged or from another list."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        body = raw[_SEAL_BYTES:]
        if hmac.compare_digest(raw[:_SEAL_BYTES], _seal(body, of, key)):
            return msgspec.json.decode(body, type=list[str | int | None])
    except (Base64Error, UnicodeEncodeError, msgspec.MsgspecError, ValueError):
        pass
    raise InputError(gettext("This page link is out of date; start again from the first page."))


def _seal(body: bytes, of: str, key: bytes) -> bytes:
    return hmac.digest(key, hashlib.sha256(of.encode()).digest() + body, "sha256")[:_SEAL_BYTES]
