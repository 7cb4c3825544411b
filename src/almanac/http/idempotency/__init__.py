"""Idempotency-Key on POSTs that create or send: a repeated request gets the first response and does nothing.

Routes use `route`; workers, which serve no requests, only need `jobs`.
"""
