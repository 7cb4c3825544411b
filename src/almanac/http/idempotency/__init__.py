"""Idempotency-Key on POSTs that create or send: a repeated request gets the first one's answer and does nothing.

Routes take it from `route`; a worker, which answers no request, has only the tasks.
"""
