"""API routes for query tasks: their runs, previews and results."""

from urllib.parse import quote

from fastapi import Request, Response

from almanac.desks.news.api.dependencies import PREFIX, Name, Reader, Writer, new_router
from almanac.desks.news.api.schemas import ScorecardBody, StartedJobBody, TaskPreviewBody, TaskRequest
from almanac.desks.news.model.tasks import TASK_TEMPLATES, QueryTask, TaskRun, TaskTemplate
from almanac.desks.news.service import tasks
from almanac.http.api_models import Listed, RowId
from almanac.http.app_state import get_state
from almanac.http.etags import IfMatch, parse_if_match, with_etag
from almanac.http.paging import Cursor, Limit
from almanac.http.problems import documented_problems

router = new_router()


@router.get("/tasks")
async def list_tasks(request: Request, _principal: Reader) -> Listed[QueryTask]:
    """Every task, by name."""
    return Listed(items=await tasks.list_tasks(get_state(request).services), next_cursor=None)


@router.get("/templates")
async def list_templates(_principal: Reader) -> list[TaskTemplate]:
    """The built-in tasks to start from."""
    return list(TASK_TEMPLATES)


@router.post("/tasks", status_code=201, responses=documented_problems(409))
async def create_task(request: Request, response: Response, body: TaskRequest, principal: Writer) -> QueryTask:
    """Add a task."""
    task = await tasks.create_task(get_state(request).services, principal, body.to_edit())
    response.headers["Location"] = f"{PREFIX}/tasks/{quote(task.task_name, safe='')}"
    return with_etag(response, task)


@router.get("/tasks/{name}")
async def get_task(request: Request, response: Response, name: Name, _principal: Reader) -> QueryTask:
    """One task."""
    task = await tasks.get_task(get_state(request).services, name)
    return with_etag(response, task)


@router.patch("/tasks/{name}", responses=documented_problems(409, 412, 428))
async def edit_task(
    request: Request, response: Response, name: Name, body: TaskRequest, principal: Writer, if_match: IfMatch = None
) -> QueryTask:
    """Change a task, if its version is still the one in If-Match."""
    task = await tasks.edit_task(
        get_state(request).services, principal, name, body.to_edit(), expected=parse_if_match(if_match)
    )
    return with_etag(response, task)


@router.delete("/tasks/{name}", status_code=204)
async def delete_task(request: Request, name: Name, principal: Writer) -> None:
    """Delete a task; the links it found stay."""
    await tasks.delete_task(get_state(request).services, principal, name)


@router.post("/tasks/{name}/run", status_code=202)
async def run_task(request: Request, name: Name, principal: Writer) -> StartedJobBody:
    """Queue a run of a task."""
    return StartedJobBody(job_id=await tasks.run_task_now(get_state(request).services, principal, name))


@router.post("/tasks/{name}/preview", status_code=202)
async def preview_task(request: Request, name: Name, principal: Writer) -> StartedJobBody:
    """Queue a preview of what a run would find now; read it at `/api/v1/news/previews/{job_id}`."""
    services = get_state(request).services
    return StartedJobBody(job_id=await tasks.preview_task(services, principal, await tasks.get_task(services, name)))


@router.get("/previews/{job_id}")
async def get_preview(request: Request, job_id: RowId, _principal: Writer) -> TaskPreviewBody:
    """The result of a preview, once its job has ended."""
    return TaskPreviewBody.from_job(await tasks.get_preview(get_state(request).services, job_id))


@router.post("/previews/{job_id}/cancel")
async def cancel_preview(request: Request, job_id: RowId, _principal: Writer) -> TaskPreviewBody:
    """Cancel a preview."""
    return TaskPreviewBody.from_job(await tasks.cancel_preview(get_state(request).services, job_id))


@router.get("/tasks/{name}/runs")
async def list_runs(
    request: Request, name: Name, _principal: Reader, cursor: Cursor = None, limit: Limit = 25
) -> Listed[TaskRun]:
    """The runs of a task, latest first."""
    page = await tasks.list_runs(get_state(request).services, name, cursor=cursor, limit=limit)
    return Listed(items=page.items, next_cursor=page.next_cursor)


@router.get("/tasks/{name}/scorecard")
async def get_scorecard(request: Request, name: Name, _principal: Reader) -> ScorecardBody:
    """The results of a task, in total and by day."""
    card = await tasks.get_task_card(get_state(request).services, name)
    counts = {name: getattr(card.scorecard, name) for name in ScorecardBody.model_fields if name != "days"}
    return ScorecardBody(**counts, days=card.days)
