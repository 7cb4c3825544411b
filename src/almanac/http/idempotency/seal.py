"""Stored answers are sealed with a key made from the caller's Idempotency-Key, of which only a hash is stored.

An answer may hold a secret that is shown once, such as a new API token; a copy of the database must not reveal it.
"""

from base64 import urlsafe_b64encode
from hashlib import sha256

from cryptography.fernet import Fernet, InvalidToken


def key_hash(key: str) -> str:
    """What is stored in place of a key."""
    return sha256(b"stored:" + key.encode()).hexdigest()


def seal(key: str, body: bytes) -> bytes:
    """Make a body readable only to who sends the key again."""
    return _box(key).encrypt(body)


def unseal(key: str, sealed: bytes) -> bytes | None:
    """The body, or None where it was sealed with another key."""
    try:
        return _box(key).decrypt(sealed)
    except InvalidToken:
        return None


def _box(key: str) -> Fernet:
    return Fernet(urlsafe_b64encode(sha256(b"sealed:" + key.encode()).digest()))
