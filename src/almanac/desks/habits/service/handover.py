"""Handing over the groups that a person made. Their habits stay their own: nobody else gets them."""

from almanac.accounts.model import User
from almanac.desks.habits.permissions import READ
from almanac.desks.habits.store import people
from almanac.http.handover_part import HandoverPart
from almanac.kit.messages import gettext
from almanac.relational import Unit
from almanac.services import Services


async def _count(services: Services, user_id: str) -> int:
    async with services.database.reading() as reading:
        return await people.count_owned_groups(reading, user_id)


async def _move(_services: Services, unit: Unit, leaver: User, heir: User) -> int:
    return await people.hand_over_groups(unit, leaver.id, heir.id)


GROUPS = HandoverPart(
    name="groups",
    title=gettext("Groups of the leaderboard"),
    plural=gettext("groups of the leaderboard"),
    permission=READ,
    count=_count,
    move=_move,
)
