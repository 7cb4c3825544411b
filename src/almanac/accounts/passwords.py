"""Passwords: the rules for choosing one, and argon2id hashes that follow a change of cost by themselves."""

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

SHORTEST, LONGEST = 10, 200
# Each hash takes 64 MB for a moment; more at once would let a burst of sign-ins exhaust a small machine.
HASHES_AT_ONCE = 2


def password_problem(password: str, *, email: str, name: str) -> str | None:
    """What is wrong with a new password, as a sentence, or None."""
    if len(password) < SHORTEST:
        return f"Use at least {SHORTEST} characters; three or four unrelated words work well."
    if len(password) > LONGEST:
        return f"Use at most {LONGEST} characters."
    bare = _letters_and_digits(password)
    if len(set(password)) < 4 or bare in _common_passwords() or _trimmed(bare) in _common_passwords():
        return "This password is too common; choose one that nobody else would."
    if any(part in bare and len(part) * 2 >= len(bare) for part in _personal_parts(email, name)):
        return "This password is too close to your name or e-mail address; choose another."
    return None


def _letters_and_digits(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalnum())


def _trimmed(bare: str) -> str:
    """`password123` is `password` with decoration."""
    return bare.strip("0123456789")


def _personal_parts(email: str, name: str) -> Iterable[str]:
    local, _, domain = email.partition("@")
    words = [email, local, domain.partition(".")[0], name, *name.split(), *local.replace("_", ".").split(".")]
    return (part for word in words if len(part := _letters_and_digits(word)) >= 3)


@cache
def _common_passwords() -> frozenset[str]:
    text = files("almanac.accounts").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(line for line in text.split() if line)


@dataclass(frozen=True)
class Passwords:
    """Makes and checks hashes off the event loop."""

    hasher: PasswordHasher = field(default_factory=PasswordHasher)
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HASHES_AT_ONCE))

    async def hash(self, password: str) -> str:
        """The text to store for a password."""
        async with self._gate:
            return await asyncio.to_thread(self.hasher.hash, password)

    async def matches(self, stored: str | None, password: str) -> bool:
        """Whether the password fits. Without a stored hash the same work is done, so that time tells nothing."""
        async with self._gate:
            return await asyncio.to_thread(self._verify, stored, password)

    def is_outdated(self, stored: str) -> bool:
        """Whether the hash was made at another cost than is used now."""
        return self.hasher.check_needs_rehash(stored)

    def _verify(self, stored: str | None, password: str) -> bool:
        try:
            self.hasher.verify(stored or self._decoy, password)
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None

    @property
    def _decoy(self) -> str:
        return _decoy_hash(self.hasher)


@cache
def _decoy_hash(hasher: PasswordHasher) -> str:
    return hasher.hash("nobody has this password")
