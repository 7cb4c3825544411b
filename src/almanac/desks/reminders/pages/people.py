"""Names of the persons who did something, for pages that know only their ids."""

import asyncio
from collections.abc import Iterable

from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.service import get_user
from almanac.errors import NotFound
from almanac.services import Services

_OWN = {AUTOMATION.user_id: "Almanac", CONSOLE.user_id: CONSOLE.name, "almanac": "Almanac"}


async def names_of(services: Services, ids: Iterable[str]) -> dict[str, str]:
    """A name for each id; somebody who is gone is known by the id alone."""
    wanted = sorted({one for one in ids if one and one not in _OWN})
    found = await asyncio.gather(*(_name(services, one) for one in wanted))
    return {**_OWN, **dict(zip(wanted, found, strict=True))}


async def _name(services: Services, user_id: str) -> str:
    try:
        return (await get_user(services.accounts, CONSOLE, user_id)).name
    except NotFound:
        return user_id
