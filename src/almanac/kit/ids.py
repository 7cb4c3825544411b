"""Identifiers: time-ordered ids for rows and objects, and unguessable tokens for credentials."""

import hashlib
import hmac
import os
import secrets
import threading
import time
from uuid import UUID

_COUNTER_BITS = 12
_lock = threading.Lock()
_last = 0


def new_id() -> str:
    """A UUID of version 7: unique everywhere, and rising within one process."""
    return str(UUID(int=_uuid7_value(time.time_ns())))


def _uuid7_value(nanoseconds: int) -> int:
    """Milliseconds and twelve bits of sub-millisecond order first, so that ids made in sequence sort in sequence."""
    global _last  # noqa: PLW0603 - one counter per process keeps ids rising when the clock stands still
    milliseconds, rest = divmod(nanoseconds, 1_000_000)
    moment = (milliseconds << _COUNTER_BITS) | (rest << _COUNTER_BITS) // 1_000_000
    with _lock:
        _last = moment = max(moment, _last + 1)
    milliseconds, order = moment >> _COUNTER_BITS, moment & 0xFFF
    tail = int.from_bytes(os.urandom(8)) & ((1 << 62) - 1)
    return (milliseconds << 80) | (0x7 << 76) | (order << 64) | (0b10 << 62) | tail


def secret_token(prefix: str = "") -> str:
    """An unguessable token of 256 bits; the prefix tells a person what kind of secret they are looking at."""
    return prefix + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored in place of a token. Tokens are random, so a plain hash can't be reversed by guessing."""
    return hashlib.sha256(token.encode()).hexdigest()


def same_secret(given: str, expected: str) -> bool:
    """Compare two secrets in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), expected.encode())
