"""Turning the days: a day that is over is its record, one to come shows what is due, and each in one's own zone."""

from dataclasses import replace
from datetime import timedelta

import psycopg
import pytest

from almanac.accounts import service as accounts
from almanac.accounts.model import AUTOMATION
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import entries, habits
from almanac.desks.reminders import service as reminders
from almanac.jobs import JobType


@pytest.fixture
def day_of(clock):
    """The day so many days ago, as an address has it."""
    return lambda ago=0: (clock.now().date() - timedelta(days=ago)).isoformat()


@pytest.fixture
def events_of(day_of):
    async def read(visitor, ago=0):
        answer = (await visitor.get("/api/v1/home", params={"day": day_of(ago)})).json()
        return {event["sentence"]: event for event in answer["events"]}

    return read


async def reject_draft(services, by):
    [draft] = (await reminders.list_drafts(services, AUTOMATION)).items
    await reminders.reject_draft(services, by, draft.id, seen=draft.content_hash, note="They called and pay on Friday.")


async def test_a_decision_is_in_the_record_of_its_day_with_who_and_why(
    admin, signed_in, work, services, as_principal, clock, events_of, day_of
):
    await reject_draft(services, as_principal(admin.user))
    assert (await events_of(admin))["1 reminder was rejected"]["text"] == "By you. They called and pay on Friday."
    approver = await signed_in(Role.APPROVER)
    assert "By Some Admin." in (await events_of(approver))["1 reminder was rejected"]["text"]
    member = await signed_in(Role.MEMBER)
    assert not [sentence for sentence in await events_of(member) if "reminder" in sentence]
    clock.advance(days=1)
    admin, member = await signed_in(Role.ADMIN, admin.user), await signed_in(Role.MEMBER, member.user)
    record = (await admin.get("/", params={"day": day_of(1)})).text
    assert "1 reminder was rejected" in record.split('id="decide"')[1].split('id="happened"')[0]
    assert "1 reminder was rejected" not in (await admin.get("/")).text
    assert "Acme Ltd" not in record, "what waits isn't part of a record"
    assert "reminder" not in (await member.get("/", params={"day": day_of(1)})).text.partition("<main")[2]


async def test_what_failed_stays_in_the_record_after_it_was_repaired(services, admin, clock, signed_in, events_of):
    broken = [True]

    async def read(job) -> None:
        if broken:
            raise ValueError("The feed answered badly.")

    task = JobType("demo.read", read, title="Read a feed")
    services.jobs.registry.add(task)
    job_id = await services.jobs.defer(task)
    await make_worker(services).drain()
    broken.clear()
    await services.jobs.retry([job_id])
    await make_worker(services).drain()
    assert not [group for group in (await admin.get("/api/v1/home")).json()["waiting"] if group["noun"] == "failure"]
    failed = (await events_of(admin))["Read a feed failed"]
    assert (failed["kind"], failed["href"]) == ("failed", f"/jobs/{job_id}")
    assert "Read a feed failed" not in await events_of(await signed_in(Role.MEMBER))


async def test_habits_of_a_day_that_is_over_are_as_they_were(services, signed_in, as_principal, clock, day_of):
    visitor = await signed_in(Role.MEMBER)
    by = as_principal(visitor.user)
    start = clock.now().date() - timedelta(days=3)
    walk = (await habits.create_habit(services, by, HabitInput(name="Walk"), start=start)).habit
    for ago in (3, 2):
        await entries.complete_habit(services, by, walk.id, day=clock.now().date() - timedelta(days=ago))

    async def tasks(ago):
        answer = (await visitor.get("/api/v1/home", params={"day": day_of(ago)})).json()["tasks"]
        return [(task["state"], task["text"]) for task in answer]

    assert await tasks(2) == [("done", "Streak: 2 days")]
    assert [state for state, _ in await tasks(1)] == ["missed"]
    assert [state for state, _ in await tasks(0)] == ["open"]
    assert [state for state, _ in await tasks(-1)] == ["open"]
    assert await tasks(4) == []
    page = (await visitor.get("/", params={"day": day_of(2)})).text
    assert f"/habits/{walk.id}/done" not in page, "a record can't be ticked"


async def test_a_habit_is_ticked_in_its_place_and_the_summary_follows(services, signed_in, as_principal):
    visitor = await signed_in(Role.MEMBER)
    walk = (await habits.create_habit(services, as_principal(visitor.user), HabitInput(name="Walk"))).habit
    assert "0 of 1 done" in (await visitor.get("/")).text
    form = {"back": "home", "csrf_token": await visitor.csrf()}
    answer = await visitor.http.post(f"/habits/{walk.id}/done", data=form, headers={"HX-Request": "true"})
    assert "1 of 1 done" in answer.text
    assert f'id="tick-{walk.id}"' in answer.text
    without_script = await visitor.post(f"/habits/{walk.id}/undone", {"back": "home"})
    assert "0 of 1 done" in without_script.text


async def test_stories_are_those_of_the_day_and_in_the_readers_language(
    services, signed_in, database_url, clock, day_of
):
    visitor = await signed_in(Role.MEMBER)
    async with await psycopg.AsyncConnection.connect(database_url) as connection:
        for number, ago in enumerate((0, 1, 1, 1, 1, 1, 9), 1):
            await connection.execute(
                "INSERT INTO news_links (id, url, url_hash, title, status) VALUES"
                " (%(id)s, 'https://a.example/' || %(id)s, md5(%(id)s::text) || md5(%(id)s::text), 'x', 'completed')",
                {"id": number},
            )
            await connection.execute(
                "INSERT INTO processed_content (link_id, title, title_en, title_zh, translated_content, news_date)"
                " VALUES (%(id)s, 'Tajuk', 'Story ' || %(id)s, '故事' || %(id)s, '{\"en\": [\"One line.\"]}', %(day)s)",
                {"id": number, "day": day_of(ago)},
            )
    today = (await visitor.get("/api/v1/home")).json()["readings"]
    assert [reading["title"] for reading in today] == ["Story 1", "Story 6", "Story 5", "Story 4", "Story 3"]
    assert today[0]["text"] == "One line."
    before = (await visitor.get("/api/v1/home", params={"day": day_of(9)})).json()["readings"]
    assert [reading["title"] for reading in before] == ["Story 7"]
    principal = visitor.user.as_principal("session")
    await accounts.set_preferences(services.accounts, principal, replace(principal.preferences, language="zh"))
    assert "故事1" in (await visitor.get("/")).text


async def test_a_day_begins_at_midnight_where_the_person_is(services, signed_in, clock, work, as_principal, events_of):
    """The clock is at a time of day that is tomorrow in Auckland already, or yesterday still in Honolulu."""
    visitor = await signed_in(Role.ADMIN)
    principal = visitor.user.as_principal("session")
    days = {}
    for zone in ("Pacific/Kiritimati", "Pacific/Pago_Pago"):
        await accounts.set_preferences(services.accounts, principal, replace(principal.preferences, time_zone=zone))
        days[zone] = (await visitor.get("/api/v1/home")).json()["day"]
    assert days["Pacific/Kiritimati"] > days["Pacific/Pago_Pago"]


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "0001-01-01", "9999-12-31", "2026-11-17T10:00", "%00"])
async def test_what_isnt_a_day_is_told(admin, day):
    assert (await admin.get(f"/?day={day}")).status_code == 400
    assert (await admin.get(f"/api/v1/home?day={day}")).status_code == 400


async def test_the_days_are_turned_by_links(admin, clock, day_of):
    page = (await admin.get("/")).text
    assert f'href="/?day={day_of(1)}"' in page
    assert f'href="/?day={day_of(-1)}"' in page
    yesterday = (await admin.get("/", params={"day": day_of(1)})).text
    assert f'href="/?day={day_of(2)}"' in yesterday
    assert f'href="/?day={day_of()}"' not in yesterday, "today has no other address"
    assert "Nothing is planned for this day yet." in (await admin.get("/", params={"day": day_of(-1)})).text
