"""Query tasks: the list with what each found, one with its scorecard and runs, and running it now."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from almanac.desks.news import service
from almanac.desks.news.jobs import RUN_TASK
from almanac.desks.news.model.tasks import TASK_TEMPLATES, DayCount, QueryTask, TaskRun, schedule_problem
from almanac.desks.news.pages.layout import PREFIX, Editor, Number, Reader, desk_page
from almanac.http.app_state import get_state
from almanac.http.charts import Chart, line_chart
from almanac.http.live import RunningWork, ShownJobs, stream_jobs
from almanac.http.pages import redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.jobs import JobDetail
from almanac.services import Services

router = APIRouter(prefix=PREFIX + "/tasks")
TONES = {"running": "running", "done": "done", "partly done": "waiting", "failed": "failed"}
_JobNumber = Annotated[int | None, Query(ge=1, le=2**62)]


@router.get("")
async def show_tasks(request: Request, _principal: Reader) -> Response:
    """Every task, and those to begin from."""
    listed = await service.list_tasks(get_state(request).services)
    names = {task.task_name for task in listed}
    templates = [(at, one) for at, one in enumerate(TASK_TEMPLATES) if one.name not in names]
    return await desk_page(request, "tasks", "tasks", tasks=listed, templates=templates)


@router.get("/{number}")
async def show_task(request: Request, number: Number, _principal: Reader, job: _JobNumber = None) -> Response:
    """A task with what came of it; `job` is a run that was just asked for."""
    services = get_state(request).services
    task = await service.get_task_by_id(services, number)
    # The job is read before the runs that it makes; `almanac.http.live` says why.
    running = await _running_now(services, task, job)
    card = await service.get_task_card(services, task.task_name)
    return await desk_page(
        request,
        "tasks",
        "task",
        card=card,
        task=card.task,
        running=running,
        tones=TONES,
        charts=_charts(card.days),
        problem=schedule_problem(card.task, default_zone=services.settings.time_zone),
    )


@router.get("/{number}/runs")
async def show_runs(request: Request, number: Number, _principal: Reader, cursor: Cursor = None) -> Response:
    """Every run of a task, the latest first."""
    services = get_state(request).services
    task = await service.get_task_by_id(services, number)
    listed = await service.list_runs(services, task.task_name, cursor=cursor)
    return await desk_page(
        request,
        "tasks",
        "runs",
        task=task,
        runs=listed.items,
        tones=TONES,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/{number}/live")
async def follow(request: Request, number: Number, principal: Reader, shown: ShownJobs = None) -> Response:
    """A run as it goes on."""
    task = await service.get_task_by_id(get_state(request).services, number)
    return await stream_jobs(
        request,
        principal,
        {RUN_TASK.name},
        {"task_id": task.id},
        shown=shown or (),
        show=lambda detail: _running(task, detail),
    )


@router.post("/{number}/run")
async def run(request: Request, number: Number, principal: Editor) -> Response:
    """Let a worker run the task now."""
    services = get_state(request).services
    task = await service.get_task_by_id(services, number)
    job = await service.run_task_now(services, principal, task.task_name)
    return redirect_with_message(request, f"{PREFIX}/tasks/{number}?job={job}")


@router.post("/{number}/delete")
async def delete(request: Request, number: Number, principal: Editor) -> Response:
    """Remove a task; what it found stays."""
    services = get_state(request).services
    task = await service.get_task_by_id(services, number)
    await service.delete_task(services, principal, task.task_name)
    return redirect_with_message(request, f"{PREFIX}/tasks", f"{task.task_name} is deleted; its stories stay.")


async def _running_now(services: Services, task: QueryTask, job: int | None) -> RunningWork:
    if job is None:
        runs: list[TaskRun] = (await service.list_runs(services, task.task_name, limit=1)).items
        job = runs[0].job_id if runs and runs[0].status == "running" else None
    if job is None:
        return _idle(task)
    detail = await services.jobs.job(job)
    return _running(task, detail) if detail.job.task == RUN_TASK.name else _idle(task)


def _idle(task: QueryTask) -> RunningWork:
    return RunningWork(id="run", label=f"Running {task.task_name}", refresh=f"{PREFIX}/tasks/{task.id}", target="step")


def _running(task: QueryTask, detail: JobDetail) -> RunningWork:
    return _idle(task).with_job(detail.job)


def _charts(days: list[DayCount]) -> list[Chart]:
    """What was found, and what of it became readable, day by day."""
    if not days:
        return []
    return [
        line_chart("Links found by day", [(f"{one.day:%-d %b}", one.found) for one in days], of="Links"),
        line_chart("Of these, readable now", [(f"{one.day:%-d %b}", one.completed) for one in days], of="Stories"),
    ]
