"""How a person keeps habits: their clocks, the hour at which the day begins, whether boards show their name,
and whether a mail tells them about each week."""

from dataclasses import dataclass, replace
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.habits.model.days import LocalTime
from almanac.desks.habits.service.access import keeper_of, own_unit
from almanac.desks.habits.service.days_off import settle_all
from almanac.desks.habits.store import items, people
from almanac.desks.habits.store.people import Person
from almanac.relational import Unit
from almanac.services import Services


@dataclass(frozen=True, slots=True, kw_only=True)
class HabitSettings:
    """What a person has chosen. Who is not listed is on boards without a name."""

    time_zone: str
    day_start: int
    listed: bool
    weekly_report: bool


async def get_settings(services: Services, principal: Principal) -> HabitSettings:
    """One's settings; without a choice, the clocks of one's account."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
    return _chosen(keeper.local, keeper.person)


async def change_settings(
    services: Services,
    principal: Principal,
    *,
    time_zone: str | None = None,
    day_start: int | None = None,
    listed: bool | None = None,
    weekly_report: bool | None = None,
) -> HabitSettings:
    """Live by other clocks from now on; days that are logged stay the days they were."""
    async with own_unit(services, principal) as (unit, keeper):
        local = LocalTime(time_zone or keeper.local.zone, keeper.local.day_start if day_start is None else day_start)
        if local != keeper.local:
            await people.add_stay(unit, keeper.id, local, services.clock.now())
            keeper = replace(keeper, local=local, today=local.day_of(services.clock.now()))
            await settle_all(services, unit, keeper, None, "Other clocks")
        await _write_choices(unit, keeper.person, listed, weekly_report, services.clock.now())
        after = await people.find_person(unit, keeper.id)
        assert after is not None
    await items.write_stats(services.tables, after)
    return _chosen(local, after)


async def _write_choices(
    unit: Unit, person: Person, listed: bool | None, weekly_report: bool | None, now: datetime
) -> None:
    wanted = person.listed if listed is None else listed
    mailed = person.weekly_report if weekly_report is None else weekly_report
    if (wanted, mailed) != (person.listed, person.weekly_report):
        await people.update_person(unit, person.user_id, listed=wanted, weekly_report=mailed, now=now)


def _chosen(local: LocalTime, person: Person) -> HabitSettings:
    return HabitSettings(
        time_zone=local.zone, day_start=local.day_start, listed=person.listed, weekly_report=person.weekly_report
    )
