"""The log of a habit: complete, undo, skip and annotate days. All of these are idempotent."""

from collections.abc import Awaitable, Callable
from datetime import date, timedelta
from decimal import Decimal

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED, HABIT_COMPLETED, HABIT_UNDONE
from almanac.desks.habits.model.habit import Habit, clean_note, note_hash
from almanac.desks.habits.model.signed_links import SignedLink
from almanac.desks.habits.pipeline.settlement import HabitSnapshot, SettlementCause, load_snapshot, settle_habit
from almanac.desks.habits.service.access import (
    lock_owner,
    require_own_habit,
    require_past_day,
    require_plannable_day,
)
from almanac.desks.habits.service.habits import get_habit
from almanac.desks.habits.store import entries
from almanac.desks.habits.store.people import HabitOwner
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.saved.owners import find_active_owner
from almanac.services import Services

_LATE_AFTER = timedelta(days=1)
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
    """Enter a day. `amount` is its total; without one, the amount that meets the goal is entered."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_past_day(owner, day)
        _refuse_archived(habit)
        if note is not None:
            await entries.put_note(unit, habit.id, on, clean_note(note), services.clock.now())
        total = _default_amount(habit, on) if amount is None else amount
        late = on < owner.today - _LATE_AFTER
        if not await entries.put_completion(unit, habit, on, total, late=late, now=services.clock.now()):
            return None
        return SettlementCause(name=HABIT_COMPLETED, day=on, words="Entered late" if late else "Completed")

    return await _apply(services, principal, habit_id, change)


async def undo_completion(services: Services, principal: Principal, habit_id: str, day: date) -> HabitSnapshot:
    """Delete a day's entry and exactly what it earned; nothing happens if there is none."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_past_day(owner, day) if day <= owner.today else day
        removed = await entries.delete_completion(unit, habit.id, on)
        return None if removed is None else SettlementCause(name=HABIT_UNDONE, day=on, words="Undone", removed=removed)

    return await _apply(services, principal, habit_id, change)


async def skip_day(
    services: Services, principal: Principal, habit_id: str, *, day: date | None = None
) -> HabitSnapshot:
    """Skip a day: it protects the streak and never extends it. An entry for the day takes precedence."""

    async def change(unit: Unit, owner: HabitOwner, habit: Habit) -> SettlementCause | None:
        on = require_plannable_day(owner, day)
        _refuse_archived(habit)
        if not await entries.put_skips(unit, habit.id, [on], services.clock.now()):
            return None
        return SettlementCause(name=HABIT_CHANGED, day=on, words="Skipped")

    return await _apply(services, principal, habit_id, change)


async def unskip_day(services: Services, principal: Principal, habit_id: str, day: date) -> HabitSnapshot:
    """Undo a skip; nothing happens if the day wasn't skipped."""

    async def change(unit: Unit, _keeper: HabitOwner, habit: Habit) -> SettlementCause | None:
        if not await entries.delete_skip(unit, habit.id, day):
            return None
        return SettlementCause(name=HABIT_CHANGED, day=day, words="Skip undone")

    return await _apply(services, principal, habit_id, change)


async def write_note(
    services: Services, principal: Principal, habit_id: str, day: date, note: str, *, over: str | None = None
) -> str:
    """Write a note about a day; an empty note deletes it. Returns the hash of the new text.

    `over` is the hash of the text the writer saw; raises StaleEdit if the note has changed since.
    """
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        on, text = require_plannable_day(owner, day), clean_note(note)
        existing = (await entries.list_notes(unit, habit.id)).get(on, "")
        if over is not None and note_hash(existing) != over and existing != text:
            raise StaleEdit(
                gettext("This note was changed in the meantime; check it and save again."), note_hash(existing)
            )
        await entries.put_note(unit, habit.id, on, text, services.clock.now())
        return note_hash(text)


async def list_notes(services: Services, principal: Principal, habit_id: str) -> dict[date, str]:
    """A habit's notes by day."""
    habit = (await get_habit(services, principal, habit_id)).habit
    async with services.database.reading() as reading:
        return await entries.list_notes(reading, habit.id)


async def _apply(services: Services, principal: Principal, habit_id: str, change: EntryChange) -> HabitSnapshot:
    """Change the log and settle the habit, under the owner's lock. A change of None only reads the habit."""
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        cause = await change(unit, owner, habit)
        if cause is None:
            return await load_snapshot(unit, habit, owner.today)
        return await settle_habit(services, unit, habit, owner.today, cause)


def _default_amount(habit: Habit, day: date) -> Decimal:
    """The amount that meets the goal on that day."""
    rule = [habit.rules[0], *(rule for rule in habit.rules if rule.since <= day)][-1]
    return rule.goal.default_amount


def _refuse_archived(habit: Habit) -> None:
    if habit.archived_on is not None:
        raise Conflict(gettext("This habit is archived; restore it first."))


async def apply_link(services: Services, link: SignedLink) -> HabitSnapshot:
    """Do what a reminder's link says, as the habit's owner. Idempotent."""
    owner = await link_owner(services, link)
    if link.action == "skip":
        return await skip_day(services, owner, link.habit_id, day=link.day)
    return await complete_habit(services, owner, link.habit_id, day=link.day)


async def link_owner(services: Services, link: SignedLink) -> Principal:
    """The owner of a link; raises NotFound if the account is closed."""
    owner = await find_active_owner(services.accounts, link.owner_id)
    if owner is None:
        raise NotFound(gettext("The account of this link is closed."))
    return owner
