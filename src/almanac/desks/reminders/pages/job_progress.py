"""Pages that show one job: its progress, the live stream, and its outcome."""

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
from almanac.kit.messages import gettext
from almanac.services import Services

T = TypeVar("T")
JobId = Annotated[int | None, Query(ge=1, le=2**62)]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobPage:
    """A kind of job page: its task, the argument that identifies the work, and the part of the page that shows it."""

    task: JobType
    named_by: str
    label: str
    target: str
    can_be_stopped: bool = False

    def running(self, detail: JobDetail | None, work_id: str, page_url: str) -> RunningWork:
        """The progress of the work for the page `here`; a job of other work is ignored."""
        job = detail.job if detail is not None and detail.args.get(self.named_by) == work_id else None
        return RunningWork(
            id=f"progress-{self.target}",
            label=self.label,
            target=self.target,
            refresh=f"{page_url}?job={job.id}" if job else page_url,
            cancel=f"{page_url}/stop/{job.id}" if job and self.can_be_stopped else "",
        ).with_job(job)

    async def follow(
        self, request: Request, principal: Principal, work_id: str, shown: list[int] | None, page_url: str
    ) -> Response:
        """Stream the progress of the work."""
        return await stream_jobs(
            request,
            principal,
            [self.task.name],
            {self.named_by: work_id},
            shown=shown or (),
            show=lambda detail: self.running(detail, work_id, page_url),
        )


async def get_job_detail(services: Services, job: int | None) -> JobDetail | None:
    """The job named in the page's URL. Read it before its result; `almanac.http.live` says why."""
    return await services.jobs.job(job) if job else None


async def get_outcome(running: RunningWork, outcome: Awaitable[T]) -> T | None:
    """The outcome of the work; None while its job is running, or if it failed or was cancelled."""
    try:
        return await outcome
    except NotFound:
        if running.job is None:
            raise
        return None


async def stop_job(services: Services, work: JobPage, work_id: str, job: int) -> None:
    """Cancel the job if it belongs to this work."""
    if (await services.jobs.job(job)).args.get(work.named_by) != work_id:
        raise NotFound(gettext("This job isn't running."))
    await services.jobs.abort(job)
