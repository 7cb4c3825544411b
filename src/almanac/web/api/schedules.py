"""API: schedules."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Request

from almanac.accounts.model import Principal
from almanac.http.api_models import API_PREFIX, ApiModel, Id
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.idempotency.route import AtomicRoute
from almanac.http.visibility import list_visible_schedules
from almanac.jobs import CatchUp
from almanac.web import operator_actions
from almanac.web.api.jobs import JobBody

router = APIRouter(prefix=f"{API_PREFIX}/schedules", tags=["schedules"], route_class=AtomicRoute)

Operator = Annotated[Principal, require("jobs.retry")]


class JobScheduleBody(ApiModel):
    """The schedule of a task, with its next and last run."""

    name: str
    task: str
    cron: str
    time_zone: str
    catch_up: CatchUp
    paused: bool
    next_due: datetime | None
    last_due: datetime | None
    last_job: JobBody | None


class StartedScheduleBody(ApiModel):
    """The job that was started."""

    job_id: int


@router.get("")
async def list_schedules(
    request: Request, principal: Annotated[Principal, require("jobs.read")]
) -> list[JobScheduleBody]:
    """List schedules by name."""
    schedules = await list_visible_schedules(get_state(request).services, principal)
    return [JobScheduleBody.model_validate(view) for view in schedules]


@router.post("/{name}/run", status_code=201)
async def run_schedule(request: Request, name: Id, principal: Operator) -> StartedScheduleBody:
    """Run the scheduled task now, in addition to its schedule."""
    return StartedScheduleBody(job_id=await operator_actions.run_schedule(get_state(request).services, principal, name))


@router.post("/{name}/pause", status_code=204)
async def pause_schedule(request: Request, name: Id, principal: Operator) -> None:
    """Pause the schedule."""
    await operator_actions.pause_schedule(get_state(request).services, principal, name)


@router.post("/{name}/resume", status_code=204)
async def resume_schedule(request: Request, name: Id, principal: Operator) -> None:
    """Resume the schedule."""
    await operator_actions.resume_schedule(get_state(request).services, principal, name)
