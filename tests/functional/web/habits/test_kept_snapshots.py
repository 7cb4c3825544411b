"""Pages show what was computed before as long as it holds: not after a change, and to nobody else."""

from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from unittest import mock

import pytest

from almanac.desks.habits.pipeline.snapshot_cache import SnapshotCache
from almanac.desks.habits.service import habits
from almanac.desks.habits.store import entries, people
from almanac.errors import NotFound


class Undone(Exception):
    """Ends a transaction without a change."""


CHANGES = {
    "an entry": ("POST", "/{habit}/complete", {"date": "2026-02-25"}),
    "a skip": ("POST", "/{habit}/skip", {"date": "2026-02-26"}),
    "a rest day": ("POST", "/rest-days", {"date": "2026-02-27"}),
    "a vacation": ("POST", "/vacations", {"first_day": "2026-02-20", "last_day": "2026-02-21"}),
}


@pytest.fixture
def histories_read():
    """How many histories were read from the log since the test began."""
    with mock.patch.object(entries, "read_histories", side_effect=entries.read_histories) as reading:
        yield lambda: reading.call_count


async def view(keeper):
    return await habits.list_habits(keeper.services, keeper.principal)


async def test_a_second_view_reads_no_log(person_who_keeps, histories_read):
    ada = await person_who_keeps("Ada")
    habit = await ada.bring("Reading", 40)
    await view(ada)
    before = histories_read()
    assert (await view(ada))[0].stats.current_streak == 40
    await habits.get_habit(ada.services, ada.principal, habit)
    assert histories_read() == before + 1, "one habit is kept apart from the list"
    assert (await habits.get_habit(ada.services, ada.principal, habit)).stats.current_streak == 40
    assert histories_read() == before + 1


@pytest.mark.parametrize("change", CHANGES)
async def test_a_change_shows_at_the_next_view(person_who_keeps, change):
    ada = await person_who_keeps("Ada")
    habit = await ada.begin(start="2026-02-01")
    await ada.complete(habit, 1)
    before = (await view(ada))[0]
    method, path, body = CHANGES[change]
    answer = await ada.send(method, path.format(habit=habit), body)
    assert answer.status_code < 300, answer.text
    after = (await view(ada))[0]
    assert after.stats.judged != before.stats.judged


async def test_a_new_day_shows_at_the_next_view(person_who_keeps, clock):
    ada = await person_who_keeps("Ada")
    habit = await ada.begin()
    await ada.complete(habit)
    today = (await view(ada))[0].stats.today
    clock.at(today + timedelta(days=3))
    try:
        assert (await view(ada))[0].stats.current_streak == 0
    finally:
        clock.at(today)


async def test_two_people_each_see_their_own(person_who_keeps):
    ada, ben = await person_who_keeps("Ada"), await person_who_keeps("Ben")
    reading, running = await ada.bring("Reading", 3), await ben.bring("Running", 5)
    for _ in range(2):
        assert [(item.habit.id, item.stats.current_streak) for item in await view(ada)] == [(reading, 3)]
        assert [(item.habit.id, item.stats.current_streak) for item in await view(ben)] == [(running, 5)]
        await habits.get_habit(ada.services, ada.principal, reading)
        with pytest.raises(NotFound):
            await habits.get_habit(ben.services, ben.principal, reading)


async def test_a_transaction_sees_its_own_changes_and_leaves_none_of_them_behind(person_who_keeps):
    ada = await person_who_keeps("Ada")
    habit_id = await ada.bring("Reading", 3)
    before = (await view(ada))[0]
    with suppress(Undone):
        async with ada.services.database.shared_unit() as unit:
            await people.find_person(unit, ada.user.id, lock=True)
            day = before.stats.today - timedelta(days=3)
            await entries.put_completion(unit, before.habit, day, Decimal(1), late=True, now=ada.services.clock.now())
            assert (await view(ada))[0].stats.current_streak == 4
            assert (await habits.get_habit(ada.services, ada.principal, habit_id)).stats.current_streak == 4
            raise Undone
    assert (await view(ada))[0].stats.current_streak == 3


async def test_only_so_many_spans_are_kept(person_who_keeps, histories_read):
    ada, ben = await person_who_keeps("Ada"), await person_who_keeps("Ben")
    await ada.bring("Reading", 30)
    await ben.bring("Running", 30)
    with mock.patch.object(habits, "_snapshots", SnapshotCache(max_spans=40)):
        for keeper in (ada, ben):
            await view(keeper)
        before = histories_read()
        await view(ben)
        assert histories_read() == before
        await view(ada)
        assert histories_read() == before + 1
