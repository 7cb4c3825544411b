"""A person's habits: create, list, edit, reorder, archive and delete them."""

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
    load_snapshots,
    settle_habit,
)
from almanac.desks.habits.pipeline.snapshot_cache import SnapshotCache
from almanac.desks.habits.service.access import find_owner, lock_owner, require_own_habit, require_plannable_day
from almanac.desks.habits.store import entries, habits, items, people, rewards
from almanac.desks.habits.store.people import HabitOwner
from almanac.desks.habits.store.rewards import PointsChange
from almanac.errors import FieldErrors, Retryable, StaleEdit
from almanac.kit.ids import Seed, new_id
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services

MAX_HABITS = 500
_snapshots = SnapshotCache()


async def create_habit(
    services: Services,
    principal: Principal,
    fields: HabitInput,
    *,
    schedule: HabitSchedule | None = None,
    goal: Goal | None = None,
    start: date | None = None,
    seed: Seed | None = None,
) -> HabitSnapshot:
    """Create a habit that starts today or on the given day. With the same seed it is created once."""
    fields = fields.cleaned()
    if fields.name is None:
        raise FieldErrors({"name": gettext("Enter a name for the habit.")})
    async with lock_owner(services, principal) as (unit, owner):
        habit_id = seed.id("habit") if seed else new_id()
        if seed and seed.is_repeated and (existing := await habits.find_habit(unit, habit_id)):
            return (await load_snapshots(unit, [existing], owner.today))[0]
        if len(await habits.list_habits(unit, owner.id, archived=True)) >= MAX_HABITS:
            raise FieldErrors(
                {"name": gettext("You can have up to %(limit)s habits; delete one first.", limit=MAX_HABITS)}
            )
        rule = HabitRule(require_plannable_day(owner, start, "start"), schedule or HabitSchedule(), goal or Goal())
        await habits.insert_habit(unit, habit_id, owner.id, fields, now=services.clock.now())
        await habits.write_rules(unit, habit_id, [rule])
        return await _index_and_settle(services, unit, owner, habit_id)


async def _index_and_settle(services: Services, unit: Unit, owner: HabitOwner, habit_id: str) -> HabitSnapshot:
    habit = await require_own_habit(unit, owner, habit_id)
    await services.search.put(unit, habit_document(habit))
    return await settle_habit(services, unit, habit, owner.today, _cause(owner, "Created"))


async def list_habits(services: Services, principal: Principal, *, archived: bool = False) -> list[HabitSnapshot]:
    """The principal's habits in their order, with their stats today."""
    async with services.database.reading() as reading:
        owner = await find_owner(services, reading, principal)

        async def load() -> list[HabitSnapshot]:
            own = await habits.list_habits(reading, owner.id, archived=archived)
            return await load_snapshots(reading, own, owner.today)

        return [*await _snapshots.get(owner, "all" if archived else "active", load)]


async def get_habit(services: Services, principal: Principal, habit_id: str) -> HabitSnapshot:
    """One habit with its stats today."""
    async with services.database.reading() as reading:
        owner = await find_owner(services, reading, principal)

        async def load() -> list[HabitSnapshot]:
            return await load_snapshots(reading, [await require_own_habit(reading, owner, habit_id)], owner.today)

        return (await _snapshots.get(owner, habit_id, load))[0]


async def edit_habit(
    services: Services,
    principal: Principal,
    habit_id: str,
    fields: HabitInput,
    *,
    expected: int,
    rule: HabitRule | None = None,
) -> HabitSnapshot:
    """Change a habit; a new `rule` applies from its day on and leaves earlier days alone."""
    fields = fields.cleaned()
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        if expected != habit.version:
            raise StaleEdit(
                gettext("This habit was changed in the meantime; reload it and make your change again."),
                str(habit.version),
            )
        edited = _apply_fields(habit, fields, owner.today)
        if rule is not None:
            require_plannable_day(owner, rule.since, "since")
            await habits.write_rules(unit, habit.id, add_rule(habit.rules, rule))
        await habits.update_habit(unit, edited, services.clock.now())
        edited = await require_own_habit(unit, owner, habit_id)
        await services.search.put(unit, habit_document(edited))
        return await settle_habit(services, unit, edited, owner.today, _cause(owner, "The habit was changed"))


def _apply_fields(habit: Habit, fields: HabitInput, today: date) -> Habit:
    changes = {
        name: getattr(fields, name)
        for name in ("name", "description", "tags", "group", "position", "remind_at")
        if getattr(fields, name) is not None
    }
    if fields.no_reminder:
        changes["remind_at"] = None
    if fields.archived is not None:
        changes["archived_on"] = (habit.archived_on or today) if fields.archived else None
    return replace(habit, **changes)


async def preview_rule(services: Services, principal: Principal, habit_id: str, rule: HabitRule) -> RuleEffect:
    """The effect of a rule change on streak and points; changes nothing."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        habit = await require_own_habit(unit, owner, habit_id)
        require_plannable_day(owner, rule.since, "since")
        return preview_rule_change((await entries.read_history(unit, habit)).history, rule, owner.today)


async def reorder_habits(services: Services, principal: Principal, ids: Sequence[str]) -> None:
    """Put the habits into this order; habits not listed come after."""
    async with lock_owner(services, principal) as (unit, owner):
        await _write_order(services, unit, owner, ids)


async def _write_order(services: Services, unit: Unit, owner: HabitOwner, ids: Sequence[str]) -> None:
    own = {habit.id: habit for habit in await habits.list_habits(unit, owner.id, archived=True)}
    if unknown := [habit_id for habit_id in ids if habit_id not in own]:
        raise FieldErrors({"ids": gettext("You don't have the habit %(id)s; reload the list.", id=unknown[0])})
    order = [*dict.fromkeys(ids), *(habit_id for habit_id in own if habit_id not in ids)]
    for position, habit_id in enumerate(order, 1):
        if own[habit_id].position != position:
            await habits.update_habit(unit, replace(own[habit_id], position=position), services.clock.now())


async def move_habit(services: Services, principal: Principal, habit_id: str, *, up: bool) -> Habit:
    """Move a habit one place up or down within its group; the first can't go up, nor the last down."""
    async with lock_owner(services, principal) as (unit, owner):
        moved = await require_own_habit(unit, owner, habit_id)
        shown = await habits.list_habits(unit, owner.id, archived=False)
        order = [habit.id for habit in shown]
        places = [place for place, habit in enumerate(shown) if habit.group == moved.group]
        here = next((number for number, place in enumerate(places) if order[place] == habit_id), None)
        if here is not None and 0 <= (there := here - 1 if up else here + 1) < len(places):
            first, second = places[here], places[there]
            order[first], order[second] = order[second], order[first]
            await _write_order(services, unit, owner, order)
    return moved


async def delete_habit(services: Services, principal: Principal, habit_id: str) -> None:
    """Delete a habit with its log, points, badges, table items and search entry."""
    async with lock_owner(services, principal) as (unit, owner):
        habit = await require_own_habit(unit, owner, habit_id)
        await delete_habit_in_unit(services, unit, habit, owner.today)
        deed = AuditAction(principal.actor, "habit.deleted", AuditSubject("habit", habit_id))
        await audit.record(unit, services.clock, deed)
    # A job does this too; doing it now hides the habit at once.
    with suppress(Retryable):
        await items.delete_habit_items(services.tables, owner.id, habit_id)


async def delete_habit_in_unit(services: Services, unit: Unit, habit: Habit, today: date) -> None:
    """Delete a habit in the caller's transaction; a job deletes its table items."""
    event_id, now = new_id(), services.clock.now()
    if habit.points:
        change = PointsChange(today, -habit.points, "The habit was deleted.")
        await rewards.add_ledger_lines(unit, habit, [change], event_id=event_id, now=now)
        await people.add_person_points(unit, habit.owner_id, -habit.points, now)
    event = HabitEvent(name=HABIT_DELETED, day=today, streak=0, points=-habit.points)
    await event_handlers.record_event(services, unit, habit, event, event_id, now)
    await services.search.remove(unit, KIND.name, [habit.id])
    await habits.delete_habit(unit, habit.id)


def _cause(owner: HabitOwner, words: str) -> SettlementCause:
    return SettlementCause(name=HABIT_CHANGED, day=owner.today, words=words)


async def delete_person(services: Services, principal: Principal) -> None:
    """Delete everything the desk stores about a person: habits, days off, settings and points."""
    for snapshot in await list_habits(services, principal, archived=True):
        await delete_habit(services, principal, snapshot.habit.id)
    async with services.database.unit() as unit:
        await people.find_person(unit, principal.user_id, lock=True)
        await people.delete_person(unit, principal.user_id)
        await items.delete_stats(services.tables, principal.user_id)
