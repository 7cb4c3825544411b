"""API: the progress of each step, live events, cancelling, and the runs of a schedule."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from datetime import datetime

import msgspec
from fastapi import Request
from pydantic import Field
from starlette.responses import Response

from almanac.desks.newsletter.api.dependencies import Code, Reader, Writer, new_router
from almanac.desks.newsletter.model.newsletter import StepName
from almanac.desks.newsletter.model.series import IssueRun, IssueSeries, Outcome
from almanac.desks.newsletter.service import newsletters as newsletter_service
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.access import open_newsletter
from almanac.desks.newsletter.service.steps import StepEvent
from almanac.http.api_models import ApiModel
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.live import event_stream
from almanac.http.problems import documented_problems

router = new_router()


class StepProgressBody(ApiModel):
    """The state of a step, and the progress of its job while it runs."""

    step: StepName
    status: str
    error: str | None
    started_at: datetime | None
    completed_at: datetime | None
    job_id: int | None
    done: int | None
    total: int | None
    doing: str | None

    @classmethod
    def from_model(cls, progress: step_service.StepProgress) -> "StepProgressBody":
        state, job = progress.state, progress.job if progress.state.status == "processing" else None
        return cls(
            step=progress.step,
            status=state.status,
            error=state.error,
            started_at=state.started_at,
            completed_at=state.completed_at,
            job_id=state.job,
            done=job.done if job else None,
            total=job.total if job else None,
            doing=job.doing if job else None,
        )


@router.get("/{code}/progress")
async def get_progress(request: Request, code: Code, principal: Reader) -> list[StepProgressBody]:
    """The state of each step."""
    steps = await step_service.get_progress(get_state(request).services, principal, code)
    return [StepProgressBody.from_model(step) for step in steps]


@router.post("/{code}/steps/{step}/cancel", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def cancel_step(request: Request, code: Code, step: StepName, principal: Writer) -> list[StepProgressBody]:
    """Cancel a step; the result of its previous run is kept."""
    services = get_state(request).services
    await step_service.cancel_step(services, principal, code, step)
    return [
        StepProgressBody.from_model(progress) for progress in await step_service.get_progress(services, principal, code)
    ]


@router.get("/{code}/events", response_class=Response, responses={200: {"content": {"text/event-stream": {}}}})
async def follow_newsletter(request: Request, code: Code, principal: Reader) -> Response:
    """A stream of server-sent events: a JSON object whenever the job of a step or section changes."""
    services = get_state(request).services
    await open_newsletter(services, principal, code)
    return event_stream(request, _encode_events(step_service.follow_newsletter(services, principal, code)))


async def _encode_events(events: AsyncIterator[StepEvent]) -> AsyncIterator[str]:
    async with aclosing(events) as stream:  # type: ignore[type-var]  # an async generator, which can be closed
        async for event in stream:
            yield msgspec.json.encode(event, enc_hook=str).decode()


class IssueRunBody(ApiModel):
    """A time at which an issue was due: the newsletter that was prepared, or why there is none."""

    due_at: datetime
    outcome: Outcome
    issue: str | None = Field(description="The code of the issue that was created.")
    reason: str
    at: datetime

    @classmethod
    def from_model(cls, run: IssueRun) -> "IssueRunBody":
        return cls(due_at=run.due, outcome=run.outcome, issue=run.issue, reason=run.reason, at=run.at)


class IssueSeriesBody(ApiModel):
    """Whether issues are prepared automatically, when the next one is due, and the last runs, the latest first."""

    active: bool
    next_run: datetime | None
    runs: list[IssueRunBody]

    @classmethod
    def from_model(cls, series: IssueSeries) -> "IssueSeriesBody":
        return cls(
            active=series.active, next_run=series.next_run, runs=[IssueRunBody.from_model(run) for run in series.latest]
        )


@router.get("/{code}/runs")
async def list_runs(request: Request, code: Code, principal: Reader) -> IssueSeriesBody:
    """The outcome of the last due issues, and when the next one is due."""
    return IssueSeriesBody.from_model(await newsletter_service.get_series(get_state(request).services, principal, code))
