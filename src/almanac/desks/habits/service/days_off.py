"""Vacations and rest days: days off that protect the streaks of all habits of a person."""

from collections.abc import Awaitable, Callable
from datetime import date

from almanac.accounts.model import Principal
from almanac.desks.habits.model.history import Vacation
from almanac.desks.habits.pipeline.settlement import settle_all_habits
from almanac.desks.habits.service.access import find_owner, lock_owner, require_plannable_day
from almanac.desks.habits.store import people
from almanac.desks.habits.store.people import HabitOwner, PlannedVacation
from almanac.errors import FieldErrors, NotFound
from almanac.kit.ids import new_id
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services

_MAX_DAYS = 366


async def plan_vacation(services: Services, principal: Principal, first: date, last: date) -> PlannedVacation:
    """Add a vacation, first and last day included. It protects streaks and never extends them. Idempotent."""
    vacation = PlannedVacation(id=new_id(), first_day=first, last_day=last)

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        check_vacation(owner, vacation.days)
        return await people.add_vacation(unit, owner.id, vacation)

    await _apply(services, principal, change, first, "A vacation")
    planned = await list_vacations(services, principal)
    return next(stored for stored in planned if stored.days == vacation.days)


def check_vacation(owner: HabitOwner, days: Vacation) -> None:
    """Raise FieldErrors unless the days are in order, at most a year long and not too far away."""
    if days.last < days.first:
        raise FieldErrors({"last_day": gettext("Choose a last day on or after the first day.")})
    if (days.last - days.first).days >= _MAX_DAYS:
        raise FieldErrors({"last_day": gettext("A vacation can last up to a year; archive the habit instead.")})
    require_plannable_day(owner, days.first, "first_day")


async def cancel_vacation(services: Services, principal: Principal, vacation_id: str) -> None:
    """Delete a vacation, past or planned."""

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        if not await people.delete_vacation(unit, owner.id, vacation_id):
            raise NotFound(gettext("Vacation not found; it may have been deleted."))
        return True

    await _apply(services, principal, change, None, "A vacation was deleted")


async def list_vacations(services: Services, principal: Principal) -> list[PlannedVacation]:
    """The principal's vacations, in order."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await people.list_vacations(unit, owner.id)


async def take_rest_day(services: Services, principal: Principal, day: date | None = None) -> date:
    """Take a day off from all habits; None means today. Idempotent."""
    async with services.database.unit() as unit:
        on = require_plannable_day(await find_owner(services, unit, principal), day)

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        return await people.add_rest_day(unit, owner.id, on)

    await _apply(services, principal, change, on, "A rest day")
    return on


async def cancel_rest_day(services: Services, principal: Principal, day: date) -> None:
    """Delete a rest day; nothing happens if it isn't one."""

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        return await people.delete_rest_day(unit, owner.id, day)

    await _apply(services, principal, change, day, "A rest day was deleted")


async def list_rest_days(services: Services, principal: Principal) -> list[date]:
    """The principal's rest days, in order."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await people.list_rest_days(unit, owner.id)


async def _apply(
    services: Services,
    principal: Principal,
    change: Callable[[Unit, HabitOwner], Awaitable[bool]],
    day: date | None,
    words: str,
) -> None:
    """Make a change under the owner's lock, and settle all habits if it changed anything."""
    async with lock_owner(services, principal) as (unit, owner):
        if await change(unit, owner):
            await settle_all_habits(services, unit, owner, day, words)
