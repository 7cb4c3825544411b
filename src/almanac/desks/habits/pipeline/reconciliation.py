"""Compares points, ledger, badges and the table with the log, and repairs every difference.

There should be none, unless another program wrote them or an older backup was restored.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from almanac.desks.habits.events import HABIT_CHANGED
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.rewards import achievement_type
from almanac.desks.habits.pipeline.batches import PAGE_SIZE, iter_pages
from almanac.desks.habits.pipeline.settlement import SettlementCause, settle_habit
from almanac.desks.habits.store import habits, items, people, rewards
from almanac.desks.habits.store.people import HabitOwner, HabitPerson, load_owner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.desks.habits.store.table import Dashboard
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services


@dataclass(slots=True)
class ReconciliationReport:
    """The number of people checked, and a sentence for each repair."""

    people: int = 0
    repairs: list[str] = field(default_factory=list)


async def reconcile_habits(services: Services) -> ReconciliationReport:
    """Check and repair everybody."""

    async def list_page(unit: Unit, after: str) -> list[HabitPerson]:
        return await people.list_people(unit, after=after, limit=PAGE_SIZE)

    report = ReconciliationReport()
    async for person in iter_pages(services, list_page, key=lambda person: person.user_id):
        report.people += 1
        report.repairs += await reconcile_person(services, person.user_id)
    return report


async def reconcile_person(services: Services, user_id: str) -> list[str]:
    """Check one person under their lock: first the log, then the sums, then the table. Returns the repairs."""
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id, lock=True)
        if person is None:
            return []
        owner = await load_owner(unit, person, services.clock.now())
        repairs = await _settle_habits(services, unit, owner)
        own = await habits.list_habits(unit, user_id, archived=True)
        repairs += await _repair_sums(services, unit, own, user_id)
        current = await people.find_person(unit, user_id)
        assert current is not None
        return repairs + await _repair_items(services, unit, current, own)


async def _settle_habits(services: Services, unit: Unit, owner: HabitOwner) -> list[str]:
    cause, repairs = SettlementCause(name=HABIT_CHANGED, day=owner.today, words="Reconciled", quiet=True), []
    for habit in await habits.list_habits(unit, owner.id, archived=True):
        snapshot = await settle_habit(services, unit, habit, owner.today, cause)
        if snapshot.points or snapshot.unlocked:
            repairs.append(f"{habit.name}: {snapshot.points:+d} points to match the log.")
    return repairs


async def _repair_sums(services: Services, unit: Unit, own: Sequence[Habit], user_id: str) -> list[str]:
    """Make the ledger of each habit sum to its points, and the person's points to those of all habits."""
    repairs, now = [], services.clock.now()
    sums = await rewards.sum_ledger_by_habit(unit, user_id)
    for habit in own:
        if missing := habit.points - sums.get(habit.id, 0):
            line = PointsChange(now.date(), missing, "Reconciled: missing from the ledger.")
            await rewards.add_ledger_lines(unit, habit, [line], event_id=new_id(), now=now)
            repairs.append(f"{habit.name}: {missing:+d} points were missing from the ledger.")
    person = await people.find_person(unit, user_id)
    total = sum(habit.points for habit in own)
    if person is not None and person.points != total:
        await people.set_person_points(unit, user_id, total, now)
        repairs.append(f"{person.username}: the total was {person.points} points; the log has {total}.")
    return repairs


async def _repair_items(services: Services, unit: Unit, person: HabitPerson, own: Sequence[Habit]) -> list[str]:
    stored = await items.read_dashboard(services.tables, person.user_id, consistent=True)
    repairs = []
    if person.points != (stored.stats.total_points if stored and stored.stats else 0):
        await items.overwrite_stats(services.tables, person)
        repairs.append(f"{person.username}: the total in the table wasn't {person.points}.")
    streaks = {streak.habit_id: streak for streak in stored.streaks} if stored else {}
    for habit in own:
        streak = streaks.pop(habit.id, None)
        written = (streak.current_streak, streak.best_streak, streak.last_completed) if streak else None
        item = items.streak_item(habit)
        if written != (item.current_streak, item.best_streak, item.last_completed):
            await items.write_streak(services.tables, habit, force=True)
            if streak is not None:
                repairs.append(f"{habit.name}: the streak in the table wasn't {habit.current_streak}.")
    # Streaks without a revision belong to other programs.
    for orphan in [habit_id for habit_id, streak in streaks.items() if streak.revision is not None]:
        await items.delete_habit_items(services.tables, person.user_id, orphan)
        repairs.append(f"{orphan}: the table had a streak of a deleted habit.")
    return repairs + await _repair_achievements(services, unit, own, stored)


async def _repair_achievements(
    services: Services, unit: Unit, own: Sequence[Habit], stored: Dashboard | None
) -> list[str]:
    """Repair achievements that name a habit; those of other programs are left alone."""
    repairs, existing = [], {item.type for item in stored.achievements} if stored else set()
    due: set[str] = set()
    for habit in own:
        for reached in await rewards.list_achievements(unit, habit.id):
            kind = achievement_type(reached.milestone, habit.id)
            due.add(kind)
            if kind not in existing:
                await items.write_achievement(services.tables, habit, reached.milestone, reached.unlocked_at)
                repairs.append(f"{kind}: this achievement was missing from the table.")
    for kind in existing - due:
        if ":" in kind and stored is not None:
            await items.delete_achievement(services.tables, stored.achievements[0].user_id, kind)
            repairs.append(f"{kind}: the log doesn't support this achievement.")
    return repairs
