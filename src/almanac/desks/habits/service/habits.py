"""Habits of one's own: added, listed, edited, given another rule from a day on, archived and deleted."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import AuditAction, AuditSubject
from almanac.desks.habits.events import HABIT_CHANGED, HABIT_DELETED, HabitEvent
from almanac.desks.habits.indexing import KIND, habit_document
from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.habit import Habit, HabitInput
from almanac.desks.habits.model.history import HabitRule
from almanac.desks.habits.model.rule_changes import RuleEffect, add_rule, preview_rule_change
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.desks.habits.pipeline import event_handlers
from almanac.desks.habits.pipeline.settlement import (
    HabitSnapshot,
    SettlementCause,
    load_snapshot,
    load_snapshots,
    settle_habit,
)
from almanac.desks.habits.service.access import find_owner, lock_owner, require_own_habit, require_plannable_day
from almanac.desks.habits.store import entries, habits, items, people, rewards
from almanac.desks.habits.store.people import HabitOwner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.errors import FieldErrors, Retryable, StaleEdit
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services

MOST_HABITS = 500


async def create_habit(
    services: Services,
    principal: Principal,
    wish: HabitInput,
    *,
    schedule: HabitSchedule | None = None,
    goal: Goal | None = None,
    start: date | None = None,
) -> HabitSnapshot:
    """Begin a habit, today or on the day given."""
    wish = wish.cleaned()
    if wish.name is None:
        raise FieldErrors({"name": "Give the habit a name."})
    async with lock_owner(services, principal) as (unit, owner):
        if len(await habits.list_habits(unit, owner.id, archived=True)) >= MOST_HABITS:
            raise FieldErrors({"name": f"{MOST_HABITS} habits are the most; delete one first."})
        rule = HabitRule(require_plannable_day(owner, start, "start"), schedule or HabitSchedule(), goal or Goal())
        habit_id = new_id()
        await habits.insert_habit(unit, habit_id, owner.id, wish, now=services.clock.now())
        await habits.write_rules(unit, habit_id, [rule])
        return await _begun(services, unit, owner, habit_id)


async def _begun(services: Services, unit: Unit, owner: HabitOwner, habit_id: str) -> HabitSnapshot:
    habit = await require_own_habit(unit, owner, habit_id)
    await services.search.put(unit, habit_document(habit))
    return await settle_habit(services, unit, habit, owner.today, _changed(owner, "Begun"))


async def list_habits(services: Services, principal: Principal, *, archived: bool = False) -> list[HabitSnapshot]:
    """One's own habits in their order, each with its standing today."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        found = await habits.list_habits(unit, owner.id, archived=archived)
        return await load_snapshots(unit, found, owner.today)


async def get_habit(services: Services, principal: Principal, habit_id: str) -> HabitSnapshot:
    """One habit with its standing today."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await load_snapshot(unit, await require_own_habit(unit, owner, habit_id), owner.today)


async def edit_habit(
    services: Services,
    principal: Principal,
    habit_id: str,
    wish: HabitInput,
    *,
    expected: int,
    rule: HabitRule | None = None,
) -> HabitSnapshot:
    """Change a habit; `rule` holds from its day on, and the past keeps the rule of its time."""
    wish = wish.cleaned()
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        if expected != habit.version:
            raise StaleEdit(
                "This habit was changed meanwhile; load it again and repeat your change.", str(habit.version)
            )
        edited = _edited(habit, wish, owner.today)
        if rule is not None:
            require_plannable_day(owner, rule.since, "since")
            await habits.write_rules(unit, habit.id, add_rule(habit.rules, rule))
        await habits.update_habit(unit, edited, services.clock.now())
        edited = await require_own_habit(unit, owner, habit_id)
        await services.search.put(unit, habit_document(edited))
        return await settle_habit(services, unit, edited, owner.today, _changed(owner, "The habit was changed"))


def _edited(habit: Habit, wish: HabitInput, today: date) -> Habit:
    changes = {
        name: getattr(wish, name)
        for name in ("name", "description", "tags", "group", "position", "remind_at")
        if getattr(wish, name) is not None
    }
    if wish.no_reminder:
        changes["remind_at"] = None
    if wish.archived is not None:
        changes["archived_on"] = (habit.archived_on or today) if wish.archived else None
    return replace(habit, **changes)


async def preview_rule(services: Services, principal: Principal, habit_id: str, rule: HabitRule) -> RuleEffect:
    """What another rule would do to the streak and the points, with nothing changed."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        habit = await require_own_habit(unit, owner, habit_id)
        require_plannable_day(owner, rule.since, "since")
        return preview_rule_change((await entries.read_history(unit, habit)).history, rule, owner.today)


async def reorder_habits(services: Services, principal: Principal, ids: Sequence[str]) -> None:
    """Put one's habits into this order; those not named come after."""
    async with lock_owner(services, principal) as (unit, owner):
        await _put_in_order(services, unit, owner, ids)


async def _put_in_order(services: Services, unit: Unit, owner: HabitOwner, ids: Sequence[str]) -> None:
    own = {habit.id: habit for habit in await habits.list_habits(unit, owner.id, archived=True)}
    if unknown := [one for one in ids if one not in own]:
        raise FieldErrors({"ids": f"You have no habit {unknown[0]}; load the list again."})
    order = [*dict.fromkeys(ids), *(one for one in own if one not in ids)]
    for place, habit_id in enumerate(order, 1):
        if own[habit_id].position != place:
            await habits.update_habit(unit, replace(own[habit_id], position=place), services.clock.now())


async def move_habit(services: Services, principal: Principal, habit_id: str, *, up: bool) -> Habit:
    """Put a habit one place up or down among those of its group; the first and the last stay where they are."""
    async with lock_owner(services, principal) as (unit, owner):
        moved = await require_own_habit(unit, owner, habit_id)
        shown = await habits.list_habits(unit, owner.id, archived=False)
        order = [habit.id for habit in shown]
        places = [place for place, habit in enumerate(shown) if habit.group == moved.group]
        here = next((number for number, place in enumerate(places) if order[place] == habit_id), None)
        if here is not None and 0 <= (there := here - 1 if up else here + 1) < len(places):
            first, second = places[here], places[there]
            order[first], order[second] = order[second], order[first]
            await _put_in_order(services, unit, owner, order)
    return moved


async def delete_habit(services: Services, principal: Principal, habit_id: str) -> None:
    """Remove a habit with its log, points, badges, items in the table and its place in search."""
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        await delete_habit_in_unit(services, unit, habit, owner.today)
        deed = AuditAction(principal.actor, "habit.deleted", AuditSubject("habit", habit_id))
        await audit.record(unit, services.clock, deed)
    # A job does this too; what can be done at once needn't be seen any longer.
    with suppress(Retryable):
        await items.delete_habit_items(services.tables, owner.id, habit_id)


async def delete_habit_in_unit(services: Services, unit: Unit, habit: Habit, today: date) -> None:
    """Remove a habit in the caller's transaction; its items follow from the queue."""
    event_id, now = new_id(), services.clock.now()
    if habit.points:
        gone = PointsChange(today, -habit.points, "The habit was deleted.")
        await rewards.add_ledger_lines(unit, habit, [gone], event_id=event_id, now=now)
        await people.add_person_points(unit, habit.owner_id, -habit.points, now)
    event = HabitEvent(name=HABIT_DELETED, day=today, streak=0, points=-habit.points)
    await event_handlers.record_event(services, unit, habit, event, event_id, now)
    await services.search.remove(unit, KIND.name, [habit.id])
    await habits.delete_habit(unit, habit.id)


def _changed(owner: HabitOwner, words: str) -> SettlementCause:
    return SettlementCause(name=HABIT_CHANGED, day=owner.today, words=words)


async def delete_person(services: Services, principal: Principal) -> None:
    """Delete everything the desk stores about a person: habits, days off, settings and points."""
    for one in await list_habits(services, principal, archived=True):
        await delete_habit(services, principal, one.habit.id)
    async with services.database.unit() as unit:
        await people.find_person(unit, principal.user_id, lock=True)
        await people.delete_person(unit, principal.user_id)
        await items.delete_stats(services.tables, principal.user_id)
