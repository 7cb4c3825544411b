"""Idempotency-Key on POSTs that create or send: a repeated request gets the first one's answer and does nothing."""

from almanac.http.idempotency.route import REPEATABLE, IdempotentRoute, seed_of

__all__ = ["REPEATABLE", "IdempotentRoute", "seed_of"]
