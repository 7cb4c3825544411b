"""Idempotency-Key on POSTs that create or send: a repeated request gets the first one's answer and does nothing."""

from almanac.http.idempotency.route import IdempotentRoute

__all__ = ["IdempotentRoute"]
