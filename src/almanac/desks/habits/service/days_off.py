"""Days on which nothing breaks: vacations and rest days, for all habits of a person."""

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
from almanac.relational import Unit
from almanac.services import Services

_LONGEST = 366


async def plan_vacation(services: Services, principal: Principal, first: date, last: date) -> PlannedVacation:
    """Take days off, both ends included. It protects streaks and never extends them; the same again is the same."""
    wanted = PlannedVacation(id=new_id(), first_day=first, last_day=last)

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        check_vacation(owner, wanted.days)
        return await people.add_vacation(unit, owner.id, wanted)

    await _change(services, principal, change, first, "A vacation")
    known = await list_vacations(services, principal)
    return next(one for one in known if (one.first_day, one.last_day) == (first, last))


def check_vacation(owner: HabitOwner, days: Vacation) -> None:
    """Refuse days off that make no sense."""
    if days.last < days.first:
        raise FieldErrors({"last_day": "A vacation ends on the day it begins or later."})
    if (days.last - days.first).days >= _LONGEST:
        raise FieldErrors({"last_day": "A vacation lasts a year at most; archive the habit instead."})
    require_plannable_day(owner, days.first, "first_day")


async def cancel_vacation(services: Services, principal: Principal, vacation_id: str) -> None:
    """Take a vacation back, past or planned."""

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        if not await people.delete_vacation(unit, owner.id, vacation_id):
            raise NotFound("You have no such vacation.")
        return True

    await _change(services, principal, change, None, "A vacation taken back")


async def list_vacations(services: Services, principal: Principal) -> list[PlannedVacation]:
    """One's vacations, in order."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await people.list_vacations(unit, owner.id)


async def take_rest_day(services: Services, principal: Principal, day: date | None = None) -> date:
    """Rest from all habits on a day; the same again is the same."""
    async with services.database.unit() as unit:
        on = require_plannable_day(await find_owner(services, unit, principal), day)

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        return await people.add_rest_day(unit, owner.id, on)

    await _change(services, principal, change, on, "A rest day")
    return on


async def cancel_rest_day(services: Services, principal: Principal, day: date) -> None:
    """Ask for a day again."""

    async def change(unit: Unit, owner: HabitOwner) -> bool:
        return await people.delete_rest_day(unit, owner.id, day)

    await _change(services, principal, change, day, "A rest day taken back")


async def list_rest_days(services: Services, principal: Principal) -> list[date]:
    """One's rest days, in order."""
    async with services.database.unit() as unit:
        owner = await find_owner(services, unit, principal)
        return await people.list_rest_days(unit, owner.id)


async def _change(
    services: Services,
    principal: Principal,
    change: Callable[[Unit, HabitOwner], Awaitable[bool]],
    day: date | None,
    words: str,
) -> None:
    async with lock_owner(services, principal) as (unit, owner):
        if await change(unit, owner):
            await settle_all_habits(services, unit, owner, day, words)
