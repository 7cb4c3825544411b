"""Passwords: the rules for choosing one, and argon2id hashes that follow a change of cost by themselves."""

import asyncio
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cache
from importlib.resources import files
from unicodedata import category, normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from almanac.kit.messages import gettext

SHORTEST, LONGEST = 10, 200
FEWEST_DIFFERENT = 4
ADVICE = gettext("At least %(shortest)s characters; three or four unrelated words work well.", shortest=SHORTEST)
# No composed character is made of more than four, so whatever is longer than this is too long however it is composed.
_LONGEST_TYPED = 4 * LONGEST + 1
# Each hash takes 64 MB for a moment; more at once would let a burst of sign-ins exhaust a small machine.
HASHES_AT_ONCE = 2
_DIGITS = "0123456789"
_SIGNS = str.maketrans("@$", "as")
_LOOKALIKES = str.maketrans("013457", "oleast")
_REPEATED = re.compile(r"^(.+?)\1+$")
_SHORTEST_CORE = 5


class PasswordMatch(IntEnum):
    """Whether a password matches the stored hash. An outdated hash matches too and must be replaced."""

    NOT_AT_ALL = 0
    BY_AN_OUTDATED_HASH = 1
    WELL = 2


def normalize_password(password: str) -> str:
    """The password as RFC 8265 compares it: any kind of space is a plain one, and accents are one with their letters.

    The same keys give other characters on other systems, and people don't see the difference.
    """
    typed = password[:_LONGEST_TYPED]
    return normalize("NFC", "".join(" " if category(char) == "Zs" else char for char in typed))


def password_problem(password: str, *, email: str, name: str) -> str | None:
    """What is wrong with a new password, as a sentence, or None."""
    password = normalize_password(password)
    if len(password) < SHORTEST:
        return gettext(
            "Use at least %(shortest)s characters; three or four unrelated words work well.", shortest=SHORTEST
        )
    if len(password) > LONGEST:
        return gettext("Use at most %(limit)s characters.", limit=LONGEST)
    bare = _letters_and_digits(password)
    if len(set(password)) < FEWEST_DIFFERENT or _is_common(bare):
        return gettext("This password is too common; choose one that nobody else would.")
    if any(part in bare and len(part) * 2 >= len(bare) for part in _personal_parts(email, name)):
        return gettext("This password is too close to your name or e-mail address; choose another.")
    return None


def _is_common(bare: str) -> bool:
    """Whether it is a common password, decorated (`p@ssw0rd2024!`), or a few characters repeated."""
    core = _REPEATED.sub(r"\1", bare)
    forms = {bare, core, bare.strip(_DIGITS), core.strip(_DIGITS)}
    forms |= {form.translate(_LOOKALIKES).strip(_DIGITS) for form in forms}
    return len(core) <= min(_SHORTEST_CORE, len(bare) - 1) or not forms.isdisjoint(_common_passwords())


def _letters_and_digits(text: str) -> str:
    return "".join(c for c in text.casefold().translate(_SIGNS) if c.isalnum())


def _personal_parts(email: str, name: str) -> Iterable[str]:
    local, _, domain = email.partition("@")
    words = [email, local, domain.partition(".")[0], name, *name.split(), *local.replace("_", ".").split(".")]
    return (part for word in words if len(part := _letters_and_digits(word)) >= 3)


@cache
def _common_passwords() -> frozenset[str]:
    text = files("almanac.accounts").joinpath("common_passwords.txt").read_text("utf-8")
    return frozenset(text.split())


@dataclass(frozen=True)
class PasswordHashes:
    """Makes and checks hashes off the event loop."""

    hasher: PasswordHasher = field(default_factory=PasswordHasher)
    _gate: asyncio.Semaphore = field(default_factory=lambda: asyncio.Semaphore(HASHES_AT_ONCE))

    async def hash(self, password: str) -> str:
        """The text to store for a password."""
        async with self._gate:
            return await asyncio.to_thread(self.hasher.hash, _encoded(normalize_password(password)))

    async def matches(self, stored: str | None, password: str) -> PasswordMatch:
        """How the password fits. Without a stored hash the same work is done, so that timing reveals nothing."""
        async with self._gate:
            return await asyncio.to_thread(self._verify, stored, password)

    def _verify(self, stored: str | None, password: str) -> PasswordMatch:
        """A hash is outdated if it was made at another cost, or when passwords were still hashed as they were typed."""
        ready = normalize_password(password)
        forms = [ready] if ready == password or len(password) > LONGEST else [ready, password]
        against = stored or _decoy_hash(self.hasher)
        fitting = next((form for form in forms if self._fits(against, form)), None)
        if fitting is None or stored is None:
            return PasswordMatch.NOT_AT_ALL
        is_outdated = fitting != ready or self.hasher.check_needs_rehash(stored)
        return PasswordMatch.BY_AN_OUTDATED_HASH if is_outdated else PasswordMatch.WELL

    def _fits(self, stored: str, password: str) -> bool:
        try:
            return self.hasher.verify(stored, _encoded(password))
        except (VerificationError, InvalidHashError):
            return False


@cache
def _decoy_hash(hasher: PasswordHasher) -> str:
    return hasher.hash("nobody has this password")


def _encoded(password: str) -> bytes:
    """A JSON body can hold halves of surrogate pairs; they must not crash a sign-in."""
    return password.encode("utf-8", "surrogatepass")
