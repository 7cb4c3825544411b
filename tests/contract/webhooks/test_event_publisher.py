"""What every EventPublisher promises: an event counts once it is committed, has a name that is known, and is small."""

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from decimal import Decimal

import pytest

from almanac.accounts.model import CONSOLE
from almanac.errors import TooLarge
from almanac.fetch.fake import FakeFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.fake import FakeJobs
from almanac.webhooks import EventPublisher, EventRegistry, EventType, Webhooks
from almanac.webhooks.jobs import DELIVER
from almanac.webhooks.memory import MemoryPublisher

EVENTS = EventRegistry([EventType("news.added", "A link was added.")])


@dataclass
class Bench:
    """A publisher, and the events that became known through it."""

    publisher: EventPublisher
    known: Callable[[], Awaitable[list[str]]]


@pytest.fixture(params=["webhooks", "memory"])
async def bench(request, database, clock) -> Bench:
    if request.param == "memory":
        memory = MemoryPublisher(EVENTS, clock)

        async def told() -> list[str]:
            return [event.id for event in memory.published]

        return Bench(memory, told)
    jobs = FakeJobs(JobRegistry([DELIVER]), clock, None, database)
    webhooks = Webhooks(database, clock, jobs=jobs, fetcher=FakeFetcher(), events=EVENTS, key=b"key")
    made = await webhooks.register(CONSOLE, url="https://example.org/hook", events=["news.added"])

    async def delivered() -> list[str]:
        page = await webhooks.deliveries(CONSOLE, made.endpoint.id)
        return [delivery.event_id for delivery in page.items][::-1]

    return Bench(webhooks, delivered)


async def test_a_committed_event_is_known_under_its_id(bench, database):
    payload = {"link": "https://example.org", "at": datetime(2026, 1, 1, tzinfo=UTC), "price": Decimal("1.50")}
    async with database.unit() as unit:
        first = await bench.publisher.publish(unit, "news.added", payload)
        second = await bench.publisher.publish(unit, "news.added", {})
    assert await bench.known() == [first, second]


async def test_an_event_that_was_rolled_back_never_happened(bench, database):
    with suppress(ConnectionError):
        async with database.unit() as unit:
            await bench.publisher.publish(unit, "news.added", {})
            raise ConnectionError
    assert await bench.known() == []


async def test_an_unknown_event_is_a_mistake_of_the_program(bench, database):
    async with database.unit() as unit:
        with pytest.raises(ValueError, match="not registered"):
            await bench.publisher.publish(unit, "news.invented", {})
    assert "news.added" in bench.publisher.events


async def test_an_event_names_large_things_and_does_not_hold_them(bench, database):
    async with database.unit() as unit:
        with pytest.raises(TooLarge, match="send an id instead"):
            await bench.publisher.publish(unit, "news.added", {"text": "x" * 300_000})
