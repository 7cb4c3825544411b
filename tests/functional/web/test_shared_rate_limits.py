"""Rate limits hold over several web processes that share a PostgreSQL."""

import asyncio
from dataclasses import replace
from itertools import chain

import httpx
import pytest

from almanac.desks import DESKS
from almanac.http.rate_limit.jobs import IDLE
from almanac.http.rate_limit.limiter import RateLimiter
from almanac.http.rate_limit.store import StoredBuckets, delete_full_buckets
from almanac.kit.clock import SystemClock
from almanac.relational import Database
from almanac.web.app import create_app

LIMIT = 200


@pytest.fixture
def settings(settings):
    return replace(settings, rate_limit_per_minute=LIMIT)


@pytest.fixture
async def two_webs(services, settings):
    """Two applications on the same services, as two processes are."""
    apps = [create_app(services, DESKS) for _ in range(2)]
    transports = [httpx.ASGITransport(app) for app in apps]
    yield [httpx.AsyncClient(transport=transport, base_url="http://testserver") for transport in transports]
    for app in apps:
        await app.state.almanac.limiter.close()


async def test_two_webs_together_allow_the_limit_and_at_most_one_block_more(two_webs):
    async def statuses(client):
        return [(await client.get("/sign-in")).status_code for _ in range(LIMIT)]

    answers = list(chain.from_iterable(await asyncio.gather(*map(statuses, two_webs))))
    assert LIMIT <= answers.count(200) <= LIMIT + LIMIT // 20
    assert set(answers) == {200, 429}


async def test_a_flood_on_one_web_is_refused_by_the_other(two_webs):
    first, second = two_webs
    assert [(await first.get("/sign-in")).status_code for _ in range(LIMIT + 1)][-1] == 429
    allowed = [(await second.get("/sign-in")).status_code for _ in range(LIMIT)].count(200)
    assert allowed <= LIMIT // 20


async def test_what_is_left_is_counted_for_everybody_in_one_statement(database, clock):
    buckets = StoredBuckets(database)
    assert await buckets.deduct({"ada": 10, "grace": 70}, 60, clock.now()) == {"ada": 50, "grace": -10}
    later = clock.advance(seconds=5)
    assert await buckets.deduct({"grace": 1, "ada": 1}, 60, later) == {"ada": 54, "grace": -6}
    assert await buckets.deduct({"ada": 0}, 60, clock.advance(seconds=-60)) == {"ada": 54}
    assert await buckets.deduct({"ada": 0}, 60, clock.advance(hours=1)) == {"ada": 60}


async def test_reports_of_many_processes_at_once_do_not_block_each_other(database_url, clock):
    async with Database(database_url, max_connections=6) as database:
        buckets = StoredBuckets(database)
        names = [f"user {number}" for number in range(50)]
        orders = [names if turn % 2 else names[::-1] for turn in range(20)]
        await asyncio.gather(*(buckets.deduct(dict.fromkeys(order, 1), 600, clock.now()) for order in orders))
        assert set((await buckets.deduct(dict.fromkeys(names, 0), 600, clock.now())).values()) == {580}


async def test_a_database_that_does_not_answer_keeps_nobody_waiting(database_url):
    """A closed pool fails at once, as a refused connection does."""
    database = Database(database_url)
    limiter = RateLimiter(60, SystemClock(), StoredBuckets(database))
    async with asyncio.timeout(5):
        allowed = sum([(await limiter.spend("ada")).wait_seconds == 0 for _ in range(70)])
    assert 60 <= allowed <= 61
    await limiter.close()


async def test_buckets_of_callers_who_stay_away_are_deleted(database, clock):
    buckets = StoredBuckets(database)
    await buckets.deduct({"ada": 5}, 60, clock.now())
    await buckets.deduct({"grace": 5}, 60, clock.advance(minutes=30))
    async with database.unit() as unit:
        await delete_full_buckets(unit, clock.now() - IDLE)
    async with database.reading() as reading:
        assert await reading.all("SELECT caller FROM rate_limit_buckets") == [{"caller": "grace"}]
