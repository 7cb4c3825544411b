"""What webhooks are told about habits: only what a person shares on the leaderboard, and of nobody who isn't on it.

An administrator chooses the endpoint, so whatever is published is read by others. The name of a habit, its streak and
links that act for its owner are the person's own.
"""

from almanac.desks.habits.store import people
from almanac.relational import Unit
from almanac.services import Services


async def publish_shared(services: Services, unit: Unit, event: str, owner_id: str, **facts: str | int) -> None:
    """Publish an event of a person who is on the leaderboard, in the caller's transaction; of others, nothing."""
    person = await people.find_person(unit, owner_id)
    if person is not None and person.listed:
        await services.webhooks.publish(unit, event, {"owner_id": owner_id, **facts})
