"""Starts the new day for everybody whose local day has begun: settles their habits, so that streaks end on time."""

from datetime import timedelta

from almanac.desks.habits.pipeline.batches import PAGE_SIZE, iter_pages
from almanac.desks.habits.pipeline.settlement import settle_all_habits
from almanac.desks.habits.store import people
from almanac.relational import Unit
from almanac.services import Services


async def roll_over_days(services: Services) -> int:
    """Settle the habits of everybody for whom a new day has started; returns the number of people."""
    now = services.clock.now()

    async def list_page(unit: Unit, after: str) -> list[str]:
        return await people.list_due_rollovers(unit, after=after, now=now, limit=PAGE_SIZE)

    rolled_over = 0
    async for user_id in iter_pages(services, list_page, key=str):
        rolled_over += await _roll_over(services, user_id)
    return rolled_over


async def _roll_over(services: Services, user_id: str) -> bool:
    """Whether a new day has started for the person."""
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id, lock=True)
        if person is None:
            return False
        owner = await people.load_owner(unit, person, services.clock.now())
        is_new_day = owner.today != person.turned_on
        if is_new_day:
            await settle_all_habits(services, unit, owner, None, "A new day")
        next_day_at = owner.local.start_of(owner.today + timedelta(days=1))
        await people.set_rollover(unit, user_id, owner.today, next_day_at)
        return is_new_day
