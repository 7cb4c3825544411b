"""An installation with some invented sittings published, and people who read them without scripts."""

import re
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import quote

import httpx
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.model.recap import Recap
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.sources.diet_record import parse_meeting
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.kit.clock import FixedClock
from almanac.kit.ids import new_id
from almanac.services import Services
from almanac.web.app import create_app

BASE = "http://testserver"
PUBLISHED = ("chiiki-kotsu-iinkai", "shugiin-honkaigi", "sangiin-kokkou", "sangiin-honkaigi")


@dataclass
class Sitting:
    """A published sitting and what was written about it."""

    meeting: Meeting
    recap: Recap
    record_url: str

    @property
    def path(self) -> str:
        return f"/recap/articles/{self.meeting.issue_id}"


@pytest.fixture(scope="module")
async def installation(databases, tmp_path_factory) -> AsyncIterator[Services]:
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path_factory.mktemp("data"),
            database_url=address,
            mail_url="memory:",
            base_url=BASE,
            rate_limit_per_minute=100_000,
        )
        async with open_services(settings, FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))) as services:
            yield services


@pytest.fixture(scope="module")
async def sittings(publish_record: Callable[[bytes], Awaitable[Sitting]]) -> dict[str, Sitting]:
    """By name, published in the order of their days."""
    return {sample.name: await publish_record(sample.raw) for sample in sample_meetings() if sample.name in PUBLISHED}


@pytest.fixture(scope="module")
def publish_record(installation: Services) -> Callable[[bytes], Awaitable[Sitting]]:
    """Publishes a record as a parliament gives it."""

    async def from_record(raw: bytes) -> Sitting:
        meeting = parse_meeting(raw)
        recap = await write_recap(
            meeting, writer=installation.writer, clock=installation.clock, pack_store=NoPackStore()
        )
        url = await save_record(installation, task_pk(meeting), raw)
        await publish_recap(installation, meeting, recap, record_url=url)
        return Sitting(meeting, recap, url)

    return from_record


class Browser:
    """A browser without scripts, signed in as somebody."""

    def __init__(self, http: httpx.AsyncClient) -> None:
        self.http = http

    async def open(self, path: str, *, lang: str = "en", status: int = 200) -> str:
        """The page in a language, at its last address."""
        answer = await self.http.get(quote(path, safe="/?&=%#:+,.-_"), headers={"Accept-Language": lang})
        assert answer.status_code == status, answer.text[:2000]
        self.at = str(answer.url)
        return answer.text

    async def send(self, path: str, data: dict[str, str], *, page: str = "/account") -> httpx.Response:
        """Submit a form."""
        match = re.search(r'name="csrf_token" value="([^"]*)"', (await self.http.get(page)).text)
        return await self.http.post(path, data={"csrf_token": match[1], **data})


async def enter(services: Services, role: Role) -> Browser:
    transport = httpx.ASGITransport(create_app(services, DESKS), raise_app_exceptions=False)
    http = httpx.AsyncClient(transport=transport, base_url=BASE, headers={"Accept": "text/html"}, follow_redirects=True)
    user = await accounts.create_user(
        services.accounts, CONSOLE, email=f"{role}-{new_id()}@example.org", name=f"Some {role}".title(), role=role
    )
    await http.post((await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)).path)
    return Browser(http)


@pytest.fixture(scope="module")
async def reader(installation: Services, sittings: dict[str, Sitting]) -> AsyncIterator[Browser]:
    """A citizen, who may only read."""
    browser = await enter(installation, Role.MEMBER)
    yield browser
    await browser.http.aclose()


@pytest.fixture(scope="module")
async def editor(installation: Services, sittings: dict[str, Sitting]) -> AsyncIterator[Browser]:
    browser = await enter(installation, Role.EDITOR)
    yield browser
    await browser.http.aclose()
