"""Reconciling: prove that points, ledger, badges and the table say what the log says, and repair what doesn't.

Nothing should ever be found. What is found was written by another program, or restored from an older copy.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from almanac.desks.habits.events import HABIT_CHANGED
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type
from almanac.desks.habits.pipeline.settlement import SettlementCause, settle_habit
from almanac.desks.habits.store import habits, items, people, rewards
from almanac.desks.habits.store.people import HabitOwner, HabitPerson, load_owner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.desks.habits.store.table import Dashboard
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services

_AT_A_TIME = 200


@dataclass(slots=True)
class ReconciliationReport:
    """How many people were looked at, and what was repaired, a sentence each."""

    people: int = 0
    repairs: list[str] = field(default_factory=list)


async def reconcile_habits(services: Services) -> ReconciliationReport:
    """Look at everybody."""
    told, after = ReconciliationReport(), ""
    while True:
        async with services.database.unit() as unit:
            some = await people.list_people(unit, after=after, limit=_AT_A_TIME)
        for person in some:
            told.people += 1
            told.repairs += await reconcile_person(services, person.user_id)
        if len(some) < _AT_A_TIME:
            return told
        after = some[-1].user_id


async def reconcile_person(services: Services, user_id: str) -> list[str]:
    """One person: the log first, then the sums, then the table. Their lock is held, so nothing moves meanwhile."""
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id, lock=True)
        if person is None:
            return []
        owner = await load_owner(unit, person, services.clock.now())
        repairs = await _settle_everything(services, unit, owner)
        own = await habits.list_habits(unit, user_id, archived=True)
        repairs += await _repair_sums(services, unit, own, user_id)
        current = await people.find_person(unit, user_id)
        assert current is not None
        return repairs + await _repair_items(services, unit, current, own)


async def _settle_everything(services: Services, unit: Unit, owner: HabitOwner) -> list[str]:
    cause, repairs = SettlementCause(name=HABIT_CHANGED, day=owner.today, words="Reconciled", quiet=True), []
    for habit in await habits.list_habits(unit, owner.id, archived=True):
        snapshot = await settle_habit(services, unit, habit, owner.today, cause)
        if snapshot.points or snapshot.unlocked:
            repairs.append(f"{habit.name}: {snapshot.points:+d} points so that they equal the log.")
    return repairs


async def _repair_sums(services: Services, unit: Unit, own: Sequence[Habit], user_id: str) -> list[str]:
    """The ledger of each habit adds up to its points, and the person's sum is that of all habits."""
    repairs, now = [], services.clock.now()
    sums = await rewards.sum_ledger_by_habit(unit, user_id)
    for habit in own:
        if missing := habit.points - sums.get(habit.id, 0):
            line = PointsChange(now.date(), missing, "Reconciled: the ledger lacked this.")
            await rewards.add_ledger_lines(unit, habit, [line], event_id=new_id(), now=now)
            repairs.append(f"{habit.name}: the ledger lacked {missing:+d} points.")
    person = await people.find_person(unit, user_id)
    total = sum(habit.points for habit in own)
    if person is not None and person.points != total:
        await people.set_person_points(unit, user_id, total, now)
        repairs.append(f"{person.username}: {person.points} points in all, where the log says {total}.")
    return repairs


async def _repair_items(services: Services, unit: Unit, person: HabitPerson, own: Sequence[Habit]) -> list[str]:
    stored = await items.read_dashboard(services.tables, person.user_id, consistent=True)
    repairs = []
    if person.points != (stored.stats.total_points if stored and stored.stats else 0):
        await items.overwrite_stats(services.tables, person)
        repairs.append(f"{person.username}: the table had another total than {person.points}.")
    streaks = {one.habit_id: one for one in stored.streaks} if stored else {}
    for habit in own:
        found = streaks.pop(habit.id, None)
        said = (found.current_streak, found.best_streak, found.last_completed) if found else None
        item = items.streak_item(habit)
        if said != (item.current_streak, item.best_streak, item.last_completed):
            await items.write_streak(services.tables, habit, force=True)
            if found is not None:
                repairs.append(f"{habit.name}: the table had another streak than {habit.current_streak}.")
    # Only what has a revision was written here; streaks of other programs are theirs.
    for orphan in [habit_id for habit_id, one in streaks.items() if one.revision is not None]:
        await items.delete_habit_items(services.tables, person.user_id, orphan)
        repairs.append(f"{orphan}: the table had a streak of a habit that is gone.")
    return repairs + await _repair_achievements(services, unit, own, stored)


async def _repair_achievements(
    services: Services, unit: Unit, own: Sequence[Habit], stored: Dashboard | None
) -> list[str]:
    """Only achievements that name a habit are ours to repair; those of other programs stay."""
    repairs, there = [], {one.type for one in stored.achievements} if stored else set()
    due: dict[str, tuple[Habit, int]] = {}
    for habit in own:
        for achieved in await rewards.list_achievements(unit, habit.id):
            kind = achievement_type(achieved.milestone, habit.id)
            due[kind] = habit, achieved.milestone
            if kind not in there:
                await items.write_achievement(services.tables, habit, achieved.milestone, achieved.unlocked_at)
                repairs.append(f"{kind}: the table lacked this achievement.")
    for kind in there - due.keys():
        if ":" in kind and stored is not None:
            owner = stored.achievements[0].user_id
            await items.delete_achievement(services.tables, owner, kind)
            repairs.append(f"{kind}: the log has no such achievement.")
    return repairs
