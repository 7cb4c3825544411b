"""Progress of steps, sections and exports on the pages: the live stream, cancelling, and keeping a step."""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import replace

from fastapi import APIRouter, Request
from starlette.responses import Response

from almanac.accounts.model import Principal
from almanac.desks.newsletter.jobs import EXPORT
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName
from almanac.desks.newsletter.pages.layout import PAGE_OF_STEP, Code, PartId, Reader, Writer, load_newsletter
from almanac.desks.newsletter.service import steps as step_service
from almanac.desks.newsletter.service.access import get_job
from almanac.desks.newsletter.service.steps import StepEvent, keep_step
from almanac.desks.newsletter.urls import PREFIX, newsletter_path
from almanac.errors import NotFound
from almanac.http.app_state import get_state
from almanac.http.live import WAITING_LABEL, RunningWork, ShownJobs, stream_running_work
from almanac.http.pages import redirect_with_message
from almanac.jobs import JobView
from almanac.kit.messages import gettext
from almanac.services import Services

_LABELS = {
    "retrieval": gettext("Looking for sources"),
    "outline": gettext("Making the outline"),
    "draft": gettext("Writing the draft"),
}
_UNDER_WAY = {"processing", "queued", "running"}
router = APIRouter(prefix=PREFIX)


async def step_progress(services: Services, full: FullNewsletter, step: StepName) -> RunningWork:
    """The progress of a step."""
    state = full.step_state(step)
    job = await get_job(services, state.job) if state.status == "processing" else None
    running = _step(
        full.code,
        step,
        StepEvent(
            step=step,
            status=state.status,
            job_id=state.job,
            done=job.done if job else None,
            total=job.total if job else None,
            doing=_current_activity(job),
            error=state.error,
        ),
    )
    if not state.is_elsewhere:
        return running
    return replace(running, cancel="", doing=str(gettext("Another program is working on this.")))


async def section_progress(
    services: Services, code: str, section_id: str, name: str, job_id: int | None
) -> RunningWork:
    """The progress of rewriting a section."""
    job = await get_job(services, job_id)
    return _section(code, section_id, gettext("Writing %(name)s", name=name)).with_job(job)


async def export_progress(services: Services, code: str, job_id: int | None) -> RunningWork:
    """The progress of an export job; a job that exports something else is not shown."""
    if job_id is None:
        return _export(code)
    try:
        detail = await services.jobs.job(job_id)
    except NotFound:
        return _export(code)
    ours = detail.job.task == EXPORT.name and detail.args.get("code") == code
    return _export(code, job_id).with_job(detail.job) if ours else _export(code)


def event_progress(code: str, event: StepEvent) -> RunningWork:
    """The progress that an event is about."""
    if event.step == "export":
        return _with_event(_export(code, event.job_id), event)
    if event.section is not None:
        return _with_event(_section(code, event.section, gettext("Rewriting the section")), event)
    step: StepName = event.step  # type: ignore[assignment] # neither export nor section: a step
    return _step(code, step, event)


def _step(code: str, step: StepName, event: StepEvent) -> RunningWork:
    return _with_event(
        RunningWork(
            id=f"progress-{step}",
            label=_LABELS[step],
            refresh=newsletter_path(code, PAGE_OF_STEP[step]),
            target="step",
            cancel=newsletter_path(code, "cancel", step),
        ),
        event,
    )


def _section(code: str, section_id: str, label: str) -> RunningWork:
    return RunningWork(
        id=f"progress-section-{section_id}",
        label=label,
        refresh=newsletter_path(code, "draft"),
        target=f"section-{section_id}",
    )


def _export(code: str, job_id: int | None = None) -> RunningWork:
    """The page's address includes the job, so that it can also show why an export failed."""
    page = newsletter_path(code, "export")
    return RunningWork(
        id="progress-export",
        label=gettext("Writing the file"),
        refresh=f"{page}?job={job_id}" if job_id else page,
        target="exports",
    )


def _with_event(running: RunningWork, event: StepEvent) -> RunningWork:
    return replace(
        running,
        is_running=event.status in _UNDER_WAY,
        job=event.job_id,
        done=event.done or 0,
        total=event.total,
        doing=event.doing or (WAITING_LABEL if event.status == "queued" else ""),
        error=event.error or "",
    )


def _current_activity(job: JobView | None) -> str:
    if job is None:
        return ""
    return job.doing or (WAITING_LABEL if str(job.status) == "queued" else "")


@router.get("/{code}/live")
async def follow_newsletter(request: Request, code: Code, principal: Reader, shown: ShownJobs = None) -> Response:
    """Stream the progress of whatever is running."""
    await load_newsletter(request, principal, code)
    services = get_state(request).services
    return await stream_running_work(request, principal, _running(services, principal, code, shown or ()))


@router.post("/{code}/cancel/{step}")
async def cancel_step(request: Request, code: Code, step: PartId, principal: Writer) -> Response:
    """Cancel a running step; its previous result is kept."""
    step_name = _parse_step(step)
    full = await step_service.cancel_step(get_state(request).services, principal, code, step_name)
    stopped = full.step_state(step_name).status != "processing"
    words = (
        gettext("Cancelled; nothing was changed.")
        if stopped
        else gettext("Cancelling; it stops at the next checkpoint.")
    )
    return redirect_with_message(request, newsletter_path(code, PAGE_OF_STEP[step_name]), words)


@router.post("/{code}/keep/{step}")
async def keep_step_unchanged(request: Request, code: Code, step: PartId, principal: Writer) -> Response:
    """Confirm a step although something before it changed."""
    step_name = _parse_step(step)
    await keep_step(get_state(request).services, principal, code, step_name)
    return redirect_with_message(request, newsletter_path(code, PAGE_OF_STEP[step_name]), gettext("Kept as is."))


def _parse_step(step: str) -> StepName:
    match = next((name for name in STEPS if name == step), None)
    if match is None:
        raise NotFound(
            gettext("%(step)s isn't a step; use one of %(choices)s.", step=step[:40], choices=", ".join(STEPS))
        )
    return match


async def _running(
    services: Services, principal: Principal, code: str, shown: Collection[int]
) -> AsyncGenerator[RunningWork, None]:
    async with aclosing(step_service.follow_newsletter(services, principal, code, shown=shown)) as events:
        async for event in events:
            yield event_progress(code, event)
