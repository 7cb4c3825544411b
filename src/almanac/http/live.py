"""Work of jobs on a page: what is shown of it, and the stream that keeps it true.

A page shows each piece with `ui.running(running, csrf)` and names its stream in the `live` block. The page's script
tells the stream which jobs it shows as under way (`ShownJobs`); the stream begins with how those stand, so a job that
ends before anybody listens is seen as well, and the script then loads `refresh` into the page. Read a job before the
content that it changes: the other way round, a job that ends in between leaves a page that is out of date for good.
"""

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection, Mapping
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Annotated

from fastapi import Query
from pydantic import Field
from starlette.requests import Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.events import event_stream
from almanac.http.identity import identify
from almanac.http.pages import fragment, job_counts
from almanac.http.surface import surface_of
from almanac.jobs import JobDetail, JobStatus, JobView
from almanac.jobs.feed import follow_jobs

WAITING = "Waiting for a worker"
_MOST_SHOWN = 100
_JobId = Annotated[int, Field(ge=1, le=2**62)]
ShownJobs = Annotated[list[_JobId] | None, Query(alias="jobs", max_length=_MOST_SHOWN)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Something under way, or over. `refresh` is the page, and `target` its part, that shows the result.

    `id` is that of its element, `job` the job that does or did it, and `cancel` where to stop it, if anywhere.
    """

    id: str
    label: str
    refresh: str
    target: str
    is_running: bool = False
    job: int | None = None
    cancel: str = ""
    done: int = 0
    total: int | None = None
    doing: str = ""
    error: str = ""

    def with_job(self, job: JobView | None) -> "Running":
        """The same as its job tells it; without a job, nothing is under way."""
        if job is None:
            return self
        return replace(
            self,
            is_running=not job.status.final,
            job=job.id,
            done=job.done or 0,
            total=job.total,
            doing=job.doing or (WAITING if job.status is JobStatus.QUEUED else ""),
            error=(job.reason or "") if job.status is JobStatus.FAILED else "",
        )


async def live_jobs(
    request: Request,
    principal: Principal,
    tasks: Collection[str],
    args: Mapping[str, object],
    *,
    shown: Collection[int],
    show: Callable[[JobDetail], Running],
) -> Response:
    """Answer with the jobs of these tasks and arguments as they change; `shown` are those that the page tells of."""

    async def changes() -> AsyncGenerator[Running, None]:
        jobs = surface_of(request).services.jobs
        async with aclosing(follow_jobs(jobs, tasks, args, first=shown)) as details:
            async for detail in details:
                yield show(detail)

    return await live_answer(request, principal, changes())


async def live_answer(request: Request, principal: Principal, changes: AsyncGenerator[Running, None]) -> Response:
    """Answer with a stream of what is under way; the jobs indicator follows along."""
    csrf = (await identify(request)).csrf()
    return event_stream(request, _fragments(request, principal, csrf, changes))


async def _fragments(
    request: Request, principal: Principal, csrf: str, changes: AsyncGenerator[Running, None]
) -> AsyncIterator[str]:
    services = surface_of(request).services
    async with aclosing(changes) as running:
        async for one in running:
            counts = await job_counts(services, principal)
            yield fragment(request, "frame/running.html", running=one, csrf=csrf, job_counts=counts)
