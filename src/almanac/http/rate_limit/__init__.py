"""Rate limits: a token bucket per person or address, shared by all web processes.

Requests go through `limiter`; workers, which serve no requests, only need `jobs`.
"""
