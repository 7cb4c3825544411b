"""A token bucket per person or address. Buckets are in the memory of one process, so N processes together allow N times
as much; sign-in has its own throttle in the database.
"""

from collections import OrderedDict
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from almanac.kit.clock import Clock

_MAX_BUCKETS = 20_000


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: datetime


@dataclass(frozen=True, slots=True)
class Allowance:
    """What remains of a caller's budget, for the RateLimit headers; with `wait_seconds` the request is rejected."""

    limit: int
    remaining: int
    reset_seconds: int
    wait_seconds: int = 0

    def headers(self) -> dict[str, str]:
        return {
            "RateLimit-Limit": str(self.limit),
            "RateLimit-Remaining": str(self.remaining),
            "RateLimit-Reset": str(self.reset_seconds),
        }


class RateLimiter:
    """Buckets by caller; those idle longest are dropped first."""

    def __init__(self, per_minute: int, clock: Clock) -> None:
        self._limit = per_minute
        self._per_second = per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()

    def spend(self, caller: str) -> Allowance:
        """Take one token; if there is none, the allowance says how long to wait."""
        bucket = self._filled(caller)
        wait = ceil((1 - bucket.tokens) / self._per_second) if bucket.tokens < 1 else 0
        if not wait:
            bucket.tokens -= 1
        missing = self._limit - bucket.tokens
        return Allowance(self._limit, int(bucket.tokens), ceil(missing / self._per_second), wait)

    def _filled(self, caller: str) -> _Bucket:
        now = self._clock.now()
        bucket = self._buckets.setdefault(caller, _Bucket(self._limit, now))
        self._buckets.move_to_end(caller)
        if len(self._buckets) > _MAX_BUCKETS:
            self._buckets.popitem(last=False)
        elapsed = max((now - bucket.filled_at).total_seconds(), 0)
        bucket.tokens = min(self._limit, bucket.tokens + elapsed * self._per_second)
        bucket.filled_at = now
        return bucket
