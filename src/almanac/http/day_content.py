"""Puts a person's day together from the desks and the platform, for the home page, its API and the morning mail.

If a desk fails, only its own part is missing.
"""

import asyncio
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.http.day import (
    Day,
    DayEvent,
    DayTask,
    DeskDay,
    Reading,
    WaitingGroup,
    oldest_first,
    open_day,
)
from almanac.http.desk import Desk
from almanac.http.platform_day import list_platform_events, list_platform_waiting, read_records
from almanac.jobs import JobFailure
from almanac.kit.messages import gettext
from almanac.services import Services

_DESK_TIMEOUT_SECONDS = 5
_DESK_UNAVAILABLE = gettext("This desk couldn't be loaded. Open it, or reload this page.")
_NEVER = datetime.min.replace(tzinfo=UTC)
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class DeskPart:
    """A desk's part of the day, or why there is none."""

    desk: Desk
    content: DeskDay
    problem: str = ""


@dataclass(frozen=True, slots=True)
class DayContent:
    """Everything that a person's day holds."""

    day: Day
    parts: Sequence[DeskPart]
    platform_waiting: Sequence[WaitingGroup]
    platform_events: Sequence[DayEvent]

    @property
    def waiting(self) -> list[WaitingGroup]:
        """What waits for a decision, what has waited longest first."""
        return oldest_first((*self.platform_waiting, *(group for part in self.parts for group in part.content.waiting)))

    @property
    def tasks(self) -> list[DayTask]:
        return [task for part in self.parts for task in part.content.tasks]

    @property
    def readings(self) -> list[Reading]:
        return [reading for part in self.parts for reading in part.content.readings]

    @property
    def events(self) -> list[DayEvent]:
        """What happened, the latest first; what has no time comes last."""
        events = (*self.platform_events, *(event for part in self.parts for event in part.content.events))
        return sorted(events, key=lambda event: event.at or _NEVER, reverse=True)

    @property
    def starts(self) -> list[DeskPart]:
        """The desks where nothing is yet, and this person may take the first step."""
        return [part for part in self.parts if part.content.first_step]

    @property
    def has_desks_to_read(self) -> bool:
        """Whether stories or meetings could be here."""
        return any(part.desk.feed_kind or part.content.readings for part in self.parts)

    @property
    def problems(self) -> list[DeskPart]:
        return [part for part in self.parts if part.problem]


def day_of(services: Services, principal: Principal, text: str, language: str) -> Day:
    """The day that a URL names, in the person's time zone. InputError for what isn't a day."""
    zone = principal.preferences.time_zone or services.settings.time_zone
    return open_day(text, services.clock.now(), zone, language)


async def load_day(
    services: Services,
    desks: Sequence[Desk],
    principal: Principal,
    day: Day,
    failures: Sequence[JobFailure] | None = None,
) -> DayContent:
    """Load the parts of all desks that the person may read and the platform's own, concurrently. `failures` are the
    open ones, if the caller has read them.
    """
    shown = [desk for desk in desks if principal.may(desk.read_permission)]
    parts, (waiting, events) = await asyncio.gather(
        asyncio.gather(*(_load_part(services, desk, principal, day) for desk in shown)),
        _load_platform(services, desks, principal, day, failures),
    )
    return DayContent(day, parts, waiting, events)


async def _load_platform(
    services: Services,
    desks: Sequence[Desk],
    principal: Principal,
    day: Day,
    failures: Sequence[JobFailure] | None,
) -> tuple[Sequence[WaitingGroup], Sequence[DayEvent]]:
    """Nothing waits on a day that is over, and nothing has happened on one to come."""
    if day.is_future:
        return (), ()
    records = await read_records(services, principal, day)
    waiting = await list_platform_waiting(services, desks, principal, records, failures) if day.is_today else ()
    return waiting, await list_platform_events(services, desks, principal, day, records)


async def _load_part(services: Services, desk: Desk, principal: Principal, day: Day) -> DeskPart:
    try:
        async with asyncio.timeout(_DESK_TIMEOUT_SECONDS):
            return DeskPart(desk, await desk.day(services, principal, day))
    except AlmanacError as error:
        return DeskPart(desk, DeskDay(), error.sentence)
    except Exception:  # noqa: BLE001 - whatever a desk's own stores raise, the others are still worth seeing
        _log.exception("The day of the %s desk failed", desk.name)
        return DeskPart(desk, DeskDay(), _DESK_UNAVAILABLE)
