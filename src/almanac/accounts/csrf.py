"""CSRF tokens bound to a secret that only the browser and we know, usually the session token: pure functions."""

import hmac
import secrets

_NONCE_BYTES = 12


def issue_csrf(bound_to: str, nonce: str | None = None) -> str:
    """A token for one page. It differs each time, so that compression can't leak it."""
    nonce = nonce or secrets.token_hex(_NONCE_BYTES)
    return f"{nonce}.{_seal(bound_to, nonce)}"


def csrf_fits(bound_to: str, token: str | None) -> bool:
    """Whether the token was issued for this secret; nothing fits where there is no secret."""
    nonce, _, seal = (token or "").partition(".")
    if not bound_to or not nonce.isascii() or not seal.isascii():
        return False
    return hmac.compare_digest(_seal(bound_to, nonce), seal)


def _seal(bound_to: str, nonce: str) -> str:
    return hmac.digest(bound_to.encode(), b"csrf:" + nonce.encode(), "sha256").hex()
