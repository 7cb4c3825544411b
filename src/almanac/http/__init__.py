"""What every web surface shares: who is asking, guards, rendering, problems, idempotency, edits, limits and events.

Pages and routes themselves belong to the desks and to `almanac.web`.
"""
