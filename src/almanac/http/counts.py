"""What waits for a person at each desk and which jobs run, as the frame of every page shows it.

A page is rendered with its counts. An answer that changes a part of a page, and a live event, carry those counts that
they change as fragments (`render_counts`), which replace the elements of the same id. Nothing is counted for others.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from starlette.requests import Request

from almanac.accounts.model import Principal
from almanac.errors import AlmanacError
from almanac.http.app_state import AppState, get_state
from almanac.http.desk import MAX_COUNTED, Desk
from almanac.http.failures import count_alarms
from almanac.http.language_choice import choose_language
from almanac.http.visibility import is_visible
from almanac.jobs import JobFailure, QueueCounts
from almanac.services import Services

_COUNT_TIMEOUT_SECONDS = 1.0


@dataclass(frozen=True, slots=True)
class JobCounts:
    """The job counts of the top bar."""

    running: int
    failed: int


@dataclass(frozen=True, slots=True)
class DeskLink:
    """A desk in the navigation, with how much waits there."""

    desk: Desk
    waiting: int
    current: bool

    @property
    def waiting_text(self) -> str:
        """The count, or `50+` from MAX_COUNTED on."""
        return str(self.waiting) if self.waiting < MAX_COUNTED else f"{MAX_COUNTED}+"


async def render_counts(request: Request, principal: Principal, *desks: str) -> str:
    """The navigation's counts of these desks, to append to an answer for htmx that changed them."""
    state = get_state(request)
    changed = [desk for desk in state.desks if desk.name in desks]
    return _render(request, state, desk_links=await list_desk_links(request, principal, changed), job_counts=None)


async def render_all_counts(request: Request, principal: Principal) -> str:
    """Every count of the frame, the jobs included: for live events, whose jobs may have changed anything."""
    state = get_state(request)
    links = await list_desk_links(request, principal, state.desks)
    return _render(request, state, desk_links=links, job_counts=await _count_visible_jobs(state.services, principal))


def _render(request: Request, state: AppState, **values: object) -> str:
    return state.templates.render("frame/counts.html", language=choose_language(request), **values)


async def list_desk_links(request: Request, principal: Principal, desks: Sequence[Desk]) -> list[DeskLink]:
    """Those of the desks that the person may read, with what waits there."""
    shown = [desk for desk in desks if principal.may(desk.read_permission)]
    services = get_state(request).services
    counts = await asyncio.gather(*(_count(services, desk, principal) for desk in shown))
    current = "/" + request.url.path.split("/")[1]
    return [DeskLink(desk, count, desk.path == current) for desk, count in zip(shown, counts, strict=True)]


async def _count(services: Services, desk: Desk, principal: Principal) -> int:
    """How much waits at a desk; 0 if it can't be counted in time, so that a slow desk doesn't slow down every page."""
    try:
        async with asyncio.timeout(_COUNT_TIMEOUT_SECONDS):
            return await desk.waiting(services, principal)
    except (AlmanacError, TimeoutError):
        return 0


async def _count_visible_jobs(services: Services, principal: Principal) -> JobCounts | None:
    """The numbers of running jobs and of failures to act on; None if the person may not see jobs."""
    if not principal.may("jobs.read"):
        return None
    return _count_jobs(principal, await services.jobs.counts(), await services.jobs.failures())


async def recent_job_counts(state: AppState, principal: Principal) -> JobCounts | None:
    """The job counts as of a moment ago, for pages; None if the person may not see jobs."""
    if not principal.may("jobs.read"):
        return None
    queues = await state.queue_counts.get(state.services.jobs.counts)
    return _count_jobs(principal, queues, await state.open_failures.get(state.services.jobs.failures))


def _count_jobs(principal: Principal, queues: list[QueueCounts], failures: list[JobFailure]) -> JobCounts:
    seen = [queue for queue in queues if is_visible(principal, queue.queue)]
    return JobCounts(sum(queue.running for queue in seen), count_alarms(principal, failures))
