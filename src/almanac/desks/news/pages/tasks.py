"""Query tasks: the list, one task with its results and runs, previews, and import or export of feeds."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, UploadFile
from starlette.responses import Response

from almanac.desks.news.jobs import RUN_TASK
from almanac.desks.news.model.tasks import TASK_TEMPLATES, DayCount, QueryTask, TaskRun, schedule_problem
from almanac.desks.news.pages.layout import PREFIX, Reader, RowNumber, Writer, desk_page
from almanac.desks.news.service import feeds as feed_service
from almanac.desks.news.service import tasks as task_service
from almanac.desks.news.service.feeds import IMPORTED
from almanac.errors import InputError
from almanac.http.app_state import get_state
from almanac.http.charts import Chart, line_chart
from almanac.http.live import RunningWork, ShownJobs, stream_jobs, stream_running_work
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.http.responses import download_response
from almanac.jobs import JobDetail, JobView
from almanac.kit.messages import day_text, gettext, ngettext
from almanac.services import Services

router = APIRouter(prefix=PREFIX)
TONES = {"running": "running", "done": "done", "partly done": "waiting", "failed": "failed"}
JobNumber = Annotated[int, Path(ge=1, le=2**62)]
_StartedJob = Annotated[int | None, Query(ge=1, le=2**62)]


@router.get("/tasks")
async def show_tasks(request: Request, _principal: Reader) -> Response:
    """Every task, and the templates for new ones."""
    tasks = await task_service.list_tasks(get_state(request).services)
    names = {task.task_name for task in tasks}
    templates = [(index, template) for index, template in enumerate(TASK_TEMPLATES) if template.name not in names]
    return await desk_page(request, "tasks", "tasks", tasks=tasks, templates=templates)


@router.get("/tasks/{number}")
async def show_task(request: Request, number: RowNumber, _principal: Reader, job: _StartedJob = None) -> Response:
    """A task with its results; `job` is a run that was just queued."""
    services = get_state(request).services
    task = await task_service.get_task_by_id(services, number)
    # The job is read before the runs that it makes; `almanac.http.live` says why.
    running = await _running_now(services, task, job)
    card = await task_service.get_task_card(services, task.task_name)
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


@router.get("/tasks/{number}/runs")
async def show_runs(request: Request, number: RowNumber, _principal: Reader, cursor: Cursor = None) -> Response:
    """Every run of a task, latest first."""
    services = get_state(request).services
    task = await task_service.get_task_by_id(services, number)
    page = await task_service.list_runs(services, task.task_name, cursor=cursor)
    return await desk_page(
        request,
        "tasks",
        "runs",
        task=task,
        runs=page.items,
        tones=TONES,
        next_url=next_url(request.url, page.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@router.get("/tasks/{number}/live")
async def stream_run(request: Request, number: RowNumber, principal: Reader, shown: ShownJobs = None) -> Response:
    """Progress of a run as server-sent events."""
    task = await task_service.get_task_by_id(get_state(request).services, number)
    return await stream_jobs(
        request,
        principal,
        {RUN_TASK.name},
        {"task_id": task.id},
        shown=shown or (),
        show=lambda detail: _running(task, detail),
    )


@router.post("/tasks/{number}/run")
async def run_task(request: Request, number: RowNumber, principal: Writer) -> Response:
    """Queue a run of the task."""
    services = get_state(request).services
    task = await task_service.get_task_by_id(services, number)
    job = await task_service.run_task_now(services, principal, task.task_name)
    return redirect_with_message(request, f"{PREFIX}/tasks/{number}?job={job}")


@router.post("/tasks/{number}/delete")
async def delete_task(request: Request, number: RowNumber, principal: Writer) -> Response:
    """Delete a task; its stories stay."""
    services = get_state(request).services
    task = await task_service.get_task_by_id(services, number)
    await task_service.delete_task(services, principal, task.task_name)
    return redirect_with_message(
        request, f"{PREFIX}/tasks", gettext("Task %(name)s deleted; its stories stay.", name=task.task_name)
    )


@router.get("/previews/{job}")
async def show_preview(request: Request, job: JobNumber, _principal: Writer) -> Response:
    """Progress of a preview, or its result."""
    preview = await task_service.get_preview(get_state(request).services, job)
    return await desk_page(
        request, "tasks", "preview", running=preview_progress(preview.detail.job), found=preview.found
    )


@router.get("/previews/{job}/live")
async def stream_preview(request: Request, job: JobNumber, principal: Writer, shown: ShownJobs = None) -> Response:
    """Progress of a preview as server-sent events."""
    services = get_state(request).services
    await task_service.get_preview(services, job)

    async def changes() -> AsyncGenerator[RunningWork, None]:
        async with aclosing(services.jobs.watch(job, first=shown or ())) as changed:
            async for view in changed:
                yield preview_progress(view)

    return await stream_running_work(request, principal, changes())


@router.post("/previews/{job}/cancel")
async def cancel_preview(request: Request, job: JobNumber, _principal: Writer) -> Response:
    """Cancel a preview."""
    await task_service.cancel_preview(get_state(request).services, job)
    return redirect_with_message(request, f"{PREFIX}/previews/{job}")


@router.get("/feeds/opml")
async def export_feeds(request: Request, _principal: Reader) -> Response:
    """Download every feed of every task as OPML."""
    content = await feed_service.export_opml(get_state(request).services)
    return download_response(content, "almanac.opml", "text/x-opml")


@router.post("/feeds/opml")
async def import_feeds(
    request: Request, principal: Writer, file: UploadFile | None = None, task_name: FormText = ""
) -> Response:
    """Add the feeds of an OPML file to a task; the task is created if it doesn't exist."""
    if file is None or not file.filename:
        raise InputError(gettext("Choose a file first: an OPML list of feeds that another reader exported."))
    name = task_name.strip() or IMPORTED
    feeds = await feed_service.import_opml(get_state(request).services, principal, await file.read(), task_name=name)
    return redirect_with_message(
        request,
        f"{PREFIX}/tasks",
        ngettext(
            "%(num)s feed imported into the task “%(name)s”.",
            "%(num)s feeds imported into the task “%(name)s”.",
            feeds,
            name=name,
        ),
    )


async def _running_now(services: Services, task: QueryTask, job: int | None) -> RunningWork:
    if job is None:
        runs: list[TaskRun] = (await task_service.list_runs(services, task.task_name, limit=1)).items
        job = runs[0].job_id if runs and runs[0].status == "running" else None
    if job is None:
        return _idle(task)
    detail = await services.jobs.job(job)
    return _running(task, detail) if detail.job.task == RUN_TASK.name else _idle(task)


def _idle(task: QueryTask) -> RunningWork:
    return RunningWork(
        id="run",
        label=gettext("Running %(name)s", name=task.task_name),
        refresh=f"{PREFIX}/tasks/{task.id}",
        target="step",
    )


def _running(task: QueryTask, detail: JobDetail) -> RunningWork:
    return _idle(task).with_job(detail.job)


def _charts(days: list[DayCount]) -> list[Chart]:
    """Links found and links readable, by day."""
    if not days:
        return []
    return [
        line_chart(
            gettext("Links found by day"),
            [(day_text(day.day, "short"), day.found) for day in days],
            of=gettext("Links"),
        ),
        line_chart(
            gettext("Of these, readable now"),
            [(day_text(day.day, "short"), day.completed) for day in days],
            of=gettext("Stories"),
        ),
    ]


def preview_progress(job: JobView) -> RunningWork:
    """The progress bar of a preview."""
    here = f"{PREFIX}/previews/{job.id}"
    return RunningWork(
        id="look", label=gettext("Asking the sources"), refresh=here, target="preview", cancel=f"{here}/cancel"
    ).with_job(job)
