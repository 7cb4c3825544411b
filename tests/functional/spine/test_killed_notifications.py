"""A worker killed while it notifies somebody: nothing is lost, and nobody reads a message twice."""

import asyncio
from dataclasses import replace

import pytest
from aiohttp import web

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, SignInClient
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.notifications import NotificationChannel, NotificationKind, NotificationSettings
from push_receiver import PushReceiver

SECONDS = 60


@pytest.fixture
async def approver(services):
    user = await accounts.create_user(
        services.accounts, CONSOLE, email="ada@example.org", name="Ada", role=Role.APPROVER
    )
    link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, user.id)
    started = await accounts.sign_in_with_link(
        services.accounts, token=link.path.rpartition("/")[2], visit=SignInClient(address="127.0.0.1")
    )
    return replace(user.as_principal("session"), session_id=started.session.id)


async def choose(services, approver, channel):
    only = NotificationSettings(choices={NotificationKind.APPROVALS: frozenset({channel})})
    await services.notifications.save_settings(approver, only, expected=0)


async def make_due(services):
    """A question, whose message is due at once."""
    async with services.database.unit() as unit:
        await services.approvals.ask(unit, ApprovalSubject("recap", "1"), content_hash("x"), CONSOLE, title="One")
    await services.notifications.sort_events()
    async with services.database.unit() as unit:
        await unit.execute("UPDATE notifications SET due_at = now() - interval '1 second'")
        await unit.execute("UPDATE procrastinate_jobs SET scheduled_at = NULL WHERE task_name = 'notifications.send'")


async def end_lease(services):
    """What happens by itself a minute and a half after the sender vanished."""
    async with services.database.unit() as unit:
        await unit.execute("UPDATE notifications SET lease_until = now() - interval '1 second' WHERE state = 'sending'")
    await services.notifications.deliver_due()


async def wait_until_sent(services, approver, state):
    async with asyncio.timeout(SECONDS):
        while [m.state for m in await services.notifications.list_sent(approver)] != [state]:  # noqa: ASYNC110 - what another process does is told by no event
            await asyncio.sleep(0.05)


async def test_a_push_message_whose_sender_died_is_repeated_and_replaces_itself(
    services, approver, start_worker, loopback
):
    receiver = PushReceiver(hangs=True)
    async with loopback(receiver.route, handler_cancellation=True) as receiver.address:
        await services.notifications.add_device(approver, receiver.subscription(), "")
        await choose(services, approver, NotificationChannel.PUSH)
        await make_due(services)
        worker = start_worker()
        await asyncio.wait_for(receiver.arrived.wait(), SECONDS)
        worker.kill()
        worker.wait()
        receiver.hangs = False
        await end_lease(services)
        await wait_until_sent(services, approver, "sent")
        await services.notifications.deliver_due()
    assert len(receiver.messages) == 2
    shown = {message["tag"]: message["title"] for message in receiver.messages}
    assert shown == {"approvals": "1 approval is waiting"}, "the browser shows one notification for each tag"
    assert {headers["Topic"] for headers in receiver.headers} == {"approvals"}


async def test_an_ntfy_message_whose_sender_died_stays_in_doubt(services, approver, start_worker, loopback):
    taken, arrived = [], asyncio.Event()

    async def take(request):
        taken.append(await request.json())
        arrived.set()
        await asyncio.Event().wait()

    async with loopback(web.post("/", take), handler_cancellation=True) as address:
        await services.notifications.set_address(approver, NotificationChannel.NTFY, f"{address}/topic")
        await choose(services, approver, NotificationChannel.NTFY)
        await make_due(services)
        worker = start_worker()
        await asyncio.wait_for(arrived.wait(), SECONDS)
        worker.kill()
        worker.wait()
        await end_lease(services)
        await end_lease(services)
    [message] = await services.notifications.list_sent(approver)
    assert (message.state, "may have arrived" in message.reason) == ("unknown", True)
    assert len(taken) == 1


async def test_a_mail_is_queued_and_sent_once_by_two_workers(services, approver, start_worker, post_office):
    await choose(services, approver, NotificationChannel.MAIL)
    await make_due(services)
    start_worker()
    start_worker()
    await asyncio.gather(*(services.notifications.deliver_due() for _ in range(3)))
    await wait_until_sent(services, approver, "sent")
    async with asyncio.timeout(SECONDS):
        while not post_office.received:  # noqa: ASYNC110 - told by no event
            await asyncio.sleep(0.05)
    [mail] = post_office.received
    assert b"Subject: 1 approval is waiting" in mail
    assert b"https://almanac.example.org/account/notifications" in mail
