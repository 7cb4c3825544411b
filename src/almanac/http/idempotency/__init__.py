"""Idempotency-Key on POSTs that create or send: a repeated request gets the first one's answer and does nothing."""

from almanac.http.idempotency.route import IdempotentRoute
from almanac.http.idempotency.store import forget_old_keys

__all__ = ["IdempotentRoute", "forget_old_keys"]
