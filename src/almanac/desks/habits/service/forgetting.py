"""Forgetting a person: their habits with all that follows from them, their clocks and days off, and their points."""

from almanac.accounts.model import Principal
from almanac.desks.habits.service.habits import delete, list_own
from almanac.desks.habits.store import items, people
from almanac.services import Services


async def forget_person(services: Services, principal: Principal) -> None:
    """Remove everything that the desk knows about somebody; they may begin again at any time."""
    for one in await list_own(services, principal, archived=True):
        await delete(services, principal, one.habit.id)
    async with services.database.unit() as unit:
        await people.find_person(unit, principal.user_id, lock=True)
        await people.delete_person(unit, principal.user_id)
        await items.forget_stats(services.tables, principal.user_id)
