"""Days on which nothing breaks: vacations and rest days, for all habits of a person."""

from collections.abc import Awaitable, Callable
from datetime import date

from almanac.accounts.model import Principal
from almanac.desks.habits.events import HABIT_CHANGED
from almanac.desks.habits.model.history import Vacation
from almanac.desks.habits.service.access import Keeper, keeper_of, own_unit, plannable_day
from almanac.desks.habits.settling import Cause, settle
from almanac.desks.habits.store import habits, people
from almanac.desks.habits.store.people import PlannedVacation
from almanac.errors import FieldErrors, NotFound
from almanac.kit.ids import new_id
from almanac.relational import Unit
from almanac.services import Services

_LONGEST = 366


async def plan_vacation(services: Services, principal: Principal, first: date, last: date) -> PlannedVacation:
    """Take days off, both ends included. It protects streaks and never extends them; the same again is the same."""
    wanted = PlannedVacation(id=new_id(), first_day=first, last_day=last)

    async def change(unit: Unit, keeper: Keeper) -> bool:
        check_vacation(keeper, wanted.days)
        return await people.add_vacation(unit, keeper.id, wanted)

    await _change(services, principal, change, first, "A vacation")
    known = await vacations(services, principal)
    return next(one for one in known if (one.first_day, one.last_day) == (first, last))


def check_vacation(keeper: Keeper, days: Vacation) -> None:
    """Refuse days off that make no sense."""
    if days.last < days.first:
        raise FieldErrors({"last_day": "A vacation ends on the day it begins or later."})
    if (days.last - days.first).days >= _LONGEST:
        raise FieldErrors({"last_day": "A vacation lasts a year at most; archive the habit instead."})
    plannable_day(keeper, days.first, "first_day")


async def cancel_vacation(services: Services, principal: Principal, vacation_id: str) -> None:
    """Take a vacation back, past or planned."""

    async def change(unit: Unit, keeper: Keeper) -> bool:
        if not await people.delete_vacation(unit, keeper.id, vacation_id):
            raise NotFound("You have no such vacation.")
        return True

    await _change(services, principal, change, None, "A vacation taken back")


async def vacations(services: Services, principal: Principal) -> list[PlannedVacation]:
    """One's vacations, in order."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        return await people.list_vacations(unit, keeper.id)


async def take_rest_day(services: Services, principal: Principal, day: date | None = None) -> date:
    """Rest from all habits on a day; the same again is the same."""
    async with services.database.unit() as unit:
        on = plannable_day(await keeper_of(services, unit, principal), day)

    async def change(unit: Unit, keeper: Keeper) -> bool:
        return await people.add_rest_day(unit, keeper.id, on)

    await _change(services, principal, change, on, "A rest day")
    return on


async def cancel_rest_day(services: Services, principal: Principal, day: date) -> None:
    """Ask for a day again."""

    async def change(unit: Unit, keeper: Keeper) -> bool:
        return await people.delete_rest_day(unit, keeper.id, day)

    await _change(services, principal, change, day, "A rest day taken back")


async def rest_days(services: Services, principal: Principal) -> list[date]:
    """One's rest days, in order."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        return await people.list_rest_days(unit, keeper.id)


async def _change(
    services: Services,
    principal: Principal,
    change: Callable[[Unit, Keeper], Awaitable[bool]],
    day: date | None,
    words: str,
) -> None:
    async with own_unit(services, principal) as (unit, keeper):
        if await change(unit, keeper):
            await settle_all(services, unit, keeper, day, words)


async def settle_all(
    services: Services, unit: Unit, keeper: Keeper, day: date | None, words: str, *, quiet: bool = False
) -> int:
    """Settle every habit of a person, archived ones too; returns how many changed."""
    cause = Cause(name=HABIT_CHANGED, day=day or keeper.today, words=words, quiet=quiet)
    own = await habits.list_habits(unit, keeper.id, archived=True)
    settled = [await settle(services, unit, habit, keeper.today, cause) for habit in own]
    return sum(one.changed for one in settled)
