"""What is being worked on, as the pages show it: a step, a section of the draft or an export, with its job."""

from dataclasses import replace

from almanac.desks.newsletter.jobs import EXPORT
from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName
from almanac.desks.newsletter.pages.wizard import PAGE_OF_STEP, address
from almanac.desks.newsletter.service.access import job_of
from almanac.desks.newsletter.service.watching import Event
from almanac.errors import NotFound
from almanac.http.live import WAITING, RunningWork
from almanac.jobs import JobView
from almanac.services import Services

_LABELS = {"retrieval": "Looking for sources", "outline": "Making the outline", "draft": "Writing the draft"}
_UNDER_WAY = {"processing", "queued", "running"}


async def step_progress(services: Services, full: FullNewsletter, step: StepName) -> RunningWork:
    """Where a step stands."""
    state = full.state_of(step)
    job = await job_of(services, state.job) if state.status == "processing" else None
    return _step(
        full.code,
        step,
        Event(
            step=step,
            status=state.status,
            job_id=state.job,
            done=job.done if job else None,
            total=job.total if job else None,
            doing=_doing(job),
            error=state.error,
        ),
    )


async def section_progress(
    services: Services, code: str, section_id: str, name: str, job_id: int | None
) -> RunningWork:
    """Whether a section is being written anew."""
    job = await job_of(services, job_id)
    return _section(code, section_id, f"Writing {name}").with_job(job)


async def export_progress(services: Services, code: str, job_id: int | None) -> RunningWork:
    """Whether a file is being written; a job that exports something else is not shown."""
    if job_id is None:
        return _export(code)
    try:
        detail = await services.jobs.job(job_id)
    except NotFound:
        return _export(code)
    ours = detail.job.task == EXPORT.name and detail.args.get("code") == code
    return _export(code, job_id).with_job(detail.job) if ours else _export(code)


def running_of(code: str, event: Event) -> RunningWork:
    """What an event of the newsletter is about."""
    if event.step == "export":
        return _told(_export(code, event.job_id), event)
    if event.section is not None:
        return _told(_section(code, event.section, "Writing the section anew"), event)
    step: StepName = event.step  # type: ignore[assignment] # what is no export and no section is a step
    return _step(code, step, event)


def _step(code: str, step: StepName, event: Event) -> RunningWork:
    return _told(
        RunningWork(
            id=f"progress-{step}",
            label=_LABELS[step],
            refresh=address(code, PAGE_OF_STEP[step]),
            target="step",
            cancel=address(code, "cancel", step),
        ),
        event,
    )


def _section(code: str, section_id: str, label: str) -> RunningWork:
    return RunningWork(
        id=f"progress-section-{section_id}",
        label=label,
        refresh=address(code, "draft"),
        target=f"section-{section_id}",
    )


def _export(code: str, job_id: int | None = None) -> RunningWork:
    """The page that shows the file names the job, so that it can also tell why there is none."""
    page = address(code, "export")
    return RunningWork(
        id="progress-export",
        label="Writing the file",
        refresh=f"{page}?job={job_id}" if job_id else page,
        target="exports",
    )


def _told(running: RunningWork, event: Event) -> RunningWork:
    return replace(
        running,
        is_running=event.status in _UNDER_WAY,
        job=event.job_id,
        done=event.done or 0,
        total=event.total,
        doing=event.doing or (WAITING if event.status == "queued" else ""),
        error=event.error or "",
    )


def _doing(job: JobView | None) -> str:
    if job is None:
        return ""
    return job.doing or (WAITING if str(job.status) == "queued" else "")
