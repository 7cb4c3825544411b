"""An installation with something public, a stranger without an account, and somebody signed in."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import UTC, datetime

import httpx
import pytest
from fastapi import FastAPI

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.desks.recap.demo.sample_meetings import sample_meetings
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.meeting import Meeting
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
EVERYTHING = "recap,newsletter,feeds,status"
Stranger = Callable[..., httpx.AsyncClient]


@pytest.fixture(scope="module")
async def installation(databases, tmp_path_factory) -> AsyncIterator[Services]:
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path_factory.mktemp("data"),
            database_url=address,
            mail_url="memory:",
            base_url=BASE,
            organisation="Open Records",
            public=EVERYTHING,
            rate_limit_per_minute=100_000,
            public_rate_limit_per_minute=100_000,
        )
        async with open_services(settings, FixedClock(datetime(2026, 6, 1, 9, tzinfo=UTC))) as services:
            yield services


@pytest.fixture(scope="module")
async def meetings(installation: Services) -> list[Meeting]:
    """Two published sittings, the older one first."""
    published = []
    for sample in [sample for sample in sample_meetings() if sample.name in ("shugiin-honkaigi", "sangiin-honkaigi")]:
        meeting = parse_meeting(sample.raw)
        recap = await write_recap(
            meeting, writer=installation.writer, clock=installation.clock, pack_store=NoPackStore()
        )
        url = await save_record(installation, task_pk(meeting), sample.raw)
        await publish_recap(installation, meeting, recap, record_url=url)
        published.append(meeting)
    return published


@pytest.fixture(scope="module")
def application(installation: Services, meetings: list[Meeting]) -> FastAPI:
    return create_app(installation, DESKS)


@pytest.fixture(scope="module")
async def browse(application: FastAPI) -> AsyncIterator[Stranger]:
    """Makes clients without a network; they keep cookies and follow no redirect."""
    async with AsyncExitStack() as stack:

        def client(**options: object) -> httpx.AsyncClient:
            transport = httpx.ASGITransport(application, raise_app_exceptions=False)
            made = httpx.AsyncClient(transport=transport, base_url=BASE, **options)
            stack.push_async_callback(made.aclose)
            return made

        yield client


@pytest.fixture(scope="module")
def stranger(browse: Stranger) -> httpx.AsyncClient:
    """Somebody without an account."""
    return browse(headers={"Accept": "text/html"})


@pytest.fixture(scope="module")
def signed_in(installation: Services, browse: Stranger) -> Callable[[Role], Awaitable[httpx.AsyncClient]]:
    """Somebody with a session in the same browser."""

    async def enter(role: Role) -> httpx.AsyncClient:
        browser = browse(headers={"Accept": "text/html"})
        user = await accounts.create_user(
            installation.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Confidential Person", role=role
        )
        link = await accounts.issue_sign_in_link(installation.accounts, CONSOLE, user.id)
        await browser.post(link.path)
        return browser

    return enter
