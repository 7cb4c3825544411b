"""A live stream ends once its caller would no longer be admitted, and when its process stops."""

import asyncio
from contextlib import asynccontextmanager

import httpx
import pytest

from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.errors import InputError
from almanac.jobs import JobType

PATIENCE = 20


@pytest.fixture
async def address(app, serve_app):
    async with serve_app(app) as address:
        yield address


@pytest.fixture
def news(services):
    """Makes something happen that streams tell of: a job fails, which the frame of every page counts."""

    async def fail(job) -> None:
        raise InputError("There is nothing to do.")

    task = JobType("demo.nothing", fail)
    services.jobs.registry.add(task)

    async def happen():
        await services.jobs.defer(task)
        await make_worker(services).drain()

    return happen


@asynccontextmanager
async def listening(address, path, **options):
    """The lines of a stream that is open for certain: its first event has come."""
    async with (
        httpx.AsyncClient(base_url=address, timeout=PATIENCE, **options) as client,
        client.stream("GET", path) as answer,
    ):
        assert answer.headers["content-type"].startswith("text/event-stream")
        lines = answer.aiter_lines()
        await data_of(lines)
        yield lines


async def data_of(lines):
    """The next event's first line, or None where the stream has ended."""
    async with asyncio.timeout(PATIENCE):
        async for line in lines:
            if line.startswith("data:"):
                return line
    return None


async def rest_of(lines):
    """Whatever data still comes, up to the end of the stream."""
    async with asyncio.timeout(PATIENCE):
        return [line async for line in lines if line.startswith("data:")]


async def stay_queued(job):
    """Never run here."""


async def drop_first_event(lines):
    async for line in lines:
        if not line:
            return


async def test_a_stream_tells_what_happens_while_one_is_signed_in(address, signed_in, news):
    visitor = await signed_in(Role.EDITOR)
    async with listening(address, "/live", cookies=dict(visitor.http.cookies)) as lines:
        await drop_first_event(lines)
        await news()
        assert await data_of(lines)


async def test_signing_out_ends_the_stream_in_another_tab(address, signed_in, news):
    visitor = await signed_in(Role.EDITOR)
    async with listening(address, "/live", cookies=dict(visitor.http.cookies)) as lines:
        await drop_first_event(lines)
        await visitor.post("/sign-out")
        await news()
        assert await rest_of(lines) == []


async def test_signing_out_ends_a_stream_also_when_no_count_changes(address, signed_in, services):
    task = JobType("demo.waiting", stay_queued)
    services.jobs.registry.add(task)
    visitor = await signed_in(Role.EDITOR)
    async with listening(address, "/live", cookies=dict(visitor.http.cookies)) as lines:
        await drop_first_event(lines)
        await visitor.post("/sign-out")
        await services.jobs.defer(task)
        assert await rest_of(lines) == []


async def test_a_lesser_role_ends_the_stream(address, signed_in, news, api):
    visitor = await signed_in(Role.EDITOR)
    async with listening(address, "/live", cookies=dict(visitor.http.cookies)) as lines:
        await drop_first_event(lines)
        user = await api.get(f"/api/v1/users/{visitor.user.id}")
        lesser = await api.patch(str(user.url), json={"role": "member"}, headers={"If-Match": user.headers["etag"]})
        assert lesser.status_code == 200, lesser.text
        await news()
        assert await rest_of(lines) == []


async def test_a_revoked_token_ends_the_stream(address, person, news, api):
    user = await person(Role.EDITOR)
    made = (await api.post("/api/v1/tokens", json={"name": "t", "scopes": ["read"], "owner_id": user.id})).json()
    async with listening(address, "/live", headers={"Authorization": f"Bearer {made['secret']}"}) as lines:
        await drop_first_event(lines)
        assert (await api.delete(f"/api/v1/tokens/{made['id']}")).status_code == 204
        await news()
        assert await rest_of(lines) == []


async def test_a_process_that_stops_ends_its_streams_so_that_browsers_reconnect(app, address, signed_in):
    visitor = await signed_in(Role.EDITOR)
    async with listening(address, "/live", cookies=dict(visitor.http.cookies)) as lines:
        await drop_first_event(lines)
        app.state.almanac.closing.set()
        assert await rest_of(lines) == []
