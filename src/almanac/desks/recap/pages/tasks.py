"""For operators: meetings on their way to becoming articles, collecting more of them, and trying again."""

from dataclasses import replace
from datetime import date

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.recap.jobs import COLLECT, LOOK_BACK
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.pages.layout import Key, Writer, render_page
from almanac.desks.recap.published.labels import STATUSES as LABELS_OF_STATUS
from almanac.desks.recap.service import tasks
from almanac.desks.recap.urls import PREFIX, recap_url
from almanac.errors import FieldErrors, InputError, NotFound, check_all
from almanac.http.app_state import get_state
from almanac.http.live import RunningWork, ShownJobs, stream_jobs
from almanac.http.pages import FormText, redirect_with_message
from almanac.http.paging import Cursor, first_url, next_url
from almanac.jobs import JobDetail, JobFilter
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/tasks")
STATUSES: tuple[TaskStatus, ...] = ("pending", "ingested", "remake", "failed", "completed")
TONES = {"pending": "running", "ingested": "waiting", "remake": "waiting", "failed": "failed", "completed": "done"}


@router.get("")
async def show_tasks(request: Request, principal: Writer, status: str = "pending", cursor: Cursor = None) -> Response:
    """Tasks in one status, with what is being collected."""
    return await _render_tasks(request, principal, status, cursor)


@router.post("/collect")
async def start_collection(request: Request, principal: Writer, since: FormText = "", until: FormText = "") -> Response:
    """Begin to collect the meetings of some days."""
    services = get_state(request).services
    try:
        check_all(lambda: _day("since", since), lambda: _day("until", until))
        await tasks.start_collection(services, principal, _day("since", since), _day("until", until))
    except FieldErrors as error:
        # The API calls the first day `from`, the form `since`.
        errors = {"since" if name == "from" else name: words for name, words in error.fields.items()}
        return await _render_tasks(request, principal, errors=errors, typed=(since, until))
    except InputError as error:
        return await _render_tasks(request, principal, errors={"until": error.sentence}, typed=(since, until))
    return _back(request, gettext("Collection started."))


@router.get("/collecting/{job_id}/live")
async def stream_collection(request: Request, job_id: int, principal: Writer, shown: ShownJobs = None) -> Response:
    """What is being collected, as it goes on."""
    await _require_collection_job(request, job_id)
    return await stream_jobs(request, principal, {COLLECT.name}, {}, shown=shown or (), show=_running)


@router.post("/collecting/{job_id}/cancel")
async def cancel_collection(request: Request, job_id: int, _principal: Writer) -> Response:
    """Stop collecting; what is there stays."""
    await _require_collection_job(request, job_id)
    await get_state(request).services.jobs.cancel(job_id)
    return _back(request, gettext("Stopping at the next step; collected records are kept."))


@router.post("/{pk}/retry")
async def retry_task(request: Request, pk: Key, principal: Writer) -> Response:
    """Try a failed task again."""
    await tasks.retry_task(get_state(request).services, principal, pk)
    return _back(request, gettext("The task will be retried."))


@router.post("/{pk}/remake")
async def remake_task(request: Request, pk: Key, principal: Writer) -> Response:
    """Rewrite the article of a meeting."""
    await tasks.remake_task(get_state(request).services, principal, pk)
    return _back(request, gettext("It will be written again; readers see the old version until then."))


@router.post("/{pk}/take")
async def take_task(request: Request, pk: Key, principal: Writer) -> Response:
    """Write about the meeting of another program's task here."""
    task = await tasks.take_task(get_state(request).services, principal, pk)
    return _back(request, gettext("%(meeting)s will be written about here.", meeting=task.meeting or task.issue_id))


async def _require_collection_job(request: Request, job_id: int) -> None:
    if (await get_state(request).services.jobs.job(job_id)).job.task != COLLECT.name:
        raise NotFound(gettext("Nothing is being collected under that number."))


async def _render_tasks(
    request: Request,
    principal: Principal,
    status: str = "pending",
    cursor: str | None = None,
    /,
    *,
    errors: dict[str, str] | None = None,
    typed: tuple[str, str] | None = None,
) -> Response:
    services = get_state(request).services
    shown_status: TaskStatus = next((choice for choice in STATUSES if choice == status), STATUSES[0])
    # The job is read before the tasks that it makes; `almanac.http.live` says why.
    latest = (await services.jobs.jobs(JobFilter(task=COLLECT.name), limit=1)).items
    running = _running(await services.jobs.job(latest[0].id)) if latest else _idle()
    listed = await tasks.list_tasks(services, shown_status, cursor=cursor)
    today = services.clock.now().date()
    return await render_page(
        request,
        principal,
        "tasks",
        "tasks",
        status_code=422 if errors else 200,
        tasks=listed.items,
        status=shown_status,
        status_links=_status_links(shown_status),
        tones=TONES,
        running=running,
        errors=errors or {},
        typed=typed or ((today - LOOK_BACK).isoformat(), today.isoformat()),
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


def _status_links(chosen: str) -> list[tuple[str, int | None, str, bool]]:
    return [(LABELS_OF_STATUS[name], None, f"{recap_url('tasks')}?status={name}", name == chosen) for name in STATUSES]


def _idle() -> RunningWork:
    return RunningWork(id="collecting", label=gettext("Collecting"), refresh=recap_url("tasks"), target="step")


def _running(detail: JobDetail) -> RunningWork:
    job = detail.job
    idle = replace(_idle(), cancel=recap_url("tasks", "collecting", str(job.id), "cancel"))
    return idle.with_job(job)


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise FieldErrors({name: gettext("Enter a date such as 2026-01-31.")}) from None


def _back(request: Request, words: str) -> Response:
    return redirect_with_message(request, recap_url("tasks"), words)
