"""The live stream of a page: the jobs indicator, and the job that the page shows, as fragments."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.events import event_stream
from almanac.http.guards import require
from almanac.http.identity import identify
from almanac.http.pages import fragment, job_counts
from almanac.http.surface import surface_of
from almanac.jobs import JobView
from almanac.services import Services
from almanac.web.job_words import STATUS_TONES, job_timeline

pages = APIRouter()


@pages.get("/live")
async def follow(
    request: Request, principal: Annotated[Principal, require("jobs.read")], job: int | None = None
) -> Response:
    """Fragments as jobs change; with `job` also that job's state and attempts."""
    csrf = (await identify(request)).csrf()
    return event_stream(_fragments(request, principal, job, csrf))


async def _fragments(request: Request, principal: Principal, job_id: int | None, csrf: str) -> AsyncIterator[str]:
    services = surface_of(request).services
    yield await _indicator(request, services, principal)
    async with aclosing(services.jobs.watch()) as changes:
        async for change in changes:
            pieces = [await _indicator(request, services, principal)]
            if change.id == job_id:
                pieces.append(await _job(request, services, principal, change, csrf))
            yield "\n".join(pieces)


async def _indicator(request: Request, services: Services, principal: Principal) -> str:
    return fragment(request, "frame/jobs_indicator.html", job_counts=await job_counts(services, principal))


async def _job(request: Request, services: Services, principal: Principal, change: JobView, csrf: str) -> str:
    detail = await services.jobs.job(change.id)
    zone = principal.preferences.time_zone or services.settings.time_zone
    return fragment(
        request, "jobs/state.html", job=detail.job, detail=detail, timeline=job_timeline(detail), tones=STATUS_TONES,
        principal=principal, zone=zone, csrf=csrf,
    )  # fmt: skip
