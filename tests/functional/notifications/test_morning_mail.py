"""The morning mail: once a day at the hour that was chosen, in one's language and zone, and only if there is news."""

import asyncio
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from aiosmtpd.smtp import SMTP

from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.bootstrap import make_worker, open_services
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import entries, habits
from almanac.errors import StaleEdit
from almanac.mail.mime import read_mail
from almanac.notifications import MorningChoice, NotificationSettings
from almanac.notifications.morning_mail import find_due_day

MONDAY = datetime(2026, 3, 2, 7, 0, tzinfo=UTC)


class MailServer:
    """An SMTP server on loopback that keeps what it takes."""

    def __init__(self):
        self.received = []

    async def handle_DATA(self, _server, _session, envelope):  # noqa: N802 - aiosmtpd's name
        self.received.append(envelope.original_content)
        return "250 2.0.0 taken"


@pytest.fixture
async def mail_server():
    taken = MailServer()
    server = await asyncio.get_running_loop().create_server(lambda: SMTP(taken, hostname="mail.test"), "127.0.0.1", 0)
    taken.url = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield taken
    server.close()
    await server.wait_closed()


@pytest.fixture
async def services(settings, clock, mail_server):
    async with open_services(replace(settings, mail_url=mail_server.url), clock) as services:
        yield services


@pytest.fixture
def choose(services):
    """Chooses the morning mail for seven o'clock on working days, or as told."""

    async def save(person, **wishes):
        current = (await services.notifications.get_profile(person)).settings
        morning = MorningChoice(**{"hour": 7, **wishes})
        await services.notifications.save_settings(person, replace(current, morning=morning), expected=current.version)

    return save


@pytest.fixture
def at(clock):
    """Moves the clock to a time of Monday 2 March 2026 in UTC, or of a later day."""

    def move(hours, days=0):
        target = MONDAY.replace(hour=0) + timedelta(days=days, hours=hours)
        clock.advance(seconds=(target - clock.now()).total_seconds())

    return move


@pytest.fixture
def mails(services, mail_server):
    """Sends what is due, and reads what the server got."""

    async def send():
        await services.notifications.send_morning_mails()
        await make_worker(services).drain()
        return [read_mail(raw) for raw in mail_server.received]

    return send


async def ask(services, by, title="March issue"):
    async with services.database.unit() as unit:
        subject = ApprovalSubject("newsletter.draft", "d1")
        await services.approvals.ask(unit, subject, content_hash("x"), by, title=title, link="/newsletter/d1")


def header(mail, name):
    return next(value for key, value in mail.headers if key == name)


async def test_a_day_comes_once_with_its_parts_and_links(services, person, choose, at, mails):
    at(6)
    approver = await person(Role.APPROVER)
    await choose(approver)
    walk = (await habits.create_habit(services, approver, HabitInput(name="Walk"))).habit
    await ask(services, await person(Role.EDITOR))
    assert await mails() == [], "it isn't seven yet"
    at(7)
    [mail] = await mails()
    assert header(mail, "Subject").startswith("Monday 2 March: ")
    for part in (mail.text, mail.html):
        assert "1 approval" in part
        assert "March issue" in part
        assert f"https://almanac.example.org/habits/{walk.id}" in part
        assert "https://almanac.example.org/?day=2026-03-02" in part
        assert "https://almanac.example.org/account/notifications" in part
    at(9)
    assert len(await mails()) == 1, "a day has one mail"
    at(7, days=1)
    assert len(await mails()) == 2


async def test_it_speaks_the_persons_language_at_their_hour(services, person, choose, at, mails):
    at(0)
    reader = await person(Role.MEMBER, language="ja", time_zone="Asia/Tokyo")
    await choose(reader, days=frozenset({2}))
    await habits.create_habit(services, reader, HabitInput(name="散歩"))
    at(21)
    assert await mails() == [], "it is six o'clock in Tokyo"
    at(22)
    [mail] = await mails()
    assert header(mail, "Subject") == "3月3日（火曜日）：決めることはありません"
    assert "散歩" in mail.text
    assert 'lang="ja"' in mail.html


async def test_a_day_without_news_has_no_mail_unless_wished(services, person, choose, at, mails):
    at(6)
    quiet, talkative = await person(Role.MEMBER), await person(Role.MEMBER)
    for somebody in (quiet, talkative):
        walk = (await habits.create_habit(services, somebody, HabitInput(name="Walk"))).habit
        await entries.complete_habit(services, somebody, walk.id)
    await choose(quiet)
    await choose(talkative, when_empty=True)
    at(7)
    [mail] = await mails()
    assert talkative.email in header(mail, "To")


async def test_nobody_gets_it_who_did_not_choose_it_or_chose_another_day(services, person, choose, at, mails):
    at(6)
    for _ in range(2):
        somebody = await person(Role.MEMBER)
        await habits.create_habit(services, somebody, HabitInput(name="Walk"))
    await choose(somebody, days=frozenset({6, 7}))
    at(7)
    assert await mails() == []


async def test_two_workers_at_once_send_one(services, person, choose, at, mail_server):
    at(6)
    somebody = await person(Role.MEMBER)
    await choose(somebody, when_empty=True)
    at(7)
    sent = await asyncio.gather(*(services.notifications.send_morning_mails() for _ in range(4)))
    assert sum(sent) == 1
    await make_worker(services).drain()
    assert len(mail_server.received) == 1


async def test_what_breaks_between_claim_and_mail_leaves_neither(services, person, choose, at, mails, monkeypatch):
    """As if the process were killed there: the next run sends it, once."""
    at(6)
    await choose(await person(Role.MEMBER), when_empty=True)
    at(7)
    morning = services.notifications.morning

    async def die(*_args, **_options):
        raise ConnectionError("killed")

    with monkeypatch.context() as patch:
        patch.setattr(type(morning.mailer), "queue", die)
        with pytest.raises(ConnectionError):
            await morning.send_due()
    assert len(await mails()) == 1
    assert len(await mails()) == 1


async def test_a_mail_tells_only_what_the_person_may_see_now(services, person, choose, at, mails):
    at(6)
    member = await person(Role.MEMBER)
    await choose(member, when_empty=True)
    await ask(services, await person(Role.EDITOR), title="A secret title")
    at(7)
    [mail] = await mails()
    assert "secret" not in mail.text
    assert "approval" not in mail.text


async def test_a_choice_is_kept_with_the_other_settings(services, person, choose):
    somebody = await person(Role.MEMBER)
    await choose(somebody, hour=5, days=frozenset({1, 7}))
    settings = (await services.notifications.get_profile(somebody)).settings
    assert settings.morning == MorningChoice(hour=5, days=frozenset({1, 7}))
    with pytest.raises(StaleEdit):
        await services.notifications.save_settings(somebody, NotificationSettings(), expected=0)


@pytest.mark.parametrize(
    ("now", "zone", "due"),
    [
        ("2026-03-02T06:59+00:00", "UTC", False),
        ("2026-03-02T07:00+00:00", "UTC", True),
        ("2026-03-02T10:59+00:00", "UTC", True),
        ("2026-03-02T11:00+00:00", "UTC", False),
        ("2026-03-01T07:00+00:00", "UTC", False),
        ("2026-03-02T01:15+00:00", "Asia/Kathmandu", True),
        ("2026-03-02T07:00+00:00", "America/New_York", False),
    ],
)
def test_a_mail_is_due_for_a_few_hours_on_chosen_days(now, zone, due):
    moment = datetime.fromisoformat(now)
    found_day = find_due_day(MorningChoice(hour=7), moment, zone, moment - timedelta(days=3))
    assert (found_day is not None) == due


def test_an_hour_that_has_passed_begins_tomorrow():
    now = MONDAY + timedelta(hours=2)
    assert find_due_day(MorningChoice(hour=7), now, "UTC", now) is None
    assert find_due_day(MorningChoice(hour=7), now + timedelta(hours=22), "UTC", now) is not None
