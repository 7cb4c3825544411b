"""Many at once, twice by a queue, and any order: one completion, one award, and everything equals the log."""

import asyncio
import random
from dataclasses import replace
from datetime import date, timedelta

import pytest

from almanac.desks.habits.pipeline import event_handlers
from almanac.desks.habits.pipeline.reconciliation import reconcile_person
from almanac.desks.habits.service import entries
from almanac.desks.habits.service import habits as habit_service
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.table import Streak, UserStats
from almanac.jobs import RunningJob

TODAY = date(2026, 3, 2)
DEADLINE = 60


async def race(ada, services, number):
    """So many completions of one habit and day at the same time, every one of them answered."""
    habit = await ada.begin()
    answers = await asyncio.gather(*(ada.complete(habit) for _ in range(number)))
    assert sum(item["changed"] for item in answers) == 1
    assert sum(item["awarded"] for item in answers) == 10
    await ada.settled()
    async with services.database.unit() as unit:
        counts = await unit.one(
            "SELECT (SELECT count(*) FROM habit_completions WHERE habit_id = %(id)s) AS entries,"
            " (SELECT count(*) FROM habit_ledger WHERE habit_id = %(id)s) AS lines,"
            " (SELECT count(*) FROM habit_events WHERE habit_id = %(id)s) AS events",
            {"id": habit},
        )
    assert counts == {"entries": 1, "lines": 1, "events": 1}
    assert (await ada.get("/dashboard"))["total_points"] == 10


async def test_many_completions_of_one_day_are_one_completion_and_one_award(ada, services, worker):
    await race(ada, services, 60)


@pytest.mark.slow
async def test_a_thousand_completions_of_one_day_are_one_completion_and_one_award(ada, services, worker):
    await race(ada, services, 1000)


class Redelivered:
    """A job's run that a queue delivers as often as it likes."""

    def __init__(self, services):
        self.services = services

    def unit(self):
        return self.services.database.unit()


async def events_of(services, habit):
    async with services.database.unit() as unit:
        rows = await unit.all("SELECT id, name FROM habit_events WHERE habit_id = %(id)s ORDER BY id", {"id": habit})
    return [(row["id"], row["name"]) for row in rows]


async def test_handlers_may_meet_an_event_again_and_in_any_order(ada, services):
    """Without a worker: the queue's part is played here, at its worst."""
    habit = await ada.begin()
    for day in range(7, -1, -1):
        await ada.complete(habit, day)
    await ada.undo(habit, 0)
    chance = random.Random(3)
    for _ in range(3):
        calls = [
            (handler, event)
            for event, name in await events_of(services, habit)
            for handler in (event_handlers.check_streaks, event_handlers.award_points)
            if name != "AchievementUnlockedEvent"
        ]
        chance.shuffle(calls)
        for handler, event in calls:
            job = RunningJob(id=1, task="", attempt=1, services=services, ledger=Redelivered(services))
            await handler(job, event)
    unlocked = [event for event, name in await events_of(services, habit) if name == "AchievementUnlockedEvent"]
    assert len(unlocked) == 1
    for _ in range(2):
        job = RunningJob(id=1, task="", attempt=1, services=services, ledger=Redelivered(services))
        await event_handlers.send_notification(job, unlocked[0])
    result = await ada.get("/dashboard")
    assert (result["total_points"], result["streaks"][0]["current_streak"]) == (80, 7)
    assert [item["type"] for item in result["achievements"]] == [f"streak_7:{habit}"]
    async with services.database.unit() as unit:
        mails = await unit.value(
            "SELECT count(*) FROM mail_messages WHERE recipients = %(to)s", {"to": [ada.user.email]}
        )
    assert mails == 1


async def test_whatever_is_done_in_whatever_order_the_sums_equal_the_log(ada, services, worker):
    chance = random.Random(11)
    habits = [await ada.begin("Daily"), await ada.begin("Weekly", schedule={"kind": "weekly"})]
    for _ in range(60):
        habit, day = chance.choice(habits), TODAY - timedelta(days=chance.randrange(25))
        match chance.randrange(5):
            case 0 | 1 | 2:
                await entries.complete_habit(services, ada.principal, habit, day=day)
            case 3:
                await entries.undo_completion(services, ada.principal, habit, day)
            case _:
                await entries.skip_day(services, ada.principal, habit, day=day)
    await ada.settled()
    assert await reconcile_person(services, ada.user.id) == []
    total = sum(item["points"] for item in (await ada.get())["items"])
    lines = (await ada.get("/ledger?limit=200"))["items"]
    assert total == sum(line["points"] for line in lines) == (await ada.get("/dashboard"))["total_points"]


async def test_drift_is_found_and_repaired(ada, services, worker):
    habit = await ada.bring("Reading", 8)
    await ada.settled()
    await services.tables.patch(UserStats.key(user_id=ada.user.id), UserStats.total_points.add(500))
    await services.tables.patch(Streak.key(user_id=ada.user.id, habit_id=habit), current_streak=99)
    await services.tables.upsert(Streak(user_id=ada.user.id, habit_id="gone", current_streak=4, revision=3))
    await services.tables.upsert(Streak(user_id=ada.user.id, habit_id="of-another-program", current_streak=6))
    async with services.database.unit() as unit:
        await unit.execute("UPDATE habit_people SET points = 1 WHERE user_id = %(id)s", {"id": ada.user.id})
        await unit.execute("UPDATE habit_completions SET points = 0 WHERE habit_id = %(id)s", {"id": habit})
        await unit.execute("DELETE FROM habit_achievements WHERE habit_id = %(id)s", {"id": habit})
    repairs = await reconcile_person(services, ada.user.id)
    assert len(repairs) >= 4
    await ada.settled()
    assert await reconcile_person(services, ada.user.id) == []
    result = await ada.get("/dashboard")
    streaks = {item["habit_id"]: item["current_streak"] for item in result["streaks"]}
    assert (result["total_points"], streaks) == (100, {habit: 8, "of-another-program": 6})
    assert [item["type"] for item in result["achievements"]] == [f"streak_7:{habit}"]
    assert sum(item["points"] for item in (await ada.get("/ledger?limit=200"))["items"]) == 100


async def test_two_moves_at_the_same_moment_both_count(ada, services):
    """The other one is made as another process makes it, with the lock in the database alone."""
    first, second, third = [await ada.begin(name) for name in ("First", "Second", "Third")]
    async with services.database.unit() as unit:
        await people.find_person(unit, ada.user.id, lock=True)
        moving = asyncio.create_task(habit_service.move_habit(services, ada.principal, third, up=True))
        async with asyncio.timeout(DEADLINE):
            while not await waiting_for_a_lock(services):  # noqa: ASYNC110 - no event tells that somebody waits
                await asyncio.sleep(0.01)
        for place, habit in enumerate((second, first), 1):
            result = await habits.find_habit(unit, habit)
            await habits.update_habit(unit, replace(result, position=place), services.clock.now())
    await moving
    assert [item["name"] for item in (await ada.get())["items"]] == ["Second", "Third", "First"]


async def waiting_for_a_lock(services):
    async with services.database.unit() as unit:
        return await unit.value(
            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
        )
