"""For operators: meetings on their way to becoming articles, collecting more of them, and trying again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import URL
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.recap.jobs import COLLECT, LOOK_BACK
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.record_names import house_name, language_of
from almanac.desks.recap.pages.layout import Key, Writer, render_page
from almanac.desks.recap.published.labels import LABELS
from almanac.desks.recap.published.labels import STATUSES as LABELS_OF_STATUS
from almanac.desks.recap.service import tasks
from almanac.desks.recap.service.sources import list_down_sources
from almanac.desks.recap.urls import PREFIX, WORKSPACE, recap_url
from almanac.errors import FieldErrors, InputError, NotFound, check_all
from almanac.http.app_state import get_state
from almanac.http.auth import identify
from almanac.http.counts import render_all_counts
from almanac.http.live import RunningWork, ShownJobs, event_stream
from almanac.http.pages import FormText, redirect_with_message, render_fragment
from almanac.http.paging import Cursor, first_url, next_url
from almanac.jobs import JobDetail, JobFilter
from almanac.kit.messages import gettext

router = APIRouter(prefix=PREFIX + "/tasks")
STATUSES: tuple[TaskStatus, ...] = ("pending", "ingested", "remake", "failed", "completed")
_PAUSE = 1.0
_FRAGMENT_VALUES = {"labels": LABELS, "to": WORKSPACE, "lang_of": language_of, "house": house_name, "is_public": False}
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


@router.get("/live")
async def stream_tasks(
    request: Request, principal: Writer, status: str = "pending", cursor: Cursor = None, _shown: ShownJobs = None
) -> Response:
    """The list of tasks and what is being collected, as they change."""
    csrf = (await identify(request)).csrf()
    return event_stream(request, _follow_tasks(request, principal, csrf, status, cursor))


async def _follow_tasks(
    request: Request, principal: Principal, csrf: str, status: str, cursor: str | None
) -> AsyncIterator[str]:
    """Starts with what is there now, since it may have changed while the page was loading.

    Tasks change while a job works on them, and every step of a job is a change.
    """
    shown = ""
    async with aclosing(get_state(request).services.jobs.watch_any()) as changes:
        async for _ in changes:
            values = await _load_tasks(request, status, cursor)
            around = {"csrf": csrf, "zone": _zone(request, principal), **_FRAGMENT_VALUES}
            piece = render_fragment(request, "recap/live_tasks.html", **around, **values)
            counts = await render_all_counts(request, principal)
            yield piece + counts if piece + counts != shown else ""
            shown = piece + counts
            await asyncio.sleep(_PAUSE)


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
    values = await _load_tasks(request, status, cursor)
    today = services.clock.now().date()
    chosen = str(values["status"])
    return await render_page(
        request,
        principal,
        "tasks",
        "tasks",
        status_code=422 if errors else 200,
        status_links=_status_links(chosen),
        live_url=_live_url(chosen, cursor),
        errors=errors or {},
        typed=typed or ((today - LOOK_BACK).isoformat(), today.isoformat()),
        **values,
    )


async def _load_tasks(request: Request, status: str, cursor: str | None) -> dict[str, object]:
    """What the page and its live fragments show alike."""
    services = get_state(request).services
    shown_status: TaskStatus = next((choice for choice in STATUSES if choice == status), STATUSES[0])
    # The job is read before the tasks that it makes; `almanac.http.live` says why.
    latest = (await services.jobs.jobs(JobFilter(task=COLLECT.name), limit=1)).items
    running = _running(await services.jobs.job(latest[0].id), shown_status) if latest else _idle(shown_status)
    listed = await tasks.list_tasks(services, shown_status, cursor=cursor)
    here = URL(f"{recap_url('tasks')}?status={shown_status}")
    return {
        "status": shown_status,
        "tasks": listed.items,
        "tones": TONES,
        "running": running,
        "down": await list_down_sources(services),
        "next_url": next_url(here, listed.next_cursor),
        "first_url": first_url(here.include_query_params(cursor=cursor), cursor) if cursor else "",
    }


def _zone(request: Request, principal: Principal) -> str:
    return principal.preferences.time_zone or get_state(request).services.settings.time_zone


def _live_url(status: str, cursor: str | None) -> str:
    query = {"status": status} | ({"cursor": cursor} if cursor else {})
    return f"{recap_url('tasks', 'live')}?{urlencode(query)}"


def _status_links(chosen: str) -> list[tuple[str, int | None, str, bool]]:
    return [(LABELS_OF_STATUS[name], None, f"{recap_url('tasks')}?status={name}", name == chosen) for name in STATUSES]


def _idle(status: str) -> RunningWork:
    refresh = f"{recap_url('tasks')}?status={status}"
    return RunningWork(id="collecting", label=gettext("Collecting"), refresh=refresh, target="step")


def _running(detail: JobDetail, status: str) -> RunningWork:
    job = detail.job
    idle = replace(_idle(status), cancel=recap_url("tasks", "collecting", str(job.id), "cancel"))
    return idle.with_job(job)


def _day(name: str, text: str) -> date:
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        raise FieldErrors({name: gettext("Enter a date such as 2026-01-31.")}) from None


def _back(request: Request, words: str) -> Response:
    return redirect_with_message(request, recap_url("tasks"), words)
