"""What a task would find: the job that finds out as it goes on, a way to stop it, and then its finding."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Path, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.pages.layout import PREFIX, Editor, desk_page
from almanac.http.app_state import get_state
from almanac.http.live import RunningWork, ShownJobs, stream_running_work
from almanac.http.pages import redirect_with_message
from almanac.jobs import JobView

router = APIRouter(prefix=PREFIX + "/previews")
JobNumber = Annotated[int, Path(ge=1, le=2**62)]


@router.get("/{job}")
async def show_preview(request: Request, job: JobNumber, _principal: Editor) -> Response:
    """How far the look is, or what it found."""
    look = await service.get_preview(get_state(request).services, job)
    return await desk_page(request, "tasks", "preview", running=running_of(look.detail.job), found=look.found)


@router.get("/{job}/live")
async def follow(request: Request, job: JobNumber, principal: Editor, shown: ShownJobs = None) -> Response:
    """The look as it goes on."""
    services = get_state(request).services
    await service.get_preview(services, job)

    async def changes() -> AsyncGenerator[RunningWork, None]:
        async with aclosing(services.jobs.watch(job, first=shown or ())) as changed:
            async for view in changed:
                yield running_of(view)

    return await stream_running_work(request, principal, changes())


@router.post("/{job}/cancel")
async def cancel(request: Request, job: JobNumber, _principal: Editor) -> Response:
    """Stop the look."""
    await service.cancel_preview(get_state(request).services, job)
    return redirect_with_message(request, f"{PREFIX}/previews/{job}")


def running_of(job: JobView) -> RunningWork:
    """The look as pages show it."""
    here = f"{PREFIX}/previews/{job.id}"
    return RunningWork(
        id="look", label="Asking the sources", refresh=here, target="preview", cancel=f"{here}/cancel"
    ).with_job(job)
