"""API: jobs and queues."""

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from pydantic import Field

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Listed, RowId, Text
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.failures import FailureNames
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.visibility import get_visible_job, hidden_areas, is_visible
from almanac.jobs import JobFilter, JobStatus, RunOutcome
from almanac.kit.paging import Page
from almanac.web import operator_actions
from almanac.web.api.failures import DismissalBody

router = APIRouter(prefix=API_PREFIX, tags=["jobs"], route_class=AtomicRoute)

Reader = Annotated[Principal, require("jobs.read")]
Operator = Annotated[Principal, require("jobs.retry")]


class JobBody(ApiModel):
    """A job in a list."""

    id: int
    task: str
    queue: str
    status: JobStatus
    attempts: int
    created_at: datetime
    not_before: datetime | None
    started_at: datetime | None
    finished_at: datetime | None
    reason: str | None = Field(description="Why it failed, if it did.")
    done: int | None
    total: int | None
    doing: str | None
    cancel_requested: bool
    schedule: str | None
    by_input: bool = Field(description="Whether what a person gave caused its failure.")
    dismissal: DismissalBody | None = Field(description="Who dismissed its failure, when and why.")


class RunBody(ApiModel):
    """One attempt at a job."""

    attempt: int
    worker: str
    started_at: datetime
    finished_at: datetime | None
    outcome: RunOutcome | None
    reason: str | None


class JobDetailBody(ApiModel):
    """One job with its arguments and attempts, newest first."""

    job: JobBody
    args: dict[str, Any]
    runs: list[RunBody]


class QueueBody(ApiModel):
    """The number of jobs in a queue, by status."""

    queue: str
    queued: int
    running: int
    succeeded: int
    failed: int
    cancelled: int


class RetryJobsRequest(ApiModel):
    """Which failed jobs to queue again: `ids`, or all of them with `every_failed`."""

    ids: list[Annotated[int, Field(ge=1, le=2**63 - 1)]] = Field(default_factory=list, max_length=1000)
    every_failed: bool = False


class RetriedBody(ApiModel):
    """How many jobs were queued again."""

    retried: int


@router.get("/jobs")
async def list_jobs(
    request: Request,
    principal: Reader,
    status: JobStatus | None = None,
    task: Annotated[Text | None, Query()] = None,
    queue: Annotated[Text | None, Query()] = None,
    housekeeping: bool = True,
    cursor: Cursor = None,
    limit: Limit = 50,
) -> Listed[JobBody]:
    """List jobs, newest first. Without `housekeeping`, scheduled jobs that neither run nor failed are left out."""
    state = get_state(request)
    names = FailureNames(state.services, state.desks, principal)
    filters = JobFilter(
        status=status, task=task, queue=queue, housekeeping=housekeeping, hidden=hidden_areas(principal)
    )
    page = await state.services.jobs.jobs(filters, cursor=cursor, limit=limit)
    return Listed[JobBody].model_validate(Page([await names.redact(job) for job in page.items], page.next_cursor))


@router.post("/jobs/retry")
async def retry_jobs(request: Request, body: RetryJobsRequest, principal: Operator) -> RetriedBody:
    """Queue failed or cancelled jobs again."""
    services = get_state(request).services
    if body.every_failed:
        return RetriedBody(retried=await operator_actions.retry_failed_jobs(services, principal))
    return RetriedBody(retried=await operator_actions.retry_jobs(services, principal, body.ids))


@router.get("/jobs/{job_id}")
async def get_job(request: Request, job_id: RowId, principal: Reader) -> JobDetailBody:
    """Get a job with its attempts."""
    state = get_state(request)
    names = FailureNames(state.services, state.desks, principal)
    return JobDetailBody.model_validate(
        await names.redact_detail(await get_visible_job(state.services, principal, job_id))
    )


@router.post("/jobs/{job_id}/cancel", responses=documented_problems(409))
async def cancel_job(request: Request, job_id: RowId, principal: Operator) -> JobBody:
    """Cancel a queued job immediately, a running one at its next step."""
    return JobBody.model_validate(await operator_actions.cancel_job(get_state(request).services, principal, job_id))


@router.get("/queues")
async def list_queues(request: Request, principal: Reader) -> list[QueueBody]:
    """Number of jobs by queue and status."""
    queues = await get_state(request).services.jobs.counts()
    return [QueueBody.model_validate(counts) for counts in queues if is_visible(principal, counts.queue)]
