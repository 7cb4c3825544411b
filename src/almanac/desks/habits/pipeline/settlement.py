"""Settling a habit: its standing is worked out from the whole log, and points, badges, ledger and events follow it.

All in the transaction that changed the log, which holds the lock on its owner: nothing is ever added up by itself, so
nothing can drift, and an undo is the exact inverse of what it takes back.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from almanac.desks.habits import events
from almanac.desks.habits.events import HabitEvent
from almanac.desks.habits.model.habit import Habit
from almanac.desks.habits.model.history import HabitHistory
from almanac.desks.habits.model.stats import HabitStats, compute_stats
from almanac.desks.habits.pipeline import event_handlers
from almanac.desks.habits.store import entries, habits, people, rewards
from almanac.desks.habits.store.entries import RecordedHistory
from almanac.desks.habits.store.people import HabitOwner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class SettlementCause:
    """Why a habit is snapshot: the event's name, the day it is about, the words for the ledger, and the points of an
    entry that is gone."""

    name: str
    day: date
    words: str
    removed: int = 0
    quiet: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSnapshot:
    """A habit with its history and standing; after a change of its log, also what that did to the points."""

    habit: Habit
    history: HabitHistory
    stats: HabitStats
    points: int = 0
    changed: bool = True
    unlocked: tuple[int, ...] = ()


async def load_snapshot(unit: Unit, habit: Habit, today: date) -> HabitSnapshot:
    """A habit as it stands, with nothing written."""
    return (await load_snapshots(unit, [habit], today))[0]


async def load_snapshots(unit: Unit, found: Sequence[Habit], today: date) -> list[HabitSnapshot]:
    """Habits of one person as they stand."""
    recorded = await entries.read_histories(unit, found)
    return [
        HabitSnapshot(habit=habit, history=one.history, stats=compute_stats(one.history, today), changed=False)
        for habit, one in zip(found, recorded, strict=True)
    ]


async def settle_habit(
    services: Services, unit: Unit, habit: Habit, today: date, cause: SettlementCause
) -> HabitSnapshot:
    """Write down what follows from the log, and have everybody told who must be. The owner's lock must be held."""
    recorded = await entries.read_history(unit, habit)
    found = compute_stats(recorded.history, today)
    changes = [*_points_changes(recorded, found, cause)]
    if not changes and cause.name == events.HABIT_CHANGED and _is_known(habit, found):
        return HabitSnapshot(habit=habit, history=recorded.history, stats=found, changed=False)
    event_id, now = new_id(), services.clock.now()
    await _write_points(services, unit, habit, recorded, changes, event_id)
    await habits.update_stats(unit, habit.id, found)
    unlocked, withdrawn = await _settle_achievements(services, unit, habit, found)
    event = HabitEvent(
        name=cause.name,
        day=cause.day,
        streak=found.current_streak,
        points=sum(one.points for one in changes),
        unlocked=unlocked,
        withdrawn=withdrawn,
        quiet=cause.quiet,
    )
    await event_handlers.record_event(services, unit, habit, event, event_id, now)
    after = await habits.find_habit(unit, habit.id)
    assert after is not None
    return HabitSnapshot(habit=after, history=recorded.history, stats=found, points=event.points, unlocked=unlocked)


async def settle_all_habits(
    services: Services, unit: Unit, owner: HabitOwner, day: date | None, words: str, *, quiet: bool = False
) -> int:
    """Settle every habit of a person, archived ones too; returns how many changed."""
    cause = SettlementCause(name=events.HABIT_CHANGED, day=day or owner.today, words=words, quiet=quiet)
    own = await habits.list_habits(unit, owner.id, archived=True)
    snapshot = [await settle_habit(services, unit, habit, owner.today, cause) for habit in own]
    return sum(one.changed for one in snapshot)


def _is_known(habit: Habit, found: HabitStats) -> bool:
    """Whether what is written down already says so."""
    return (habit.points, habit.current_streak, habit.best_streak, habit.last_completed, habit.stands_until) == (
        found.points,
        found.current_streak,
        found.best_streak,
        found.last_completed,
        found.stands_until,
    ) and abs(habit.strength - found.strength) < 1e-9


def _points_changes(recorded: RecordedHistory, found: HabitStats, cause: SettlementCause) -> Iterator[PointsChange]:
    """Day by day, what the ledger must be told so that it says what the log says."""
    if cause.removed:
        yield PointsChange(cause.day, -cause.removed, cause.words)
    for entry in recorded.completions:
        award = found.award_on(entry.day)
        points = award.points if award else 0
        if points != entry.points:
            streak = award.streak if award else 0
            yield PointsChange(entry.day, points - entry.points, _reason(cause, entry.day, streak, points))


def _reason(cause: SettlementCause, day: date, streak: int, points: int) -> str:
    told = f"streak of {streak}, {points} points" if points else "the day counts for nothing"
    if day == cause.day:
        return f"{cause.words}: {told}."
    return f"{cause.words} ({cause.day:%-d %B %Y}) changed this day: {told}."


async def _write_points(
    services: Services, unit: Unit, habit: Habit, recorded: RecordedHistory, changes: list[PointsChange], event_id: str
) -> None:
    if not changes:
        return
    now, before = services.clock.now(), {one.day: one.points for one in recorded.completions}
    await rewards.add_ledger_lines(unit, habit, changes, event_id=event_id, now=now)
    await entries.set_entry_points(
        unit, habit.id, {one.day: before[one.day] + one.points for one in changes if one.day in before}
    )
    await people.add_person_points(unit, habit.owner_id, sum(one.points for one in changes), now)


async def _settle_achievements(
    services: Services, unit: Unit, habit: Habit, found: HabitStats
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Milestones that are new, and those that are reached no more."""
    known = {one.milestone: one for one in await rewards.list_achievements(unit, habit.id)}
    reached = {badge.milestone: badge for badge in found.badges}
    for badge in found.badges:
        if badge.milestone not in known or known[badge.milestone].reached_on != badge.reached_on:
            await rewards.put_achievement(unit, habit.id, badge.milestone, badge.reached_on, services.clock.now())
    for milestone in known.keys() - reached.keys():
        await rewards.delete_achievement(unit, habit.id, milestone)
    return tuple(sorted(reached.keys() - known.keys())), tuple(sorted(known.keys() - reached.keys()))
