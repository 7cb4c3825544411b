"""Push messages reach a browser, encrypted, once, together, and only while they concern whoever gets them."""

from datetime import time

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import make_worker
from almanac.errors import AlmanacError, FieldErrors
from almanac.jobs import JobType
from almanac.notifications import NotificationChannel, NotificationKind, NotificationSettings
from almanac.notifications.push_encryption import PushSubscription

HASH = content_hash("the March issue")


@pytest.fixture
async def editor(person):
    return await person(Role.EDITOR)


@pytest.fixture
async def approver(services, person, push):
    """An approver with a browser that takes push messages."""
    approver = await person(Role.APPROVER)
    await services.notifications.add_device(approver, push.subscription(), "Mozilla/5.0 Firefox/130.0")
    return approver


async def ask(services, editor, number=1, title="A secret title"):
    async with services.database.unit() as unit:
        subject = ApprovalSubject("newsletter.draft", f"d{number}")
        return await services.approvals.ask(unit, subject, HASH, editor, title=title, link=f"/newsletter/d{number}")


async def states(services, who):
    return [message.state for message in await services.notifications.list_sent(who)]


async def test_forty_questions_are_one_message_without_titles(services, editor, approver, push, deliver):
    for number in range(40):
        await ask(services, editor, number)
    await deliver()
    [message] = push.messages
    assert message["title"] == "40 approvals are waiting"
    assert message["waiting"] == 40
    assert "secret" not in str(message)
    assert push.headers[0]["Topic"] == "approvals"
    assert int(push.headers[0]["TTL"]) > 0
    await deliver()
    assert len(push.messages) == 1


async def test_a_later_message_replaces_the_earlier_one_with_the_number_of_all(
    services, editor, approver, push, deliver
):
    await ask(services, editor, 1)
    await deliver()
    await ask(services, editor, 2)
    await deliver()
    assert len(push.messages) == 1, "ten minutes lie between two messages of a kind"
    await deliver(minutes=10)
    assert [message["title"] for message in push.messages] == ["1 approval is waiting", "2 approvals are waiting"]
    assert {message["tag"] for message in push.messages} == {"approvals"}
    assert push.messages[0]["path"] == "/newsletter/d1"


async def test_what_is_decided_before_the_message_leaves_is_not_told(services, editor, approver, push, deliver):
    await ask(services, editor)
    await services.notifications.sort_events()
    async with services.database.unit() as unit:
        await services.approvals.approve(unit, ApprovalSubject("newsletter.draft", "d1"), HASH, approver)
    await deliver()
    assert push.messages == []
    assert await states(services, approver) == ["dropped"]


async def test_rights_count_at_the_moment_of_sending(services, editor, approver, push, deliver):
    await ask(services, editor)
    await services.notifications.sort_events()
    user = await accounts.get_user(services.accounts, CONSOLE, approver.user_id)
    await accounts.change_role(services.accounts, CONSOLE, user.id, Role.MEMBER)
    await deliver()
    assert push.messages == []


async def test_nobody_hears_of_their_own_question(services, person, push, deliver):
    admin = await person(Role.ADMIN)
    await services.notifications.add_device(admin, push.subscription(), "")
    await ask(services, admin)
    await deliver()
    assert push.messages == []


async def test_titles_are_shown_to_who_wants_them_and_in_their_language(services, editor, person, push, deliver):
    approver = await person(Role.APPROVER, language="de")
    await services.notifications.add_device(approver, push.subscription(), "")
    await services.notifications.save_settings(approver, NotificationSettings(titles=True), expected=0)
    await ask(services, editor)
    await deliver()
    [message] = push.messages
    assert message["body"] == "A secret title"
    assert message["language"] == "de"


async def test_quiet_hours_put_a_message_off_in_the_persons_zone(services, editor, person, push, deliver, clock):
    approver = await person(Role.APPROVER, time_zone="Asia/Kuala_Lumpur")
    await services.notifications.add_device(approver, push.subscription(), "")
    local = clock.now().hour + 8
    quiet = NotificationSettings(quiet_from=time((local - 1) % 24), quiet_to=time((local + 2) % 24))
    await services.notifications.save_settings(approver, quiet, expected=0)
    await ask(services, editor)
    await deliver(minutes=30)
    assert push.messages == []
    await deliver(hours=2)
    assert len(push.messages) == 1


async def test_a_channel_that_is_switched_off_is_silent(services, editor, approver, push, deliver):
    nothing = NotificationSettings(choices={NotificationKind.APPROVALS: frozenset()})
    await services.notifications.save_settings(approver, nothing, expected=0)
    await ask(services, editor)
    await deliver()
    assert push.messages == []


@pytest.mark.parametrize("status", [404, 410])
async def test_a_browser_that_is_gone_is_forgotten(services, editor, approver, push, deliver, status):
    push.status = status
    await ask(services, editor)
    await deliver()
    assert (await services.notifications.get_profile(approver)).devices == ()
    assert await states(services, approver) == ["failed"]


async def test_a_service_that_is_down_is_asked_again_and_gets_the_message_once(
    services, editor, approver, push, deliver
):
    push.status = 503
    await ask(services, editor)
    await deliver()
    assert await states(services, approver) == ["waiting"]
    [device] = (await services.notifications.get_profile(approver)).devices
    assert "503" in device.failing_why
    push.status = 201
    await deliver(minutes=5)
    await deliver(hours=2)
    assert len(push.messages) == 2
    assert await states(services, approver) == ["sent"]


async def test_a_device_lives_as_long_as_its_sign_in(services, approver):
    await accounts.end_session(services.accounts, approver, approver.session_id)
    assert (await services.notifications.get_profile(approver)).devices == ()


async def test_a_browser_that_somebody_else_uses_now_is_theirs(services, person, approver, push):
    other = await person(Role.APPROVER)
    await services.notifications.add_device(other, push.subscription(), "")
    assert (await services.notifications.get_profile(approver)).devices == ()
    assert len((await services.notifications.get_profile(other)).devices) == 1


@pytest.mark.parametrize("endpoint", ["http://10.0.0.1/push", "http://169.254.169.254/latest", "file:///etc/passwd"])
async def test_a_push_address_must_lead_to_the_open_web(services, approver, push, endpoint):
    subscription = push.subscription()
    inside = PushSubscription(endpoint=endpoint, p256dh=subscription.p256dh, auth=subscription.auth)
    with pytest.raises(FieldErrors):
        await services.notifications.add_device(approver, inside, "")


async def test_a_test_message_says_how_it_went(services, approver, push):
    [outcome] = await services.notifications.send_test(approver, NotificationChannel.PUSH)
    assert outcome.sent
    assert push.messages[0]["title"] == "Notifications work"
    push.status = 413
    [outcome] = await services.notifications.send_test(approver, NotificationChannel.PUSH)
    assert (outcome.sent, "413" in outcome.reason) == (False, True)


async def test_failed_work_is_told_to_who_repairs_it_until_it_is_tried_again(services, person, push, deliver):
    async def fail(_job):
        raise AlmanacError("No.")

    admin = await person(Role.ADMIN)
    await services.notifications.add_device(admin, push.subscription(), "")
    member = await person(Role.MEMBER)
    task = JobType("demo.fail", fail, title="Read a feed")
    services.jobs.registry.add(task)
    await run_now(services, task)
    await deliver()
    [message] = push.messages
    assert (message["title"], message["body"], message["path"]) == (
        "1 piece of work failed",
        "Read a feed",
        "/failures",
    )
    assert await states(services, member) == []


async def test_a_failed_backup_has_its_own_kind(services, person, push, deliver):
    async def fail(_job):
        raise AlmanacError("No space.")

    admin = await person(Role.ADMIN)
    await services.notifications.add_device(admin, push.subscription(), "")
    task = JobType("backup.test", fail, title="Back up")
    services.jobs.registry.add(task)
    await run_now(services, task)
    await deliver()
    assert [message["title"] for message in push.messages] == ["The backup failed"]


async def run_now(services, task):
    job = await services.jobs.defer(task)
    await make_worker(services).drain()
    assert (await services.jobs.job(job)).job.status == "failed"
