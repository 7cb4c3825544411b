"""The live stream of a page: HTML fragments of the counts in its frame and of the job that the page shows."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import identify, require
from almanac.http.counts import render_all_counts
from almanac.http.failures import FailureNames
from almanac.http.live import event_stream, merge_streams
from almanac.http.pages import render_fragment
from almanac.http.visibility import get_visible_job
from almanac.jobs import JobView
from almanac.services import Services
from almanac.web.labels import JOB_TONES, job_timeline

pages = APIRouter()


@pages.get("/live")
async def follow(
    request: Request, principal: Annotated[Principal, require("jobs.read")], job: int | None = None
) -> Response:
    """Stream fragments as jobs change; with `job` also that job's state and attempts."""
    streams = [_follow_counts(request, principal)]
    if job is not None:
        await get_visible_job(get_state(request).services, principal, job)
        streams.append(_follow_job(request, principal, job, (await identify(request)).csrf()))
    return event_stream(request, merge_streams(*streams))


async def _follow_counts(request: Request, principal: Principal) -> AsyncIterator[str]:
    """The counts once changes are listened for, so that none is missed, and then whenever they differ.

    A change that leaves them as they were is an empty fragment: the caller is checked again all the same.
    """
    shown = ""
    async with aclosing(get_state(request).services.jobs.watch_any()) as changes:
        async for _ in changes:
            counts = await render_all_counts(request, principal)
            yield counts if counts != shown else ""
            shown = counts


async def _follow_job(request: Request, principal: Principal, job_id: int, csrf: str) -> AsyncIterator[str]:
    """Starts with the current state: the job may have changed while the page was loading."""
    services = get_state(request).services
    async with aclosing(services.jobs.watch(job_id)) as changes:
        async for change in changes:
            yield await _render_job(request, services, principal, change, csrf)


async def _render_job(request: Request, services: Services, principal: Principal, change: JobView, csrf: str) -> str:
    names = FailureNames(services, get_state(request).desks, principal)
    detail = await names.redact_detail(await get_visible_job(services, principal, change.id))
    zone = principal.preferences.time_zone or services.settings.time_zone
    return render_fragment(
        request,
        "jobs/state.html",
        job=detail.job,
        object=await names.find(detail.job.object),
        detail=detail,
        timeline=job_timeline(detail),
        tones=JOB_TONES,
        principal=principal,
        zone=zone,
        csrf=csrf,
    )
