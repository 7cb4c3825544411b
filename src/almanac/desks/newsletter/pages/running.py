"""What is being worked on, as the pages show it: a step, a section of the draft or an export, with its job."""

from dataclasses import dataclass

from almanac.desks.newsletter.model.newsletter import FullNewsletter, StepName
from almanac.desks.newsletter.pages.wizard import PAGE_OF_STEP, address
from almanac.desks.newsletter.service.access import job_of
from almanac.desks.newsletter.service.watching import Event
from almanac.jobs import JobView
from almanac.services import Services

_LABELS = {"retrieval": "Looking for sources", "outline": "Making the outline", "draft": "Writing the draft"}
_UNDER_WAY = {"processing", "queued", "running"}
_WAITING = "Waiting for a worker"


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """Something under way, or over. `refresh` is the page, and `target` its part, that shows the result.

    `cancel` is where to stop it; a section and an export have no such address, since they take moments.
    """

    id: str
    label: str
    refresh: str
    target: str
    is_running: bool
    cancel: str = ""
    done: int = 0
    total: int | None = None
    doing: str = ""
    error: str = ""


async def step_progress(services: Services, full: FullNewsletter, step: StepName) -> Running:
    """Where a step stands."""
    state = full.state_of(step)
    job = await job_of(services, state.job) if state.status == "processing" else None
    return _step(full.code, step, Event(
        step=step, status=state.status, job_id=state.job, done=job.done if job else None,
        total=job.total if job else None, doing=_doing(job), error=state.error,
    ))  # fmt: skip


async def section_progress(services: Services, code: str, section_id: str, name: str, job_id: int | None) -> Running:
    """Whether a section is being written anew."""
    job = await job_of(services, job_id)
    status = str(job.status) if job else "completed"
    failed = job.reason if job and status == "failed" else None
    return _section(code, section_id, f"Writing {name}", Event(step="draft", status=status, error=failed))


async def export_progress(services: Services, code: str, job_id: int | None) -> Running:
    """Whether a file is being written."""
    job = await job_of(services, job_id)
    status = str(job.status) if job else "completed"
    return _export(code, Event(
        step="export", status=status, doing=job.doing if job else None,
        error=job.reason if job and status == "failed" else None,
    ))  # fmt: skip


def running_of(code: str, event: Event) -> Running:
    """What an event of the newsletter is about."""
    if event.step == "export":
        return _export(code, event)
    if event.section is not None:
        return _section(code, event.section, "Writing the section anew", event)
    step: StepName = event.step  # type: ignore[assignment] # what is no export and no section is a step
    return _step(code, step, event)


def _step(code: str, step: StepName, event: Event) -> Running:
    return Running(
        id=f"progress-{step}", label=_LABELS[step], refresh=address(code, PAGE_OF_STEP[step]), target="step",
        is_running=event.status in _UNDER_WAY, cancel=address(code, "cancel", step), done=event.done or 0,
        total=event.total, doing=event.doing or (_WAITING if event.status == "queued" else ""),
        error=event.error or "",
    )  # fmt: skip


def _section(code: str, section_id: str, label: str, event: Event) -> Running:
    return Running(
        id=f"progress-section-{section_id}", label=label, refresh=address(code, "draft"),
        target=f"section-{section_id}", is_running=event.status in _UNDER_WAY, doing=event.doing or "",
        error=event.error or "",
    )  # fmt: skip


def _export(code: str, event: Event) -> Running:
    return Running(
        id="progress-export", label="Writing the file", refresh=address(code, "export"), target="exports",
        is_running=event.status in _UNDER_WAY, doing=event.doing or "", error=event.error or "",
    )  # fmt: skip


def _doing(job: JobView | None) -> str:
    if job is None:
        return ""
    return job.doing or (_WAITING if str(job.status) == "queued" else "")
