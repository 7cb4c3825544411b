"""API: collect the meetings of some days, and the tasks that turn meetings into articles."""

from typing import Annotated

from fastapi import Path, Query, Request

from almanac.desks.recap.api.dependencies import Reader, Writer, new_router
from almanac.desks.recap.api.schemas import CollectionInput, CollectionStartedBody
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.views import MeetingTaskView
from almanac.desks.recap.service import tasks
from almanac.http.api_models import Listed
from almanac.http.app_state import get_state
from almanac.http.idempotency.route import REPEATABLE
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()
TaskKey = Annotated[str, Path(min_length=1, max_length=100)]


@router.post("/collect", status_code=202, openapi_extra=REPEATABLE)
async def collect(request: Request, wish: CollectionInput, principal: Writer) -> CollectionStartedBody:
    """Have a worker collect the meetings of some days and write about them."""
    services = get_state(request).services
    job_id = await tasks.start_collection(services, principal, wish.since, wish.until)
    return CollectionStartedBody(job_id=job_id)


@router.get("/tasks")
async def list_tasks(
    request: Request,
    _principal: Reader,
    status: Annotated[TaskStatus, Query()] = "pending",
    cursor: Cursor = None,
    limit: Limit = 25,
) -> Listed[MeetingTaskView]:
    """Tasks in one status, the oldest first."""
    page = await tasks.list_tasks(get_state(request).services, status, cursor=cursor, limit=limit)
    return Listed(items=list(page.items), next_cursor=page.next_cursor)


@router.get("/tasks/{pk}")
async def get_task(request: Request, pk: TaskKey, _principal: Reader) -> MeetingTaskView:
    """One task."""
    return await tasks.get_task(get_state(request).services, pk)


@router.post("/tasks/{pk}/retry", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def retry_task(request: Request, pk: TaskKey, principal: Writer) -> MeetingTaskView:
    """Try a failed task again."""
    return await tasks.retry_task(get_state(request).services, principal, pk)


@router.post("/tasks/{pk}/remake", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def remake_task(request: Request, pk: TaskKey, principal: Writer) -> MeetingTaskView:
    """Write the article of a completed task again; the current version is kept as an older one."""
    return await tasks.remake_task(get_state(request).services, principal, pk)


@router.post("/tasks/{pk}/take", responses=documented_problems(409), openapi_extra=REPEATABLE)
async def take_task(request: Request, pk: TaskKey, principal: Writer) -> MeetingTaskView:
    """Write about the meeting of another program's task here, from the record that its addresses lead to."""
    return await tasks.take_task(get_state(request).services, principal, pk)
