"""Identifiers: time-ordered ids for rows and objects, the same ones for a repeated request, and unguessable tokens."""

import hashlib
import hmac
import os
import secrets
import threading
import time
from dataclasses import dataclass
from datetime import datetime
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


@dataclass(frozen=True, slots=True)
class Seed:
    """What all tries of one request have in common, so that ids made of it are the same.

    `at` is when it came first. If it `is_repeated`, an earlier try may have done a part of the work.
    """

    text: str
    at: datetime
    is_repeated: bool = False

    def id(self, purpose: str) -> str:
        """An id like those of `new_id`, of the moment when the request came first."""
        tail = int.from_bytes(self._bytes(purpose)[:10]) & ((1 << 74) - 1)
        order, rest = tail >> 62, tail & ((1 << 62) - 1)
        milliseconds = int(self.at.timestamp() * 1000)
        return str(UUID(int=(milliseconds << 80) | (0x7 << 76) | (order << 64) | (0b10 << 62) | rest))

    def letters(self, purpose: str, alphabet: str, count: int) -> str:
        """So many letters of an alphabet."""
        return "".join(alphabet[value % len(alphabet)] for value in self._bytes(purpose)[:count])

    def _bytes(self, purpose: str) -> bytes:
        return hashlib.sha256(f"{purpose}\n{self.text}".encode()).digest()


def secret_token(prefix: str = "") -> str:
    """An unguessable token of 256 bits; the prefix tells a person what kind of secret they are looking at."""
    return prefix + secrets.token_urlsafe(32)


def token_hash(token: str) -> str:
    """What is stored in place of a token. Tokens are random, so a plain hash can't be reversed by guessing."""
    return hashlib.sha256(token.encode()).hexdigest()


def same_secret(given: str, expected: str) -> bool:
    """Compare two secrets in a time that does not depend on where they differ."""
    return hmac.compare_digest(given.encode(), expected.encode())
