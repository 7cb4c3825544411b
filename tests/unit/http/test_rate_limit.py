"""Rate limits: a bucket refills with time, and several processes together stay within the limit and a few blocks."""

import asyncio
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from almanac.errors import Unavailable
from almanac.http.rate_limit import limiter as rate_limit
from almanac.http.rate_limit.limiter import RateLimiter
from almanac.kit.clock import FixedClock
from almanac.kit.side_effects import announce_write_elsewhere, track_effects


class MemoryBuckets:
    """What PostgreSQL keeps, in memory; `is_down` makes it fail, and `gate` lets a test hold a report."""

    def __init__(self):
        self.buckets = {}
        self.reports = 0
        self.is_down = False
        self.gate = asyncio.Event()
        self.gate.set()
        self.reported = asyncio.Event()

    async def deduct(self, spent, limit, now):
        await self.gate.wait()
        self.reports += 1
        await announce_write_elsewhere()
        if self.is_down:
            raise Unavailable("The database doesn't answer; try again in a moment.")
        left = {}
        for caller, count in spent.items():
            tokens, filled_at = self.buckets.get(caller, (limit, now))
            elapsed = max((now - filled_at).total_seconds(), 0)
            left[caller] = min(limit, tokens + elapsed * limit / 60) - count
            self.buckets[caller] = left[caller], max(now, filled_at)
        self.reported.set()
        return left


@pytest.fixture
def shared():
    return MemoryBuckets()


@pytest.fixture
def limiter(clock, shared):
    return RateLimiter(60, clock, shared)


async def spend(limiter, count, caller="ada"):
    """How many of so many requests are let through."""
    return sum([(await limiter.spend(caller)).wait_seconds == 0 for _ in range(count)])


async def test_a_bucket_refills_with_time(limiter, clock):
    assert await spend(limiter, 61) == 60
    assert (await limiter.spend("ada")).wait_seconds == 1
    assert (await limiter.spend("grace")).wait_seconds == 0
    clock.advance(seconds=1)
    assert (await limiter.spend("ada")).remaining == 0


async def test_a_clock_that_goes_back_takes_nothing_away(limiter, clock):
    await limiter.spend("ada")
    clock.advance(minutes=-5)
    assert (await limiter.spend("ada")).remaining == 58


async def test_a_process_learns_from_its_report_what_others_have_used(clock, shared):
    first, second = (RateLimiter(60, clock, shared) for _ in range(2))
    assert await spend(first, 40) == 40
    assert await spend(second, 40) <= 20 + second.block
    assert (await second.spend("ada")).wait_seconds > 0


async def test_requests_below_half_a_block_cost_nothing_and_are_reported_together(clock, shared):
    limiter = RateLimiter(600, clock, shared)
    for number in range(100):
        await spend(limiter, 10, caller=f"user {number}")
    assert shared.reports == 0
    await limiter.close()
    assert (shared.reports, len(shared.buckets)) == (1, 100)
    assert shared.buckets["user 7"][0] == 590


async def test_a_process_that_ends_leaves_its_count_behind(limiter, clock, shared):
    await spend(limiter, 2)
    await limiter.close()
    successor = RateLimiter(60, clock, shared)
    await spend(successor, successor.block)
    await successor.report()
    assert (await successor.spend("ada")).remaining == 60 - 2 - successor.block - 1


async def test_requests_wait_once_a_block_is_not_reported(clock, shared):
    limiter = RateLimiter(600, clock, shared)
    shared.gate.clear()
    waiting = [asyncio.create_task(limiter.spend("ada")) for _ in range(600)]
    for _ in range(20):
        await asyncio.sleep(0)
    assert sum(task.done() for task in waiting) == limiter.block
    shared.gate.set()
    assert all(allowance.wait_seconds == 0 for allowance in await asyncio.gather(*waiting))


async def test_without_the_database_a_process_keeps_to_the_limit_alone_and_asks_seldom(limiter, shared, caplog):
    shared.is_down = True
    assert await spend(limiter, 100) == 60
    assert shared.reports <= 2
    assert caplog.text.count("rate limits are kept by each process alone") == 1


async def test_what_was_let_through_meanwhile_is_reported_when_the_database_is_back(limiter, shared, monkeypatch):
    shared.is_down = True
    await spend(limiter, 20)
    shared.is_down = False
    assert await limiter.report()
    assert shared.buckets["ada"][0] == 40


async def test_a_report_is_no_effect_of_the_request_that_began_it(limiter, shared):
    with track_effects() as effects:
        await spend(limiter, limiter.block + 1)
    assert shared.reports
    assert not effects.begun


async def test_a_report_follows_within_a_second_without_further_requests(limiter, shared, monkeypatch):
    monkeypatch.setattr(rate_limit, "REPORT_SECONDS", 0.01)
    await limiter.spend("ada")
    await asyncio.wait_for(shared.reported.wait(), 10)
    assert shared.buckets["ada"][0] == 59


STEPS = st.lists(
    st.tuples(st.integers(0, 2), st.sampled_from(["spend", "spend", "spend", "report", "time"]), st.integers(1, 80)),
    max_size=40,
)


@pytest.mark.parametrize("processes", [1, 2, 3])
@settings(max_examples=150, deadline=None)
@given(steps=STEPS)
def test_processes_together_never_exceed_the_limit_by_more_than_a_block_each_but_one(processes, steps):
    asyncio.run(simulate(processes, steps))


async def simulate(processes, steps):
    clock, shared = FixedClock(datetime(2026, 3, 2, tzinfo=UTC)), MemoryBuckets()
    limiters = [RateLimiter(120, clock, shared) for _ in range(processes)]
    let_through = []
    for number, act, amount in steps:
        limiter = limiters[number % processes]
        if act == "spend":
            let_through += [clock.now()] * await spend(limiter, amount)
        elif act == "report":
            await limiter.close()
        else:
            clock.advance(seconds=amount / 8)
    spare = (processes - 1) * limiters[0].block
    for start, first in enumerate(let_through):
        for end in range(start, len(let_through)):
            seconds = (let_through[end] - first).total_seconds()
            assert end - start + 1 <= 120 + spare + 2 * seconds + 1e-6
    for limiter in limiters:
        await limiter.close()
