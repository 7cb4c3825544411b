"""Work of one job on a page of its own: how far it is, the stream that says so, and what it came to."""

from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Annotated, TypeVar

from fastapi import Query
from starlette.requests import Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.errors import NotFound
from almanac.http.live import RunningWork, stream_jobs
from almanac.jobs import JobDetail, JobType
from almanac.services import Services

T = TypeVar("T")
JobId = Annotated[int | None, Query(ge=1, le=2**62)]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPage:
    """One kind of work: its task, the argument that names a piece of it, and the part of the page that shows it."""

    task: JobType
    named_by: str
    label: str
    target: str
    can_be_stopped: bool = False

    def running(self, detail: JobDetail | None, work_id: str, here: str) -> RunningWork:
        """The piece of work on the page `here`, as its job tells it; another one's job tells nothing of it."""
        job = detail.job if detail is not None and detail.args.get(self.named_by) == work_id else None
        return RunningWork(
            id=f"progress-{self.target}",
            label=self.label,
            target=self.target,
            refresh=f"{here}?job={job.id}" if job else here,
            cancel=f"{here}/stop/{job.id}" if job and self.can_be_stopped else "",
        ).with_job(job)

    async def follow(
        self, request: Request, principal: Principal, work_id: str, shown: list[int] | None, here: str
    ) -> Response:
        """The piece of work as it goes on."""
        return await stream_jobs(
            request,
            principal,
            [self.task.name],
            {self.named_by: work_id},
            shown=shown or (),
            show=lambda detail: self.running(detail, work_id, here),
        )


async def get_job_detail(services: Services, job: int | None) -> JobDetail | None:
    """The job that a page was told of. It is read before what it makes; `almanac.http.live` says why."""
    return await services.jobs.job(job) if job else None


async def get_outcome(running: RunningWork, outcome: Awaitable[T]) -> T | None:
    """What the work came to; nothing while its job is under way, nor where that failed or was stopped."""
    try:
        return await outcome
    except NotFound:
        if running.job is None:
            raise
        return None


async def stop_job(services: Services, work: JobPage, work_id: str, job: int) -> None:
    """Interrupt the job of a piece of work, wherever it is."""
    if (await services.jobs.job(job)).args.get(work.named_by) != work_id:
        raise NotFound("This job isn't running.")
    await services.jobs.abort(job)
