"""What all web routes share: identity, guards, rendering, problems, idempotency, ETags, rate limits and live streams.

Pages and API routes themselves belong to the desks and to `almanac.web`.
"""
