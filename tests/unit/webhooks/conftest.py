"""Webhooks on a real database before a real receiver on loopback, which answers as a test decides."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field

import pytest
from aiohttp import web

from almanac.accounts.model import CONSOLE
from almanac.fetch.guard import FetchGuard
from almanac.fetch.http import HttpFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.fake import FakeJobs
from almanac.kit.clock import FixedClock
from almanac.relational import Database
from almanac.webhooks import EventRegistry, EventType, Webhooks
from almanac.webhooks.jobs import DELIVER, PRUNE

Loopback = Callable[..., AbstractAsyncContextManager[str]]
EVENTS = (EventType("newsletter.exported", "An issue was exported."), EventType("news.added", "A link was added."))


@dataclass
class Receiver:
    """A program that listens; `answers` are used up in order, then it answers 204."""

    url: str = ""
    answers: list[web.Response] = field(default_factory=list)
    seen: list[tuple[dict[str, str], bytes]] = field(default_factory=list)

    async def take(self, request: web.Request) -> web.Response:
        self.seen.append((dict(request.headers), await request.read()))
        return self.answers.pop(0) if self.answers else web.Response(status=204)

    def answer(self, *statuses: int, **headers: str) -> None:
        self.answers += [web.Response(status=status, headers=headers) for status in statuses]


@dataclass
class Hooks:
    """Webhooks, their jobs, and somebody who may manage them."""

    webhooks: Webhooks
    jobs: FakeJobs
    database: Database
    clock: FixedClock
    receiver: Receiver

    async def register(self, *events: str, url: str = ""):
        return await self.webhooks.register(
            CONSOLE, url=url or self.receiver.url, events=list(events or ["news.added"])
        )

    async def publish(self, event: str = "news.added", **payload: object) -> str | None:
        async with self.database.unit() as unit:
            return await self.webhooks.publish(unit, event, payload)

    async def latest(self, endpoint_id: str):
        """The newest delivery with its attempts."""
        page = await self.webhooks.deliveries(CONSOLE, endpoint_id, limit=1)
        return await self.webhooks.delivery(CONSOLE, page.items[0].id)


@pytest.fixture
async def receiver(loopback: Loopback) -> AsyncIterator[Receiver]:
    receiver = Receiver()
    async with loopback(web.post("/hook", receiver.take)) as address:
        receiver.url = f"{address}/hook"
        yield receiver


@pytest.fixture
def hooks(database: Database, clock: FixedClock, receiver: Receiver) -> Hooks:
    @dataclass
    class Held:
        webhooks: Webhooks | None = None

    held = Held()
    jobs = FakeJobs(JobRegistry([DELIVER], [PRUNE]), clock, held, database)
    held.webhooks = Webhooks(
        database,
        clock,
        jobs=jobs,
        fetcher=HttpFetcher(FetchGuard.from_settings("127.0.0.0/8", "80,443"), clock=clock),
        events=EventRegistry(EVENTS),
        key=b"a key of the tests",
    )
    return Hooks(held.webhooks, jobs, database, clock, receiver)
