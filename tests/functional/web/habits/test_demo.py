"""The demo brings four people with a year each, agrees with its own log, adds nothing twice, and goes away."""

import pytest

from almanac.demo import DemoRecord, DemoRun
from almanac.demo.model import write_record
from almanac.desks.habits.demo import PART
from almanac.desks.habits.demo.people import DAYS, PEOPLE, build_bundle
from almanac.desks.habits.pipeline.reconciliation import reconcile_habits
from almanac.desks.habits.pipeline.reminders import send_due_reminders
from almanac.desks.habits.pipeline.weekly_report import mail_weekly_reports
from almanac.desks.habits.service import habits, leaderboard
from almanac.desks.habits.store import items, people
from almanac.jobs import InlineLedger


class Counted(InlineLedger):
    """Never more is done than there is to do."""

    async def progress(self, done, total, doing):
        assert done <= total


@pytest.fixture
async def owner(person_who_keeps):
    return await person_who_keeps("Ada")


@pytest.fixture
def run(services, owner, clock):
    loaded = DemoRecord(owner_id=owner.user.id, day=clock.now().date())
    return DemoRun(
        services=services, desk="habits", owner=owner.principal, loaded=loaded, ledger=Counted(services.database)
    )


def test_everybody_has_a_year_behind_them(clock):
    today = clock.now().date()
    assert len(PEOPLE) == 4
    for person in PEOPLE:
        bundle = build_bundle(person, today)
        assert bundle == build_bundle(person, today)
        days = {day for record in bundle.habits for day in record.log}
        assert (today - min(days)).days > DAYS - 20
        assert max(days) < today


async def test_it_is_brought_once_agrees_with_its_log_and_goes_away(services, owner, run, outbox, worker):
    mine = await owner.begin("Swim")
    for _ in range(2):
        await PART.steps[0](run)
    await owner.settled()
    brought = await habits.list_habits(services, owner.principal)
    assert sorted(item.habit.name for item in brought) == [
        "No screens after ten",
        "Read twenty pages",
        "Swim",
        "Walk before work",
    ]
    assert next(item.habit for item in brought if item.habit.name == "Read twenty pages").current_streak >= 41
    board = await leaderboard.get_leaderboard(services, owner.principal)
    assert {place.username for place in board} == {owner.user.name, *(item.name for item in PEOPLE if item.name)}
    assert (await reconcile_habits(services)).repairs == []
    assert outbox.sent == []

    others = [user_id for user_id in run.made("person").values() if user_id != owner.user.id]
    await PART.remove(run)
    await owner.settled()
    assert [item.habit.id for item in await habits.list_habits(services, owner.principal)] == [mine]
    for user_id in others:
        assert await items.read_dashboard(services.tables, user_id) is None
        async with services.database.unit() as unit:
            assert await people.find_person(unit, user_id) is None
    assert (await reconcile_habits(services)).repairs == []


async def test_nobody_gets_mail_about_it_until_they_make_it_their_own(services, owner, run, outbox, clock, worker):
    """Also where it was loaded with a reminder, a milestone is reached and the weekly report is wanted."""
    await write_record(services.objects, run.desk, run.loaded)
    await PART.steps[0](run)
    async with services.database.unit() as unit:
        await unit.execute("UPDATE habits SET remind_at = '08:00' WHERE owner_id = %(owner)s", {"owner": owner.user.id})
    await owner.send("PUT", "/settings", {"weekly_report": True})
    pages = next(item for item in (await owner.get())["items"] if item["name"] == "Read twenty pages")
    for day in range(42, 110):
        await owner.complete(pages["id"], day, amount="30")
    await owner.complete(pages["id"], 0, amount="30")
    await send_due_reminders(services)
    await mail_weekly_reports(services)
    await owner.settled()
    assert [mail for mail in outbox.sent if owner.user.email in mail.recipients] == []

    walk = next(item for item in (await owner.get())["items"] if item["name"] == "Walk before work")
    changed = await owner.send(
        "PATCH", f"/{walk['id']}", {"remind_at": "08:30"}, **{"If-Match": f'"{walk["version"]}"'}
    )
    assert changed.status_code == 200, changed.text
    clock.advance(days=1)
    await send_due_reminders(services)
    await owner.settled()
    assert len([mail for mail in outbox.sent if owner.user.email in mail.recipients]) == 1
