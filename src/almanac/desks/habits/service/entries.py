"""The log of a habit: complete a day, take it back, skip it, write a note. Each may be repeated without harm."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from decimal import Decimal

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED, HABIT_COMPLETED, HABIT_UNDONE
from almanac.desks.habits.model.habit import Habit, clean_note, mark_of
from almanac.desks.habits.service.access import Keeper, keeper_of, own_habit, own_unit, past_day, plannable_day
from almanac.desks.habits.settling import Cause, Settled, look, settle
from almanac.desks.habits.store import log
from almanac.errors import Conflict, StaleEdit
from almanac.relational import Unit
from almanac.services import Services

_ON_TIME = timedelta(days=1)
Change = Callable[[Unit, Keeper, Habit], Awaitable[Cause | None]]


async def complete(
    services: Services,
    principal: Principal,
    habit_id: str,
    *,
    day: date | None = None,
    amount: Decimal | None = None,
    note: str | None = None,
) -> Settled:
    """Enter a day: `amount` is its total, and without one the goal is met. The same again changes nothing."""

    async def change(unit: Unit, keeper: Keeper, habit: Habit) -> Cause | None:
        on = past_day(keeper, day)
        _refuse_archived(habit)
        if note is not None:
            await log.put_note(unit, habit.id, on, clean_note(note), services.clock.now())
        total = _rule_amount(habit, on) if amount is None else amount
        late = on < keeper.today - _ON_TIME
        if not await log.put_completion(unit, habit, on, total, late=late, now=services.clock.now()):
            return None
        return Cause(name=HABIT_COMPLETED, day=on, words="Entered late" if late else "Completed")

    return await _change(services, principal, habit_id, change)


async def undo(services: Services, principal: Principal, habit_id: str, day: date) -> Settled:
    """Take a day's entry back, and with it exactly what it brought. Where there is none, nothing changes."""

    async def change(unit: Unit, keeper: Keeper, habit: Habit) -> Cause | None:
        on = past_day(keeper, day) if day <= keeper.today else day
        removed = await log.delete_completion(unit, habit.id, on)
        return None if removed is None else Cause(name=HABIT_UNDONE, day=on, words="Taken back", removed=removed)

    return await _change(services, principal, habit_id, change)


async def skip(services: Services, principal: Principal, habit_id: str, *, day: date | None = None) -> Settled:
    """Leave a day out: it protects the streak and never extends it. An entry for the day is worth more."""

    async def change(unit: Unit, keeper: Keeper, habit: Habit) -> Cause | None:
        on = plannable_day(keeper, day)
        _refuse_archived(habit)
        if not await log.put_skips(unit, habit.id, [on], services.clock.now()):
            return None
        return Cause(name=HABIT_CHANGED, day=on, words="Skipped")

    return await _change(services, principal, habit_id, change)


async def unskip(services: Services, principal: Principal, habit_id: str, day: date) -> Settled:
    """Ask for a day again that was skipped."""

    async def change(unit: Unit, _keeper: Keeper, habit: Habit) -> Cause | None:
        if not await log.delete_skip(unit, habit.id, day):
            return None
        return Cause(name=HABIT_CHANGED, day=day, words="Skipped no more")

    return await _change(services, principal, habit_id, change)


async def write_note(
    services: Services, principal: Principal, habit_id: str, day: date, note: str, *, over: str | None = None
) -> str:
    """Keep some words about a day; empty words remove them. Returns their mark.

    `over` is the mark of the words that the writer saw: where others stand by now, nothing changes.
    """
    async with own_unit(services, principal) as (unit, keeper):
        habit = await own_habit(unit, keeper, habit_id)
        on, words = plannable_day(keeper, day), clean_note(note)
        there = (await log.list_notes(unit, habit.id)).get(on, "")
        if over is not None and mark_of(there) != over and there != words:
            raise StaleEdit("This note was changed meanwhile; look at it and repeat your change.", mark_of(there))
        await log.put_note(unit, habit.id, on, words, services.clock.now())
        return mark_of(words)


async def notes(services: Services, principal: Principal, habit_id: str) -> dict[date, str]:
    """What was written about a habit's days."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        return await log.list_notes(unit, (await own_habit(unit, keeper, habit_id)).id)


async def _change(services: Services, principal: Principal, habit_id: str, change: Change) -> Settled:
    """Change the log and settle what follows, under the owner's lock: of many at once, one is first."""
    async with own_unit(services, principal) as (unit, keeper):
        habit = await own_habit(unit, keeper, habit_id)
        cause = await change(unit, keeper, habit)
        if cause is None:
            return await look(unit, habit, keeper.today)
        return await settle(services, unit, habit, keeper.today, cause)


def _rule_amount(habit: Habit, day: date) -> Decimal:
    """What is meant by done on that day."""
    rule = [habit.rules[0], *(rule for rule in habit.rules if rule.since <= day)][-1]
    return rule.goal.when_just_done


def _refuse_archived(habit: Habit) -> None:
    if habit.archived_on is not None:
        raise Conflict("This habit is archived; take it out of the archive first.")
