"""Starts the new day for every person whose local day has begun: settles their habits, so that streaks end on time."""

from datetime import timedelta

from almanac.desks.habits.pipeline.settlement import settle_all_habits
from almanac.desks.habits.store import people
from almanac.desks.habits.store.people import load_owner
from almanac.services import Services

_AT_A_TIME = 200


async def roll_over_days(services: Services) -> int:
    """Settle the habits of everybody for whom a new day has begun; returns how many people that were."""
    turned, after, now = 0, "", services.clock.now()
    while True:
        async with services.database.unit() as unit:
            some = await people.list_due_rollovers(unit, after=after, now=now, limit=_AT_A_TIME)
        for user_id in some:
            turned += await _turn(services, user_id)
        if len(some) < _AT_A_TIME:
            return turned
        after = some[-1]


async def _turn(services: Services, user_id: str) -> bool:
    async with services.database.unit() as unit:
        person = await people.find_person(unit, user_id, lock=True)
        if person is None:
            return False
        owner = await load_owner(unit, person, services.clock.now())
        begun = owner.today != person.turned_on
        if begun:
            await settle_all_habits(services, unit, owner, None, "A new day")
        following = owner.local.start_of(owner.today + timedelta(days=1))
        await people.set_rollover(unit, user_id, owner.today, following)
        return begun
