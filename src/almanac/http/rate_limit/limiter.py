"""A token bucket per person or address, counted in this process and settled with the others through shared buckets.

A request is counted in memory. What a process has let through is reported to PostgreSQL in the background, for all
callers in one statement, and the answer tells what the others have left. A process lets through at most one block of
a caller's requests that it has not reported; the next one waits for the report. So N processes together let through
at most the limit and N - 1 blocks, and over time exactly the limit. Without PostgreSQL each process keeps to the limit
by itself. Sign-in has its own throttle in the database.
"""

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Mapping
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from math import ceil
from typing import Protocol

from almanac.errors import AlmanacError
from almanac.kit.clock import Clock

REPORT_SECONDS = 1.0
RETRY_SECONDS = 5.0
_TIMEOUT_SECONDS = 2.0
_BLOCKS_PER_LIMIT = 20
_MAX_BUCKETS = 20_000
log = logging.getLogger(__name__)


class SharedBuckets(Protocol):
    """Where processes settle what they have let through."""

    async def deduct(self, spent: Mapping[str, int], limit: int, now: datetime) -> dict[str, float]:
        """Take out what was spent by each caller; returns what is left, negative if others had spent it already."""
        ...


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

    def __init__(self, per_minute: int, clock: Clock, shared: SharedBuckets) -> None:
        self.block = max(per_minute // _BLOCKS_PER_LIMIT, 1)
        self._limit = per_minute
        self._per_second = per_minute / 60
        self._clock = clock
        self._shared = shared
        self._buckets: OrderedDict[str, _Bucket] = OrderedDict()
        self._unreported: Counter[str] = Counter()
        self._in_report: Counter[str] = Counter()
        self._report: asyncio.Task[bool] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._is_alone = False

    async def spend(self, caller: str) -> Allowance:
        """Take one token; if there is none, the allowance says how long to wait."""
        while not self._is_alone and self._owed(caller) >= self.block and await self.report():
            pass
        bucket = self._filled(caller)
        wait = ceil((1 - bucket.tokens) / self._per_second) if bucket.tokens < 1 else 0
        if not wait:
            bucket.tokens -= 1
            self._unreported[caller] += 1
            self._plan_report(caller)
        missing = self._limit - bucket.tokens
        return Allowance(self._limit, max(int(bucket.tokens), 0), ceil(missing / self._per_second), wait)

    async def report(self) -> bool:
        """Settle with the other processes; False if that isn't possible now."""
        return await asyncio.shield(self._start_report())

    async def close(self) -> None:
        """Settle what is left, so that the process that follows this one knows of it."""
        if self._report is not None:
            await self._report
        if self._unreported:
            await self.report()
        if self._timer is not None:
            self._timer.cancel()

    def _owed(self, caller: str) -> int:
        return self._unreported[caller] + self._in_report[caller]

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

    def _plan_report(self, caller: str) -> None:
        """Report soon, and at once when a caller has used half a block, so that nobody has to wait for it."""
        if not self._is_alone and self._owed(caller) * 2 > self.block:
            self._start_report()
        else:
            self._report_later()

    def _report_later(self) -> None:
        if self._timer is None:
            delay = RETRY_SECONDS if self._is_alone else REPORT_SECONDS
            self._timer = asyncio.get_running_loop().call_later(delay, self._on_timer)

    def _on_timer(self) -> None:
        self._timer = None
        if self._unreported:
            self._start_report()

    def _start_report(self) -> asyncio.Task[bool]:
        """The report under way, or a new one. Its context is empty: it is no work of the request that began it."""
        if self._report is None or self._report.done():
            self._report = asyncio.create_task(self._send(), name="rate limits", context=Context())
        return self._report

    async def _send(self) -> bool:
        now, self._in_report, self._unreported = self._clock.now(), self._unreported, Counter()
        try:
            async with asyncio.timeout(_TIMEOUT_SECONDS):
                left = await self._shared.deduct(self._in_report, self._limit, now)
        except (AlmanacError, TimeoutError):
            if not self._is_alone:
                log.warning("rate limits are kept by each process alone until the database answers")
            self._is_alone = True
            self._unreported.update(self._in_report)
            return False
        finally:
            self._in_report = Counter()
            if self._unreported:
                self._report_later()
        self._is_alone = False
        for caller, tokens in left.items():
            if bucket := self._buckets.get(caller):
                bucket.tokens, bucket.filled_at = tokens - self._unreported[caller], now
        return True
