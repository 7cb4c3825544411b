"""The log of a habit: complete a day, take it back, skip it, write a note. Each may be repeated without harm."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from decimal import Decimal

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED, HABIT_COMPLETED, HABIT_UNDONE
from almanac.desks.habits.model.habit import Habit, clean_note, note_hash
from almanac.desks.habits.pipeline.settlement import HabitSnapshot, SettlementCause, load_snapshot, settle_habit
from almanac.desks.habits.service.access import (
    find_owner,
    lock_owner,
    require_own_habit,
    require_past_day,
    require_plannable_day,
)
from almanac.desks.habits.store import entries
from almanac.desks.habits.store.people import HabitOwner
from almanac.errors import Conflict, StaleEdit
from almanac.relational import Unit
from almanac.services import Services

_ON_TIME = timedelta(days=1)
EntryChange = Callable[[Unit, HabitOwner, Habit], Awaitable[SettlementCause | None]]


async def complete_habit(
    services: Services,
    principal: Principal,
    habit_id: str,
    *,
    day: date | None = None,
    amount: Decimal | None = None,
    note: str | None = None,
) -> HabitSnapshot:
    """Enter a day: `amount` is its total, and without one the goal is met. The same again changes nothing."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_past_day(owner, day)
        _refuse_archived(habit)
        if note is not None:
            await entries.put_note(unit, habit.id, on, clean_note(note), services.clock.now())
        total = _rule_amount(habit, on) if amount is None else amount
        late = on < owner.today - _ON_TIME
        if not await entries.put_completion(unit, habit, on, total, late=late, now=services.clock.now()):
            return None
        return SettlementCause(name=HABIT_COMPLETED, day=on, words="Entered late" if late else "Completed")

    return await _change(services, principal, habit_id, change)


async def undo_completion(services: Services, principal: Principal, habit_id: str, day: date) -> HabitSnapshot:
    """Take a day's entry back, and with it exactly what it brought. Where there is none, nothing changes."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_past_day(owner, day) if day <= owner.today else day
        removed = await entries.delete_completion(unit, habit.id, on)
        return (
            None if removed is None else SettlementCause(name=HABIT_UNDONE, day=on, words="Taken back", removed=removed)
        )

    return await _change(services, principal, habit_id, change)


async def skip_day(
    services: Services, principal: Principal, habit_id: str, *, day: date | None = None
) -> HabitSnapshot:
    """Leave a day out: it protects the streak and never extends it. An entry for the day is worth more."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_plannable_day(owner, day)
        _refuse_archived(habit)
        if not await entries.put_skips(unit, habit.id, [on], services.clock.now()):
            return None
        return SettlementCause(name=HABIT_CHANGED, day=on, words="Skipped")

    return await _change(services, principal, habit_id, change)


async def unskip_day(services: Services, principal: Principal, habit_id: str, day: date) -> HabitSnapshot:
    """Ask for a day again that was skipped."""

    async def change(unit: Unit, _keeper: HabitOwner, habit: Habit) -> SettlementCause | None:
        if not await entries.delete_skip(unit, habit.id, day):
            return None
        return SettlementCause(name=HABIT_CHANGED, day=day, words="Skipped no more")

    return await _change(services, principal, habit_id, change)


async def write_note(
    services: Services, principal: Principal, habit_id: str, day: date, note: str, *, over: str | None = None
) -> str:
    """Keep some words about a day; empty words remove them. Returns their mark.

    `over` is the mark of the words that the writer saw: where others stand by now, nothing changes.
    """
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        on, words = require_plannable_day(owner, day), clean_note(note)
        there = (await entries.list_notes(unit, habit.id)).get(on, "")
        if over is not None and note_hash(there) != over and there != words:
            raise StaleEdit("This note was changed meanwhile; look at it and repeat your change.", note_hash(there))
        await entries.put_note(unit, habit.id, on, words, services.clock.now())
        return note_hash(words)


async def list_notes(services: Services, principal: Principal, habit_id: str) -> dict[date, str]:
    """What was written about a habit's days."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await entries.list_notes(unit, (await require_own_habit(unit, owner, habit_id)).id)


async def _change(services: Services, principal: Principal, habit_id: str, change: EntryChange) -> HabitSnapshot:
    """Change the log and settle what follows, under the owner's lock: of many at once, one is first."""
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        cause = await change(unit, owner, habit)
        if cause is None:
            return await load_snapshot(unit, habit, owner.today)
        return await settle_habit(services, unit, habit, owner.today, cause)


def _rule_amount(habit: Habit, day: date) -> Decimal:
    """What is meant by done on that day."""
    rule = [habit.rules[0], *(rule for rule in habit.rules if rule.since <= day)][-1]
    return rule.goal.default_amount


def _refuse_archived(habit: Habit) -> None:
    if habit.archived_on is not None:
        raise Conflict("This habit is archived; take it out of the archive first.")
