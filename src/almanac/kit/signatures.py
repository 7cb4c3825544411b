"""Keys derived from the secret of the installation, and HMAC signatures of webhooks in both directions.

A signature is `t=<seconds>,v1=<hex HMAC-SHA256>` over the time, a dot and the body. Several `v1` parts mean several
keys, one of which must match, so a key can be changed without losing what is on its way."""

import hmac
import os
import secrets
import tempfile
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path

from almanac.kit.messages import gettext


def derive_key(secret: bytes, purpose: str) -> bytes:
    """A key for one purpose; keys of different purposes tell nothing about each other."""
    return hmac.digest(secret, purpose.encode(), "sha256")


def load_secret(path: Path) -> bytes:
    """The secret kept in a file, made on first use; several processes starting at once agree on one."""
    if not path.exists():
        descriptor, draft = tempfile.mkstemp(prefix=path.name, dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_hex(32).encode())
            file.flush()
            os.fsync(file.fileno())
        # A link, unlike a rename, never replaces the secret that another process was quicker to make.
        with suppress(FileExistsError):
            path.hardlink_to(draft)
        Path(draft).unlink()
    return path.read_bytes().strip()


TOLERANCE = timedelta(minutes=5)
_MOST_PARTS = 8


class BadSignature(ValueError):
    """The body was not signed with this key, or not lately; the message says which, as the end of a sentence."""


def sign_body(body: bytes, *keys: bytes, now: datetime) -> str:
    """The signature of a body, with one part for each key."""
    seconds = int(now.timestamp())
    return ",".join([f"t={seconds}", *(f"v1={_digest(body, key, seconds)}" for key in keys)])


def verify_body(body: bytes, signature: str, key: bytes, *, now: datetime, tolerance: timedelta = TOLERANCE) -> None:
    """Raise BadSignature unless one part fits this key and the time is within the tolerance."""
    parts = [part.strip().partition("=")[::2] for part in signature.split(",")][:_MOST_PARTS]
    moment = next((value for name, value in parts if name == "t"), "")
    if not (moment.isascii() and moment.isdecimal() and len(moment) < 12):
        raise BadSignature(gettext("doesn't match this body; check the shared key"))
    expected = _digest(body, key, int(moment)).encode()
    given = [value.encode("utf-8", "replace") for name, value in parts if name == "v1"]
    if not any(hmac.compare_digest(signature_part, expected) for signature_part in given):
        raise BadSignature(gettext("doesn't match this body; check the shared key"))
    if abs(now.timestamp() - int(moment)) > tolerance.total_seconds():
        raise BadSignature(gettext("is too old; check the clock and sign again"))


def _digest(body: bytes, key: bytes, seconds: int) -> str:
    return hmac.new(key, f"{seconds}.".encode() + body, "sha256").hexdigest()
