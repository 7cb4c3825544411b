"""While PostgreSQL is down nobody waits: pages and programs are told within seconds, and then all goes on."""

import asyncio
import shutil
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from almanac.accounts.permissions import Role
from almanac.jobs import JobType
from almanac.relational import EmbeddedPostgres

pytestmark = pytest.mark.lengthy

SECONDS = 3.0
PATIENCE = 30
OPTIONS = {"fsync": "off", "synchronous_commit": "off"}


@pytest.fixture
async def server():
    """A PostgreSQL of its own, to stop and start."""
    folder = Path(tempfile.mkdtemp(prefix="almanac-down-"))
    server = EmbeddedPostgres(folder, options=OPTIONS)
    await server.start()
    yield server
    await server.stop()
    await asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True)


@pytest.fixture
def settings(settings, server):
    return replace(settings, database_url=server.url())


async def quickly(request):
    """The answer, which must come within seconds."""
    begun = time.monotonic()
    answer = await request
    assert time.monotonic() - begun < SECONDS, answer.status_code
    return answer


@asynccontextmanager
async def listening(address, path, cookies):
    """The lines of a stream that is open for certain."""
    async with (
        httpx.AsyncClient(base_url=address, timeout=PATIENCE, cookies=cookies) as client,
        client.stream("GET", path) as answer,
    ):
        lines = answer.aiter_lines()
        await next_event(lines)
        yield lines


async def next_event(lines):
    async with asyncio.timeout(PATIENCE):
        async for line in lines:
            if line.startswith("data:"):
                return line
    return None


async def until_well(admin):
    async with asyncio.timeout(PATIENCE):
        while True:
            if (await admin.get("/jobs")).status_code == 200:
                return
            await asyncio.sleep(0.1)


async def nothing(job):
    """Never run here."""


async def test_people_and_programs_are_told_at_once_and_all_recovers(server, services, app, api, signed_in, serve_app):
    admin = await signed_in(Role.ADMIN)
    task = JobType("demo.nothing", nothing)
    services.jobs.registry.add(task)
    async with serve_app(app) as address, listening(address, "/live", dict(admin.http.cookies)) as lines:
        await server.stop()
        for path in ("/", "/jobs", "/news", "/habits", "/reminders", "/newsletter", "/live"):
            page = await quickly(admin.get(path))
            assert page.status_code == 503
            assert page.headers["retry-after"] == "5"
            assert "The database doesn&#39;t answer" in page.text
            assert "Try again" in page.text
        problem = await quickly(api.get("/api/v1/users"))
        assert problem.status_code == 503
        assert problem.headers["content-type"] == "application/problem+json"
        assert problem.headers["retry-after"] == "5"
        posted = await quickly(api.post("/api/v1/users", json={}, headers={"Idempotency-Key": "one"}))
        assert posted.status_code == 503
        ready = await quickly(admin.get("/readyz"))
        assert (ready.status_code, ready.json()["checks"]["objects"]) == (503, "ok")
        assert (await quickly(admin.get("/healthz"))).status_code == 200

        await server.start()
        await until_well(admin)
        assert (await quickly(admin.get("/readyz"))).status_code == 200
        await services.jobs.defer(task)
        assert await next_event(lines) is not None
