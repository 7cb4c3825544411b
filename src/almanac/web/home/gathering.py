"""Gathers the home page from every desk and the platform at once; a desk that fails costs its own card only."""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.http.desk import Desk
from almanac.http.overview import Overview, WaitingGroup, WaitingItem
from almanac.services import Services
from almanac.web.home.today import Today, todays_work
from almanac.web.home.waiting import platform_waiting

SHOWN = 8
PATIENCE_SECONDS = 5
_BROKEN = "This desk can't be looked at just now; open it, or load this page again."
_NEVER = datetime.max.replace(tzinfo=UTC)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeskAtAGlance:
    """A desk's card: what it shows, or the sentence that says why it shows nothing."""

    desk: Desk
    glance: Overview
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Home:
    """Everything on the home page. `today` is for those who may see jobs."""

    waiting: Sequence[WaitingGroup]
    today: Today | None
    desks: Sequence[DeskAtAGlance]

    @property
    def count(self) -> int:
        """How much waits in all."""
        return sum(group.count for group in self.waiting)

    @property
    def or_more(self) -> bool:
        return any(group.or_more for group in self.waiting)

    @property
    def longest_waiting(self) -> list[tuple[WaitingGroup, WaitingItem]]:
        """The things to do first, whatever their kind; what waits for no moment in particular comes last."""
        items = [(group, item) for group in self.waiting for item in group.items]
        return sorted(items, key=lambda pair: pair[1].since or _NEVER)[:SHOWN]


async def gather(services: Services, desks: Sequence[Desk], principal: Principal) -> Home:
    """Ask everybody at the same time."""
    shown = [desk for desk in desks if principal.may(desk.read_permission)]
    waiting, today, cards = await asyncio.gather(
        platform_waiting(services, principal),
        todays_work(services, principal),
        asyncio.gather(*(_look(services, desk, principal) for desk in shown)),
    )
    return Home([*waiting, *(group for card in cards for group in card.glance.waiting)], today, cards)


async def _look(services: Services, desk: Desk, principal: Principal) -> DeskAtAGlance:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return DeskAtAGlance(desk, await desk.overview(services, principal))
    except AlmanacError as error:
        return DeskAtAGlance(desk, Overview(), error.sentence)
    except Exception:  # noqa: BLE001 - whatever a desk's own stores raise, the others are still worth seeing
        _log.exception("The %s desk could not be looked at", desk.name)
        return DeskAtAGlance(desk, Overview(), _BROKEN)
