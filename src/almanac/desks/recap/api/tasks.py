"""API: collect days, and the tasks that sittings are on their way to becoming articles."""

from datetime import date
from typing import Annotated

from fastapi import Path, Query, Request
from pydantic import Field

from almanac.desks.recap import service
from almanac.desks.recap.api.dependencies import Operator, Reader, new_router
from almanac.desks.recap.table import TaskStatus
from almanac.desks.recap.views import TaskView
from almanac.http.api_models import Listed, Model
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems
from almanac.http.surface import surface_of

router = new_router()
TaskKey = Annotated[str, Path(min_length=1, max_length=100)]


class CollectWish(Model):
    """Days to collect, both included."""

    since: date = Field(alias="from")
    until: date


class StartedBody(Model):
    """The job that does it; follow it at `/api/v1/jobs/{job_id}`."""

    job_id: int


@router.post("/collect", status_code=202)
async def collect(request: Request, wish: CollectWish, principal: Operator) -> StartedBody:
    """Have a worker collect the sittings of some days and write about them."""
    services = surface_of(request).services
    return StartedBody(job_id=await service.start_collecting(services, principal, wish.since, wish.until))


@router.get("/tasks")
async def list_tasks(
    request: Request,
    _principal: Reader,
    status: Annotated[TaskStatus, Query()] = "pending",
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[TaskView]:
    """Tasks in one status, the oldest first."""
    page = await service.list_tasks(surface_of(request).services, status, cursor=cursor, limit=limit)
    return Listed(items=list(page.items), next_cursor=page.next_cursor)


@router.get("/tasks/{pk}")
async def get_task(request: Request, pk: TaskKey, _principal: Reader) -> TaskView:
    """One task."""
    return await service.get_task(surface_of(request).services, pk)


@router.post("/tasks/{pk}/retry", responses=documented_problems(409))
async def retry_task(request: Request, pk: TaskKey, principal: Operator) -> TaskView:
    """Let a failed task be tried again."""
    return await service.retry_task(surface_of(request).services, principal, pk)


@router.post("/tasks/{pk}/remake", responses=documented_problems(409))
async def remake_task(request: Request, pk: TaskKey, principal: Operator) -> TaskView:
    """Have a finished task written anew; the present version of its article stays as an older one."""
    return await service.remake_task(surface_of(request).services, principal, pk)
