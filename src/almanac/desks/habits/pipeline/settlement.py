"""Settles a habit after a change: computes its stats from the full log, then writes points, badges, ledger and events.

All of it happens in the transaction that changed the log and holds the owner's lock. Nothing is counted up
incrementally, so nothing can drift, and an undo exactly reverses what it undoes.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.habits import events
from almanac.desks.habits.events import HabitEvent
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitHistory
from almanac.desks.habits.model.points_reasons import describe_points_change
from almanac.desks.habits.model.stats import HabitStats, compute_stats
from almanac.desks.habits.pipeline import event_handlers
from almanac.desks.habits.store import entries, habits, people, rewards
from almanac.desks.habits.store.entries import RecordedHistory
from almanac.desks.habits.store.people import HabitOwner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.kit.ids import new_id
from almanac.relational import ReadTransaction, Unit
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementCause:
    """Why a habit is settled: event name, day, and words for the ledger. `removed` are the points of a deleted entry;
    a `quiet` cause sends no notifications."""

    name: str
    day: date
    words: str
    removed: int = 0
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSnapshot:
    """A habit with its history and stats; after a change also the points it earned and the milestones it reached."""

    habit: Habit
    history: HabitHistory
    stats: HabitStats
    points: int = 0
    changed: bool = True
    unlocked: tuple[int, ...] = ()


async def load_snapshot(unit: ReadTransaction, habit: Habit, today: date) -> HabitSnapshot:
    """A habit with its stats today; writes nothing."""
    return (await load_snapshots(unit, [habit], today))[0]


async def load_snapshots(unit: ReadTransaction, owned: Sequence[Habit], today: date) -> list[HabitSnapshot]:
    """Habits of one person with their stats today, in the same order."""
    return [
        HabitSnapshot(habit=habit, history=history, stats=compute_stats(history, today), changed=False)
        for habit, history in zip(owned, await entries.read_histories(unit, owned), strict=True)
    ]


async def settle_habit(
    services: Services, unit: Unit, habit: Habit, today: date, cause: SettlementCause
) -> HabitSnapshot:
    """Store everything computed from the log and record the event. The caller must hold the owner's lock."""
    recorded = await entries.read_history(unit, habit)
    stats = compute_stats(recorded.history, today)
    changes = [*_points_changes(recorded, stats, cause)]
    if not changes and cause.name == events.HABIT_CHANGED and _is_stored(habit, stats):
        return HabitSnapshot(habit=habit, history=recorded.history, stats=stats, changed=False)
    event_id, now = new_id(), services.clock.now()
    await _write_points(services, unit, habit, recorded, changes, event_id)
    await habits.update_stats(unit, habit.id, stats)
    unlocked, withdrawn = await _settle_achievements(services, unit, habit, stats)
    event = HabitEvent(
        name=cause.name,
        day=cause.day,
        streak=stats.current_streak,
        points=sum(change.points for change in changes),
        unlocked=unlocked,
        withdrawn=withdrawn,
        quiet=cause.quiet,
    )
    await event_handlers.record_event(services, unit, habit, event, event_id, now)
    updated = await habits.find_habit(unit, habit.id)
    assert updated is not None
    return HabitSnapshot(habit=updated, history=recorded.history, stats=stats, points=event.points, unlocked=unlocked)


async def settle_all_habits(
    services: Services, unit: Unit, owner: HabitOwner, day: date | None, words: str, *, quiet: bool = False
) -> int:
    """Settle every habit of a person, archived ones too; returns how many changed."""
    cause = SettlementCause(name=events.HABIT_CHANGED, day=day or owner.today, words=words, quiet=quiet)
    own = await habits.list_habits(unit, owner.id, archived=True)
    snapshots = [await settle_habit(services, unit, habit, owner.today, cause) for habit in own]
    return sum(snapshot.changed for snapshot in snapshots)


def _is_stored(habit: Habit, stats: HabitStats) -> bool:
    """Whether the stored stats are the same already."""
    return (habit.points, habit.current_streak, habit.best_streak, habit.last_completed, habit.stands_until) == (
        stats.points,
        stats.current_streak,
        stats.best_streak,
        stats.last_completed,
        stats.stands_until,
    ) and abs(habit.strength - stats.strength) < 1e-9


def _points_changes(recorded: RecordedHistory, stats: HabitStats, cause: SettlementCause) -> Iterator[PointsChange]:
    """The changes that make the ledger equal to the log, day by day."""
    if cause.removed:
        yield PointsChange(cause.day, -cause.removed, cause.words)
    for entry in recorded.completions:
        award = stats.award_on(entry.day)
        points = award.points if award else 0
        if points != entry.points:
            streak = award.streak if award else 0
            yield PointsChange(entry.day, points - entry.points, _reason(cause, entry.day, streak, points))


def _reason(cause: SettlementCause, day: date, streak: int, points: int) -> str:
    return str(describe_points_change(cause.words, None if day == cause.day else cause.day, streak, points))


async def _write_points(
    services: Services, unit: Unit, habit: Habit, recorded: RecordedHistory, changes: list[PointsChange], event_id: str
) -> None:
    if not changes:
        return
    now, before = services.clock.now(), {entry.day: entry.points for entry in recorded.completions}
    await rewards.add_ledger_lines(unit, habit, changes, event_id=event_id, now=now)
    await entries.set_entry_points(
        unit, habit.id, {change.day: before[change.day] + change.points for change in changes if change.day in before}
    )
    await people.add_person_points(unit, habit.owner_id, sum(change.points for change in changes), now)


async def _settle_achievements(
    services: Services, unit: Unit, habit: Habit, stats: HabitStats
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Store reached milestones; returns the new ones and those that were withdrawn."""
    existing = {row.milestone: row for row in await rewards.list_achievements(unit, habit.id)}
    reached = {badge.milestone: badge for badge in stats.badges}
    for badge in stats.badges:
        if badge.milestone not in existing or existing[badge.milestone].reached_on != badge.reached_on:
            await rewards.put_achievement(unit, habit.id, badge.milestone, badge.reached_on, services.clock.now())
    for milestone in existing.keys() - reached.keys():
        await rewards.delete_achievement(unit, habit.id, milestone)
    return tuple(sorted(reached.keys() - existing.keys())), tuple(sorted(existing.keys() - reached.keys()))
