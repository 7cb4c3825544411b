"""A person's settings: time zone, start of day, name on leaderboards, and the weekly report by mail."""

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
    """A person's settings. People who aren't listed appear on leaderboards without a name."""

    time_zone: str
    day_start: int
    listed: bool
    weekly_report: bool


async def get_settings(services: Services, principal: Principal) -> HabitSettings:
    """The principal's settings; the time zone defaults to that of the account."""
    async with services.database.reading() as reading:
        owner = await find_owner(services, reading, principal)
    return _settings(owner.local, owner.person)


async def change_settings(
    services: Services,
    principal: Principal,
    *,
    time_zone: str | None = None,
    day_start: int | None = None,
    listed: bool | None = None,
    weekly_report: bool | None = None,
) -> HabitSettings:
    """Change settings; None keeps a value. A new time zone doesn't move days that are logged already."""
    async with lock_owner(services, principal) as (unit, owner):
        local = LocalTime(time_zone or owner.local.zone, owner.local.day_start if day_start is None else day_start)
        if local != owner.local:
            await people.add_time_zone(unit, owner.id, local, services.clock.now())
            owner = replace(owner, local=local, today=local.day_of(services.clock.now()))
            await settle_all_habits(services, unit, owner, None, "A new time zone")
        await _write_choices(unit, owner.person, listed, weekly_report, services.clock.now())
        updated = await people.find_person(unit, owner.id)
        assert updated is not None
    await items.write_stats(services.tables, updated)
    return _settings(local, updated)


async def _write_choices(
    unit: Unit, person: HabitPerson, listed: bool | None, weekly_report: bool | None, now: datetime
) -> None:
    listed = person.listed if listed is None else listed
    weekly_report = person.weekly_report if weekly_report is None else weekly_report
    if (listed, weekly_report) != (person.listed, person.weekly_report):
        await people.update_person(unit, person.user_id, listed=listed, weekly_report=weekly_report, now=now)


def _settings(local: LocalTime, person: HabitPerson) -> HabitSettings:
    return HabitSettings(
        time_zone=local.zone, day_start=local.day_start, listed=person.listed, weekly_report=person.weekly_report
    )
