"""ntfy, webhooks and Apprise: what arrives, what is guarded, and what else is told than approvals."""

import json

import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, SignInClient
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.bootstrap import make_worker
from almanac.errors import InputError
from almanac.jobs import JobType
from almanac.kit.logs import request_id
from almanac.notifications import NotificationChannel, NotificationKind, NotificationSettings
from almanac.notifications.apprise_services import SCHEMES

NTFY, APPRISE, WEBHOOK = NotificationChannel.NTFY, NotificationChannel.APPRISE, NotificationChannel.WEBHOOK


@pytest.fixture
async def approver(person):
    return await person(Role.APPROVER)


async def ask(services, number=1):
    async with services.database.unit() as unit:
        await services.approvals.ask(
            unit, ApprovalSubject("recap", f"{number}"), content_hash("x"), CONSOLE, title="One", link="/recap/1"
        )


async def test_ntfy_gets_a_topic_a_link_and_a_token(services, approver, site, deliver):
    await services.notifications.set_address(approver, NTFY, f"{site.address}/my-topic?token=tk_secret")
    await ask(services)
    await deliver()
    [message] = site.taken
    assert message["json"] == {
        "topic": "my-topic",
        "title": "1 approval is waiting",
        "message": "Open Almanac to decide.",
        "click": "https://almanac.example.org/recap/1",
        "priority": 3,
    }
    assert message["headers"]["Authorization"] == "Bearer tk_secret"
    assert "token" not in message["path"]


async def test_a_webhook_gets_the_same_by_id(services, approver, site, deliver):
    secret = await services.notifications.set_address(approver, WEBHOOK, f"{site.address}/hook")
    assert secret.startswith("whsec_")
    await ask(services)
    await deliver()
    [message] = site.taken
    assert message["json"]["event"] == "notification"
    assert message["json"]["data"]["kind"] == "approvals"
    assert message["headers"]["Almanac-Delivery"] == message["json"]["id"]


async def test_a_webhook_that_fails_is_repeated_with_the_same_id(services, approver, site, deliver):
    await services.notifications.set_address(approver, WEBHOOK, f"{site.address}/hook")
    site.status = 500
    await ask(services)
    await deliver()
    site.status = 200
    await deliver(minutes=5)
    await deliver(hours=1)
    first, second = site.taken
    assert first["raw"] != b""
    assert first["json"]["id"] == second["json"]["id"]


async def test_apprise_sends_to_a_service_of_ones_own(services, approver, site):
    host = site.address.removeprefix("http://")
    await services.notifications.set_address(approver, APPRISE, f"gotify://{host}/a-token")
    [outcome] = await services.notifications.send_test(approver, APPRISE)
    assert (outcome.sent, outcome.reason) == (True, "")
    [message] = site.taken
    assert message["json"]["title"] == "Notifications work"
    assert "https://almanac.example.org/account/notifications" in message["json"]["message"]


async def test_apprise_says_that_a_service_refuses(services, approver, site):
    site.status = 401
    await services.notifications.set_address(approver, APPRISE, f"gotify://{site.address.removeprefix('http://')}/t")
    [outcome] = await services.notifications.send_test(approver, APPRISE)
    assert (outcome.sent, "didn't take the message" in outcome.reason) == (False, True)


class TestGuarded:
    @pytest.fixture
    def settings(self, settings):
        return settings.__class__(
            data=settings.data, database_url=settings.database_url, mail_url="memory:", base_url=settings.base_url
        )

    @pytest.mark.parametrize("host", ["127.0.0.1:{port}", "localhost:{port}", "2130706433:{port}", "[::1]:{port}"])
    async def test_apprise_connects_to_no_address_inside(self, services, approver, site, host):
        address = host.format(port=site.address.rpartition(":")[2])
        await services.notifications.set_address(approver, APPRISE, f"gotify://{address}/a-token")
        [outcome] = await services.notifications.send_test(approver, APPRISE)
        assert not outcome.sent
        assert site.taken == []

    async def test_the_reason_names_the_rule(self, services, approver, site):
        await services.notifications.set_address(
            approver, APPRISE, f"gotify://{site.address.removeprefix('http://')}/t"
        )
        [outcome] = await services.notifications.send_test(approver, APPRISE)
        assert "ALMANAC_FETCH_ALLOW" in outcome.reason


async def test_what_can_be_chosen_exists_and_starts_no_program():
    assert not SCHEMES & {
        "syslog",
        "windows",
        "macosx",
        "dbus",
        "gnome",
        "mailto",
        "mailtos",
        "rsyslog",
        "file",
        "exec",
    }


async def test_a_sign_in_with_another_browser_is_told_at_once(services, person, site, deliver):
    member = await person(Role.MEMBER)
    await services.notifications.set_address(member, NTFY, f"{site.address}/topic")

    async def sign_in(agent):
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, member.user_id)
        visit = SignInClient(address="127.0.0.1", user_agent=agent)
        await accounts.sign_in_with_link(services.accounts, token=link.path.rpartition("/")[2], visit=visit)
        await deliver(seconds=1)

    await sign_in("Mozilla/5.0 (X11; Linux) Firefox/130.0")
    await sign_in("Mozilla/5.0 (X11; Linux) Firefox/131.0")
    assert [message["json"]["title"] for message in site.taken] == ["New sign-in to your account"]
    await sign_in("Mozilla/5.0 (Macintosh) Safari/605.1")
    assert len(site.taken) == 2


async def test_a_mail_in_doubt_is_told_until_somebody_settles_it(services, person, site, deliver):
    admin = await person(Role.ADMIN)
    await services.notifications.set_address(admin, NTFY, f"{site.address}/topic")
    await doubt(services, "first")
    await deliver()
    assert [message["json"]["title"] for message in site.taken] == ["1 mail is in doubt"]
    mail_id = await doubt(services, "second")
    await services.notifications.sort_events()
    await services.mailer.settle(mail_id, "sent", by=admin.user_id, why="It arrived.")
    await deliver(minutes=20)
    assert len(site.taken) == 1


async def doubt(services, key):
    """A mail of which nobody knows whether it was sent."""
    content = json.dumps({"to": [], "subject": "x", "text": "x", "topic": "account"})
    async with services.database.unit() as unit:
        await unit.execute(
            "INSERT INTO mail_messages (id, idempotency_key, status, topic, bulk, sender, recipients, subject, content,"
            " digest, queued_at, due_at) VALUES (%(id)s, %(id)s, 'queued', 'account', false, 'a', '{b}', 'x',"
            " %(content)s, 'x', now(), now())",
            {"id": key, "content": content},
        )
        await unit.execute("UPDATE mail_messages SET status = 'unknown' WHERE id = %(id)s", {"id": key})
    return key


async def test_long_work_is_told_to_who_asked_for_it(services, person, site, deliver, clock):
    async def take_long(_job, minutes):
        clock.advance(minutes=minutes)

    task = JobType("demo.import", take_long, title="Import customers")
    services.jobs.registry.add(task)
    editor, other = await person(Role.EDITOR), await person(Role.EDITOR)
    for who, topic in ((editor, "mine"), (other, "theirs")):
        await services.notifications.set_address(who, NTFY, f"{site.address}/{topic}")
    request_id.set("a-request")
    deed = AuditAction(editor.actor, "demo.imported", AuditSubject("demo", "1"))
    async with services.database.unit() as unit:
        await audit.record(unit, clock, deed)
        await services.jobs.defer(task, {"minutes": 0}, unit=unit)
    # One after the other, since both run by the same clock.
    await make_worker(services).drain()
    async with services.database.unit() as unit:
        long_job = await services.jobs.defer(task, {"minutes": 2}, unit=unit)
    await make_worker(services).drain()
    await deliver(seconds=1)
    [message] = site.taken
    assert message["json"]["topic"] == "mine"
    assert message["json"]["title"] == "What you started is done"
    assert message["json"]["message"] == "Import customers"
    assert message["json"]["click"].endswith(f"/jobs/{long_job}")


async def test_what_a_person_gave_and_failed_is_told_to_them_alone(services, person, site, deliver, clock):
    async def refuse(_job):
        raise InputError("This file is broken.")

    task = JobType("demo.read", refuse, title="Read a file")
    services.jobs.registry.add(task)
    editor, admin = await person(Role.EDITOR), await person(Role.ADMIN)
    for who, topic in ((editor, "mine"), (admin, "theirs")):
        await services.notifications.set_address(who, NTFY, f"{site.address}/{topic}")
    request_id.set("another-request")
    async with services.database.unit() as unit:
        await audit.record(unit, clock, AuditAction(editor.actor, "demo.given", AuditSubject("demo", "1")))
        await services.jobs.defer(task, unit=unit)
    await make_worker(services).drain()
    await deliver()
    assert [message["json"]["topic"] for message in site.taken] == ["mine"]
    assert site.taken[0]["json"]["title"] == "1 piece of work failed"


async def test_a_message_is_mailed_in_the_language_of_its_reader(services, person, deliver):
    approver = await person(Role.APPROVER, language="ja")
    by_mail = NotificationSettings(choices={NotificationKind.APPROVALS: frozenset({NotificationChannel.MAIL})})
    await services.notifications.save_settings(approver, by_mail, expected=0)
    await ask(services)
    await deliver()
    page = await services.mailbox.list(limit=10)
    assert [line.topic for line in page.items if approver.email in line.recipients] == ["notification"]
