"""Second factors without I/O: codes of authenticator apps (RFC 6238), recovery codes, and sealing their secrets."""

import hmac
import secrets
from base64 import b32encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from urllib.parse import quote, urlencode

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

STEP_SECONDS, DIGITS, SECRET_BYTES = 30, 6, 20
# A phone's clock may be half a minute off.
_TOLERATED_STEPS = 1
RECOVERY_CODES = 10
# Without letters that look like digits.
_CODE_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH = 10
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class SecretBox:
    """Seals secrets for the database with the installation's key; each is bound to its owner."""

    key: bytes = field(repr=False)

    def seal(self, secret: bytes, owner: str) -> bytes:
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + AESGCM(self.key).encrypt(nonce, secret, owner.encode())

    def open(self, sealed: bytes, owner: str) -> bytes | None:
        """The secret; None if it was sealed with another key or for somebody else."""
        try:
            return AESGCM(self.key).decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], owner.encode())
        except InvalidTag:
            return None


def new_totp_secret() -> bytes:
    return secrets.token_bytes(SECRET_BYTES)


def totp_code(secret: bytes, step: int) -> str:
    """The code of one half minute."""
    digest = hmac.digest(secret, step.to_bytes(8, "big"), "sha1")
    offset = digest[-1] & 15
    number = int.from_bytes(digest[offset : offset + 4], "big") & 0x7FFFFFFF
    return str(number % 10**DIGITS).zfill(DIGITS)


def matching_step(secret: bytes, code: str, now: datetime, *, after: int) -> int | None:
    """The half minute whose code this is, near now and later than `after`, so that no code works twice."""
    current = int(now.timestamp()) // STEP_SECONDS
    typed = "".join(code.split())
    if not typed.isascii():
        return None
    steps = range(current - _TOLERATED_STEPS, current + _TOLERATED_STEPS + 1)
    return next((step for step in steps if step > after and hmac.compare_digest(totp_code(secret, step), typed)), None)


def spell_secret(secret: bytes) -> str:
    """The secret as a person types it into an app."""
    text = b32encode(secret).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def enrolment_uri(secret: bytes, *, account: str, issuer: str) -> str:
    """What the QR code for an authenticator app says."""
    label = quote(f"{issuer}:{account}", safe="@")
    query = {"secret": b32encode(secret).decode().rstrip("="), "issuer": issuer}
    return f"otpauth://totp/{label}?{urlencode(query, quote_via=quote)}"


def new_recovery_codes() -> list[str]:
    """Codes to be shown once; each works once."""
    return [_new_code() for _ in range(RECOVERY_CODES)]


def _new_code() -> str:
    letters = "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
    return f"{letters[: _CODE_LENGTH // 2]}-{letters[_CODE_LENGTH // 2 :]}"


def recovery_code_hash(code: str, key: bytes) -> str:
    """The form in which a recovery code is stored; spaces, hyphens and capitals don't matter."""
    letters = "".join(code.lower().replace("-", "").split())
    return hmac.digest(key, b"recovery:" + letters.encode("utf-8", "replace"), "sha256").hex()


def is_totp_code(text: str) -> bool:
    """Whether the text has the form of an app's code, so that it isn't a recovery code."""
    typed = "".join(text.split())
    return len(typed) == DIGITS and typed.isascii() and typed.isdecimal()


@dataclass(frozen=True, slots=True, kw_only=True)
class Passkey:
    """A passkey as its owner sees it."""

    id: str
    user_id: str
    name: str
    created_at: datetime
    last_used_at: datetime | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondFactorStatus:
    """What a person has set up, as their pages show it."""

    since: datetime | None
    has_app: bool
    passkeys: Sequence[Passkey]
    codes_left: int
    required: bool

    @property
    def is_on(self) -> bool:
        return self.since is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class NewApp:
    """An authenticator app to be confirmed by its first code; the secret is shown only now."""

    ceremony: str = field(repr=False)
    uri: str = field(repr=False)
    spelled: str = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondSteps:
    """What a second step can be done with; recovery codes work always."""

    code: bool
    passkey: bool
