"""The jobs console: queues, running and failed jobs, schedules, and one job with its attempts."""

from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.http.app_state import get_state
from almanac.http.auth import require
from almanac.http.cookies import Flash
from almanac.http.desk import NamedObject
from almanac.http.failures import FailureNames
from almanac.http.pages import redirect, render_page
from almanac.http.paging import Cursor, first_url, next_url, with_query
from almanac.http.state_labels import label_state
from almanac.http.visibility import get_visible_job, hidden_areas, is_visible, list_visible_schedules
from almanac.jobs import JobFilter, JobStatus, JobView, QueueCounts
from almanac.jobs.cron_words import describe_cron
from almanac.kit.messages import gettext, ngettext
from almanac.web import operator_actions
from almanac.web.labels import JOB_TONES, job_timeline

pages = APIRouter(prefix="/jobs")

Reader = Annotated[Principal, require("jobs.read")]
Operator = Annotated[Principal, require("jobs.retry")]


@pages.get("")
async def show_jobs(
    request: Request,
    principal: Reader,
    status: str = "",
    task: str = "",
    queue: str = "",
    housekeeping: bool = False,
    cursor: Cursor = None,
) -> Response:
    """List jobs, newest first, filtered by status, task and queue. Scheduled runs that succeeded are left out."""
    state = get_state(request)
    services = state.services
    # Whoever asks for a task or a queue means all of it.
    is_whole = housekeeping or bool(task or queue)
    filters = JobFilter(
        status=next((option for option in JobStatus if option == status), None),
        task=task or None,
        queue=queue or None,
        housekeeping=is_whole,
        hidden=hidden_areas(principal),
    )
    listed = await services.jobs.jobs(filters, cursor=cursor)
    names = FailureNames(services, state.desks, principal)
    queues = [counts for counts in await services.jobs.counts() if is_visible(principal, counts.queue)]
    return await render_page(
        request,
        "jobs/list.html",
        jobs=[await names.redact(job) for job in listed.items],
        queues=queues,
        status=status,
        task=task,
        queue=queue,
        objects=await _name_objects(names, listed.items),
        facets=_facets(request, queues, status, is_whole),
        housekeeping=is_whole,
        housekeeping_url=with_query(request.url, housekeeping=None if housekeeping else "yes", cursor=None),
        chips=_chips(request, task, queue),
        tones=JOB_TONES,
        next_url=next_url(request.url, listed.next_cursor),
        first_url=first_url(request.url, cursor),
    )


@pages.get("/schedules")
async def show_schedules(request: Request, principal: Reader) -> Response:
    """List schedules with their last and next run."""
    schedules = await list_visible_schedules(get_state(request).services, principal)
    return await render_page(request, "jobs/schedules.html", schedules=schedules, words=describe_cron, tones=JOB_TONES)


@pages.post("/schedules/{name}/pause")
async def pause_schedule(request: Request, name: str, principal: Operator) -> Response:
    """Pause the schedule."""
    await operator_actions.pause_schedule(get_state(request).services, principal, name)
    undo = f"/jobs/schedules/{name}/resume"
    return redirect(request, "/jobs/schedules", Flash(f"{name} is paused.", undo=undo))


@pages.post("/schedules/{name}/resume")
async def resume_schedule(request: Request, name: str, principal: Operator) -> Response:
    """Resume the schedule."""
    await operator_actions.resume_schedule(get_state(request).services, principal, name)
    return redirect(request, "/jobs/schedules", Flash(f"{name} runs again.", undo=f"/jobs/schedules/{name}/pause"))


@pages.post("/schedules/{name}/run")
async def run_schedule(request: Request, name: str, principal: Operator) -> Response:
    """Run the scheduled task now."""
    job_id = await operator_actions.run_schedule(get_state(request).services, principal, name)
    return redirect(request, f"/jobs/{job_id}", Flash(f"{name} is started."))


@pages.post("/retry")
async def retry_jobs(
    request: Request,
    principal: Operator,
    ids: Annotated[list[int] | None, Form()] = None,
    everything: Annotated[str, Form()] = "",
) -> Response:
    """Queue the selected failed jobs again, or all of them."""
    state = get_state(request)
    services = state.services
    if everything:
        retried = await operator_actions.retry_failed_jobs(services, principal)
    else:
        retried = await operator_actions.retry_jobs(services, principal, ids or [])
    state.open_failures.clear()
    words = (
        ngettext("Queued %(num)s job again.", "Queued %(num)s jobs again.", retried)
        if retried
        else gettext("Select a failed job first.")
    )
    return redirect(request, "/jobs", Flash(words, tone="done" if retried else "plain"))


@pages.get("/{job_id}")
async def show_job(request: Request, job_id: int, principal: Reader) -> Response:
    """Show a job with its progress, arguments and attempts."""
    state = get_state(request)
    names = FailureNames(state.services, state.desks, principal)
    detail = await names.redact_detail(await get_visible_job(state.services, principal, job_id))
    return await render_page(
        request,
        "jobs/job.html",
        job=detail.job,
        object=await names.find(detail.job.object),
        detail=detail,
        timeline=job_timeline(detail),
        tones=JOB_TONES,
    )


@pages.post("/{job_id}/retry")
async def retry_job(request: Request, job_id: int, principal: Operator) -> Response:
    """Queue a failed job again."""
    state = get_state(request)
    retried = await operator_actions.retry_jobs(state.services, principal, [job_id])
    state.open_failures.clear()
    flash = (
        Flash(gettext("The job is queued again."))
        if retried
        else Flash(gettext("This job can't be retried now."), "plain")
    )
    return redirect(request, f"/jobs/{job_id}", flash)


@pages.post("/{job_id}/cancel")
async def cancel_job(request: Request, job_id: int, principal: Operator) -> Response:
    """Cancel a queued job immediately, a running one at its next step."""
    job = await operator_actions.cancel_job(get_state(request).services, principal, job_id)
    words = (
        gettext("The job is cancelled.")
        if job.status is JobStatus.CANCELLED
        else gettext("The job stops at its next step.")
    )
    return redirect(request, f"/jobs/{job_id}", Flash(words))


async def _name_objects(names: FailureNames, jobs: list[JobView]) -> dict[int, NamedObject]:
    """What the jobs on the page work on, as far as the person may see it."""
    return {job.id: named for job in jobs if (named := await names.find(job.object)) is not None}


def _facets(
    request: Request, queues: list[QueueCounts], status: str, is_whole: bool
) -> list[tuple[str, int | None, str, bool]]:
    """The counts are of all jobs, so those that the list leaves some out of have none."""
    counts = {s.value: sum(getattr(queue, s.value) for queue in queues) for s in JobStatus}
    items: list[tuple[str, int | None, str, bool]] = [
        (
            gettext("All"),
            sum(counts.values()) if is_whole else None,
            with_query(request.url, status=None, cursor=None),
            not status,
        )
    ]
    for name, count in counts.items():
        shown = count if is_whole or name in (JobStatus.FAILED, JobStatus.RUNNING) else None
        items.append((label_state(name), shown, with_query(request.url, status=name, cursor=None), status == name))
    return items


def _chips(request: Request, task: str, queue: str) -> list[tuple[str, str]]:
    chosen = (("task", gettext("Task"), task), ("queue", gettext("Queue"), queue))
    return [
        (
            gettext("%(name)s: %(value)s", name=label, value=value),
            with_query(request.url, **{name: None, "cursor": None}),
        )
        for name, label, value in chosen
        if value
    ]
