"""A worker killed in the middle of telling people or programs: nothing is lost, and no mail is sent twice."""

import asyncio
import json
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import pytest
from aiohttp import web

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, Principal
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.saved import AlertSettings, SavedQueryInput
from almanac.saved.jobs import RUN_ALERT
from almanac.search import SearchDocument

SECONDS = 60


async def until(fact):
    """Wait until something is so, and fail if it never is."""
    async with asyncio.timeout(SECONDS):
        while not await fact():  # noqa: ASYNC110 - what another process does is told by no event
            await asyncio.sleep(0.05)


@asynccontextmanager
async def nothing_is_queued(database):
    """Every attempt to queue a mail waits for the end of this block."""
    async with database.unit() as unit:
        await unit.execute("LOCK TABLE mail_messages IN EXCLUSIVE MODE")
        yield


@pytest.fixture
async def alert(services):
    """Somebody is to be told of one new document."""
    user = await accounts.create_user(services.accounts, CONSOLE, email="ada@example.org", name="Ada", role=Role.MEMBER)
    ada = Principal(user_id=user.id, name=user.name, email=user.email, role=user.role, via="session")
    saved = await services.saved.save(ada, SavedQueryInput(name="Rivers", query="river"))
    await services.alerts.set(ada, saved.id, AlertSettings(frequency="hourly"))
    async with services.database.unit() as unit:
        new = SearchDocument(kind="test.note", id="1", title="A river", path="/notes/1", date=datetime.now(UTC))
        await services.search.put(unit, new)
    return saved


async def test_an_alert_killed_before_its_mail_was_queued_is_told_once(services, alert, post_office, start_worker):
    database = services.database
    job = await services.jobs.defer(RUN_ALERT, {"saved_id": alert.id})

    async def stuck():
        async with database.unit() as unit:
            return await unit.value(
                "SELECT count(*) > 0 FROM pg_locks WHERE relation = 'mail_messages'::regclass AND NOT granted"
            )

    async with nothing_is_queued(database):
        worker = start_worker()
        await until(stuck)
        worker.kill()
        worker.wait()
    assert post_office.received == []
    start_worker()
    assert [view.status async for view in services.jobs.watch(job)][-1] == "succeeded"

    async def arrived():
        return bool(post_office.received)

    await until(arrived)
    assert await services.alerts.run(alert.id) == 0
    [mail] = post_office.received
    assert b"A river" in mail


async def test_a_webhook_killed_while_the_receiver_thinks_is_delivered_again(services, start_worker, loopback):
    seen, thinking = [], asyncio.Event()

    async def take(request):
        seen.append((request.headers["Almanac-Delivery"], await request.read()))
        if len(seen) == 1:
            thinking.set()
            await asyncio.Event().wait()
        return web.Response()

    async with loopback(web.post("/hook", take), handler_cancellation=True) as address:
        made = await services.webhooks.register(CONSOLE, url=f"{address}/hook", events=["approval.asked"])
        async with services.database.unit() as unit:
            await services.approvals.ask(unit, ApprovalSubject("recap", "1"), content_hash("x"), CONSOLE)
        worker = start_worker()
        await asyncio.wait_for(thinking.wait(), SECONDS)
        worker.kill()
        worker.wait()
        start_worker()

        async def delivered():
            page = await services.webhooks.deliveries(CONSOLE, made.endpoint.id)
            return page.items[0].state == "delivered"

        await until(delivered)
    assert len(seen) == 2
    assert seen[0] == seen[1]
    assert json.loads(seen[0][1])["event"] == "approval.asked"
