"""How a person keeps habits: their clocks, the hour at which the day begins, whether boards show their name,
and whether a mail tells them about each week."""

from dataclasses import dataclass, replace
from datetime import datetime

from almanac.accounts.model import Principal
from almanac.desks.habits.model.local_time import LocalTime
from almanac.desks.habits.pipeline.settlement import settle_all_habits
from almanac.desks.habits.service.access import find_owner, lock_owner
from almanac.desks.habits.store import items, people
from almanac.desks.habits.store.people import HabitPerson
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
        owner = await find_owner(services, unit, principal)
    return _chosen(owner.local, owner.person)


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
    async with lock_owner(services, principal) as (unit, owner):
        local = LocalTime(time_zone or owner.local.zone, owner.local.day_start if day_start is None else day_start)
        if local != owner.local:
            await people.add_time_zone(unit, owner.id, local, services.clock.now())
            owner = replace(owner, local=local, today=local.day_of(services.clock.now()))
            await settle_all_habits(services, unit, owner, None, "Other clocks")
        await _write_choices(unit, owner.person, listed, weekly_report, services.clock.now())
        after = await people.find_person(unit, owner.id)
        assert after is not None
    await items.write_stats(services.tables, after)
    return _chosen(local, after)


async def _write_choices(
    unit: Unit, person: HabitPerson, listed: bool | None, weekly_report: bool | None, now: datetime
) -> None:
    wanted = person.listed if listed is None else listed
    mailed = person.weekly_report if weekly_report is None else weekly_report
    if (wanted, mailed) != (person.listed, person.weekly_report):
        await people.update_person(unit, person.user_id, listed=wanted, weekly_report=mailed, now=now)


def _chosen(local: LocalTime, person: HabitPerson) -> HabitSettings:
    return HabitSettings(
        time_zone=local.zone, day_start=local.day_start, listed=person.listed, weekly_report=person.weekly_report
    )
