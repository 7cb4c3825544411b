"""Habits of one's own: added, listed, edited, given another rule from a day on, archived and deleted."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date

from almanac.accounts.model import Principal
from almanac.audit import service as audit
from almanac.audit.model import Deed, Subject
from almanac.desks.habits import reactions
from almanac.desks.habits.events import HABIT_CHANGED, HABIT_DELETED, HabitEvent
from almanac.desks.habits.indexing import KIND, as_found
from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.habit import Habit, HabitWish
from almanac.desks.habits.model.history import Rule
from almanac.desks.habits.model.rule_changes import RuleEffect, preview, with_rule
from almanac.desks.habits.model.schedule import Schedule
from almanac.desks.habits.service.access import Keeper, keeper_of, own_habit, own_unit, plannable_day
from almanac.desks.habits.settling import Cause, Settled, look, look_at_all, settle
from almanac.desks.habits.store import habits, items, log, people, rewards
from almanac.desks.habits.store.rewards import PointsChange
from almanac.errors import FieldErrors, Retryable, StaleEdit
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services

MOST_HABITS = 500


async def create(
    services: Services,
    principal: Principal,
    wish: HabitWish,
    *,
    schedule: Schedule | None = None,
    goal: Goal | None = None,
    start: date | None = None,
) -> Settled:
    """Begin a habit, today or on the day given."""
    wish = wish.cleaned()
    if wish.name is None:
        raise FieldErrors({"name": "Give the habit a name."})
    async with own_unit(services, principal) as (unit, keeper):
        if len(await habits.list_habits(unit, keeper.id, archived=True)) >= MOST_HABITS:
            raise FieldErrors({"name": f"{MOST_HABITS} habits are the most; delete one first."})
        rule = Rule(plannable_day(keeper, start, "start"), schedule or Schedule(), goal or Goal())
        habit_id = new_id()
        await habits.insert_habit(unit, habit_id, keeper.id, wish, now=services.clock.now())
        await habits.write_rules(unit, habit_id, [rule])
        return await _begun(services, unit, keeper, habit_id)


async def _begun(services: Services, unit: Unit, keeper: Keeper, habit_id: str) -> Settled:
    habit = await own_habit(unit, keeper, habit_id)
    await services.search.put(unit, as_found(habit))
    return await settle(services, unit, habit, keeper.today, _changed(keeper, "Begun"))


async def list_own(services: Services, principal: Principal, *, archived: bool = False) -> list[Settled]:
    """One's own habits in their order, each with its standing today."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        found = await habits.list_habits(unit, keeper.id, archived=archived)
        return await look_at_all(unit, found, keeper.today)


async def get(services: Services, principal: Principal, habit_id: str) -> Settled:
    """One habit with its standing today."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        return await look(unit, await own_habit(unit, keeper, habit_id), keeper.today)


async def edit(
    services: Services,
    principal: Principal,
    habit_id: str,
    wish: HabitWish,
    *,
    expected: int,
    rule: Rule | None = None,
) -> Settled:
    """Change a habit; `rule` holds from its day on, and the past keeps the rule of its time."""
    wish = wish.cleaned()
    async with own_unit(services, principal) as (unit, keeper):
        habit = await own_habit(unit, keeper, habit_id)
        if expected != habit.version:
            raise StaleEdit(
                "This habit was changed meanwhile; load it again and repeat your change.", str(habit.version)
            )
        edited = _edited(habit, wish, keeper.today)
        if rule is not None:
            plannable_day(keeper, rule.since, "since")
            await habits.write_rules(unit, habit.id, with_rule(habit.rules, rule))
        await habits.update_habit(unit, edited, services.clock.now())
        edited = await own_habit(unit, keeper, habit_id)
        await services.search.put(unit, as_found(edited))
        return await settle(services, unit, edited, keeper.today, _changed(keeper, "The habit was changed"))


def _edited(habit: Habit, wish: HabitWish, today: date) -> Habit:
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


async def preview_rule(services: Services, principal: Principal, habit_id: str, rule: Rule) -> RuleEffect:
    """What another rule would do to the streak and the points, with nothing changed."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        habit = await own_habit(unit, keeper, habit_id)
        plannable_day(keeper, rule.since, "since")
        return preview((await log.read_history(unit, habit)).history, rule, keeper.today)


async def reorder(services: Services, principal: Principal, ids: Sequence[str]) -> None:
    """Put one's habits into this order; those not named come after."""
    async with own_unit(services, principal) as (unit, keeper):
        await _put_in_order(services, unit, keeper, ids)


async def _put_in_order(services: Services, unit: Unit, keeper: Keeper, ids: Sequence[str]) -> None:
    own = {habit.id: habit for habit in await habits.list_habits(unit, keeper.id, archived=True)}
    if unknown := [one for one in ids if one not in own]:
        raise FieldErrors({"ids": f"You have no habit {unknown[0]}; load the list again."})
    order = [*dict.fromkeys(ids), *(one for one in own if one not in ids)]
    for place, habit_id in enumerate(order, 1):
        if own[habit_id].position != place:
            await habits.update_habit(unit, replace(own[habit_id], position=place), services.clock.now())


async def move(services: Services, principal: Principal, habit_id: str, *, up: bool) -> Habit:
    """Put a habit one place up or down among those of its group; the first and the last stay where they are."""
    async with own_unit(services, principal) as (unit, keeper):
        moved = await own_habit(unit, keeper, habit_id)
        shown = await habits.list_habits(unit, keeper.id, archived=False)
        order = [habit.id for habit in shown]
        places = [place for place, habit in enumerate(shown) if habit.group == moved.group]
        here = next((number for number, place in enumerate(places) if order[place] == habit_id), None)
        if here is not None and 0 <= (there := here - 1 if up else here + 1) < len(places):
            first, second = places[here], places[there]
            order[first], order[second] = order[second], order[first]
            await _put_in_order(services, unit, keeper, order)
    return moved


async def delete(services: Services, principal: Principal, habit_id: str) -> None:
    """Remove a habit with its log, points, badges, items in the table and its place in search."""
    async with own_unit(services, principal) as (unit, keeper):
        habit = await own_habit(unit, keeper, habit_id)
        await delete_in(services, unit, habit, keeper.today)
        deed = Deed(principal.actor, "habit.deleted", Subject("habit", habit_id))
        await audit.record(unit, services.clock, deed)
    # A job does this too; what can be done at once needn't be seen any longer.
    with suppress(Retryable):
        await items.forget_habit(services.tables, keeper.id, habit_id)


async def delete_in(services: Services, unit: Unit, habit: Habit, today: date) -> None:
    """Remove a habit in the caller's transaction; its items follow from the queue."""
    event_id, now = new_id(), services.clock.now()
    if habit.points:
        gone = PointsChange(today, -habit.points, "The habit was deleted.")
        await rewards.add_ledger_lines(unit, habit, [gone], event_id=event_id, now=now)
        await people.add_points(unit, habit.owner_id, -habit.points, now)
    event = HabitEvent(name=HABIT_DELETED, day=today, streak=0, points=-habit.points)
    await reactions.announce(services, unit, habit, event, event_id, now)
    await services.search.remove(unit, KIND.name, [habit.id])
    await habits.delete_habit(unit, habit.id)


def _changed(keeper: Keeper, words: str) -> Cause:
    return Cause(name=HABIT_CHANGED, day=keeper.today, words=words)
