"""One installation for all tests of a file, with a worker, and people who each keep habits of their own."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import Any

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, Principal, User
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.kit.clock import FixedClock
from almanac.kit.ids import new_id
from almanac.services import Services
from almanac.web.app import create_app

PATH = "/api/v1/habits"
TODAY = date(2026, 3, 2)
DEADLINE = 30


class MovingClock(FixedClock):
    """Stands still, and can be set to any day."""

    def at(self, day: date, hour: int = 9) -> None:
        self._now = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


@dataclass
class Keeper:
    """A person with a token who keeps habits through the API."""

    http: httpx.AsyncClient
    user: User
    services: Services
    names: list[str] = field(default_factory=list)

    @property
    def principal(self) -> Principal:
        return Principal(
            user_id=self.user.id, name=self.user.name, email=self.user.email, role=self.user.role, via="session"
        )

    async def send(self, method: str, path: str = "", json: Any = None, **headers: str) -> httpx.Response:
        return await self.http.request(method, PATH + path, json=json, headers=headers)

    async def get(self, path: str = "") -> Any:
        answer = await self.send("GET", path)
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def begin(self, name: str = "Reading", **fields: Any) -> str:
        answer = await self.send("POST", json={"name": name, **fields})
        assert answer.status_code == 201, answer.text
        return answer.json()["id"]

    async def complete(self, habit: str, day: date | int = 0, **fields: Any) -> Any:
        wanted = day if isinstance(day, date) else TODAY - timedelta(days=day)
        answer = await self.send("POST", f"/{habit}/complete", {"date": wanted.isoformat(), **fields})
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def undo(self, habit: str, day: int = 0) -> Any:
        answer = await self.send("DELETE", f"/{habit}/completions/{TODAY - timedelta(days=day)}")
        assert answer.status_code == 200, answer.text
        return answer.json()

    async def bring(self, name: str, days: int) -> str:
        """A habit that was done on the last days, at once."""
        lines = [f"{name},{TODAY - timedelta(days=number)}" for number in range(days)]
        content = "\n".join(["habit,date", *lines]).encode()
        answer = await self.http.post(f"{PATH}/import", files={"file": ("habits.csv", content)})
        assert answer.status_code == 200, answer.text
        return next(item["id"] for item in (await self.get())["items"] if item["name"] == name)

    async def eventually(self, path: str, wanted: Any) -> Any:
        """What is at a path, once the handlers have brought it to what is wanted."""
        async with asyncio.timeout(DEADLINE):
            while not wanted(result := await self.get(path)):  # noqa: ASYNC110 - what a worker does is told by no event
                await asyncio.sleep(0.02)
        return result

    async def settled(self) -> None:
        """Once the handlers have nothing more to do."""
        async with asyncio.timeout(DEADLINE):
            while await self._under_way():  # noqa: ASYNC110 - what a worker does is told by no event
                await asyncio.sleep(0.02)

    async def _under_way(self) -> bool:
        counts = {item.queue: item for item in await self.services.jobs.counts()}
        return any(counts[queue].queued or counts[queue].running for queue in ("habits", "mail") if queue in counts)


@pytest.fixture(scope="module")
def clock() -> MovingClock:
    return MovingClock(datetime(2026, 3, 2, 9, tzinfo=UTC))


@pytest.fixture(scope="module")
async def services(databases, tmp_path_factory, clock) -> AsyncIterator[Services]:
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path_factory.mktemp("habits"),
            database_url=address,
            mail_url="memory:",
            base_url="http://testserver",
            development=True,
            rate_limit_per_minute=100_000,
            max_body_mb=5,
        )
        async with open_services(settings, clock) as services:
            yield services


@pytest.fixture(scope="module")
async def worker(services) -> AsyncIterator[None]:
    """A worker that runs as long as the tests of a file."""
    task = asyncio.create_task(make_worker(services).run())
    yield
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


@pytest.fixture(scope="module")
def application(services):
    return create_app(services, DESKS)


@pytest.fixture
async def person_who_keeps(services, application):
    """People with tokens of their own, nobody's habits being another's."""
    clients: list[httpx.AsyncClient] = []

    async def enter(name: str = "Ada", *, role: Role = Role.MEMBER, email: str | None = None) -> Keeper:
        email = email or f"{new_id()}@example.org"
        user = await accounts.create_user(services.accounts, CONSOLE, email=email, name=name, role=role)
        made = await accounts.create_token(
            services.accounts, CONSOLE, name="tests", scopes=["read", "write"], owner_id=user.id, expires_at=None
        )
        transport = httpx.ASGITransport(application, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {made.secret}"}
        clients.append(httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers))
        return Keeper(clients[-1], user, services)

    yield enter
    for client in clients:
        await client.aclose()


@pytest.fixture
async def ada(person_who_keeps) -> Keeper:
    return await person_who_keeps("Ada")


@pytest.fixture
def outbox(services):
    """What was sent."""
    return services.mail_transport
