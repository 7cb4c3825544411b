"""The product in this process on a real port, so that what a request causes can be counted; no worker unless asked."""

import asyncio
import random
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import uvicorn
from counting import Meter, Work
from people import PATIENCE_SECONDS, Person, survey
from people import join as join_product

from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.kit.clock import Clock
from almanac.services import Services
from almanac.web.app import create_app

TOKEN = "load-" + "y" * 32


class QuietServer(uvicorn.Server):
    """A server that leaves the signals to whoever runs it."""

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


@asynccontextmanager
async def opened(folder: Path, database_url: str | None, clock: Clock) -> AsyncIterator[Services]:
    """An installation for measuring in: mail stays in memory, and no site rests, since its clock may stand."""
    settings = Settings(
        data=folder,
        database_url=database_url,
        mail_url="memory:",
        admin_token=TOKEN,
        port=0,
        demo=False,
        rate_limit_per_minute=1_000_000,
        public="recap",
        public_rate_limit_per_minute=1_000_000,
        log_level="error",
        recap_daily=False,
        news_delay_ms=0,
    )
    async with open_services(settings, clock) as services:
        yield services


@asynccontextmanager
async def serving(services: Services) -> AsyncIterator[str]:
    """The address at which it answers."""
    # On a busy machine a client may be away for longer than the five seconds that a server keeps its connection.
    app = create_app(services, DESKS)
    server = QuietServer(uvicorn.Config(app, log_config=None, access_log=False, timeout_keep_alive=PATIENCE_SECONDS))
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        task = asyncio.create_task(server.serve(sockets=[listener]))
        try:
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.should_exit = True
            await task


@dataclass(kw_only=True)
class CountedPerson(Person):
    """Somebody whose every request is counted, with what the worker does because of it."""

    services: Services
    meter: Meter
    asked: dict[str, Work] = field(default_factory=dict)
    followed: dict[str, Work] = field(default_factory=dict)

    async def first_event(self, _action: str, _path: str) -> None:
        """Nothing: what a stream goes on doing after its first event would be counted as the next request's."""

    async def _ask(self, action: str, *arguments: object) -> object:
        with self.meter.watch() as work:
            answer = await super()._ask(action, *arguments)
        self.asked[action] = work
        with self.meter.watch() as background:
            await make_worker(self.services).drain()
        self.followed[action] = background
        return answer


@asynccontextmanager
async def counted_person(
    services: Services, meter: Meter, url: str, *, name: str = "measured"
) -> AsyncIterator[CountedPerson]:
    async with aiohttp.ClientSession(url, cookie_jar=aiohttp.CookieJar(unsafe=True)) as http:
        world = await survey(http, TOKEN, None)
        person = CountedPerson(
            name=name,
            http=http,
            world=world,
            chance=random.Random(1),
            today=services.clock.now().date(),
            services=services,
            meter=meter,
        )
        await join_product(person, TOKEN)
        yield person
