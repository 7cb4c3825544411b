"""Whose week: a person's habits and clocks from the store, for the pure report."""

from datetime import date, timedelta

from almanac.accounts.model import Principal
from almanac.desks.habits.reporting.week import Week, monday_of, report_week
from almanac.desks.habits.service.access import Keeper, keeper_of, past_day
from almanac.desks.habits.store import habits, log
from almanac.relational import Unit
from almanac.services import Services


async def week_of(services: Services, principal: Principal, day: date | None = None) -> Week:
    """One's week that a day is in; the last one that is over unless a day is given."""
    async with services.database.unit() as unit:
        keeper = await keeper_of(services, unit, principal)
        return await collect_week(unit, keeper, principal.name, day)


async def collect_week(unit: Unit, keeper: Keeper, name: str, day: date | None = None) -> Week:
    """The same for somebody whose clocks are known."""
    first = monday_of(past_day(keeper, day) if day else keeper.today - timedelta(weeks=1))
    found = await habits.list_habits(unit, keeper.id, archived=True)
    known = [(habit, one.history) for habit, one in zip(found, await log.read_histories(unit, found), strict=True)]
    return report_week(name, known, first, keeper.today)
