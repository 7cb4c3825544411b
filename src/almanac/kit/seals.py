"""Sealed names in links: whoever has the link has the right, and nobody can make one up."""

import hmac
import re
from base64 import urlsafe_b64encode

_SEAL_BYTES = 18
_PART = re.compile(r"[0-9A-Za-z-]{1,64}")


def seal(key: bytes, purpose: str, *parts: str) -> str:
    """The parts with a seal that only holds for this purpose."""
    text = ".".join(parts)
    return f"{text}.{_sign(key, purpose, text)}"


def open_seal(key: bytes, purpose: str, token: str) -> list[str] | None:
    """The parts of a sealed name; None if we didn't seal it for this purpose."""
    text, _, signature = token.rpartition(".")
    parts = text.split(".")
    if not token.isascii() or not all(_PART.fullmatch(part) for part in parts):
        return None
    return parts if hmac.compare_digest(signature, _sign(key, purpose, text)) else None


def _sign(key: bytes, purpose: str, text: str) -> str:
    digest = hmac.digest(key, f"{purpose}\0{text}".encode(), "sha256")
    return urlsafe_b64encode(digest[:_SEAL_BYTES]).decode()
