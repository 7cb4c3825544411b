"""Start, follow, cancel and confirm the steps that run as jobs: retrieval, outline and draft.

A second click joins the running job: runs are numbered, and each number is worked on once.
"""

from collections.abc import AsyncGenerator, Collection
from contextlib import aclosing
from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter.jobs import DRAFT, OUTLINE, RETRIEVE, STEP_OF
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName, StepState, idle_status
from almanac.desks.newsletter.service.access import get_job, open_newsletter
from almanac.desks.newsletter.store import steps as step_store
from almanac.errors import Conflict
from almanac.jobs import JobType, JobView, RunningJob
from almanac.jobs.feed import follow_jobs
from almanac.jobs.port import RunLedger
from almanac.kit.messages import gettext
from almanac.services import Services

_JOBS: dict[StepName, JobType] = {"retrieval": RETRIEVE, "outline": OUTLINE, "draft": DRAFT}
_NAMES: dict[StepName, str] = {
    "retrieval": gettext("The retrieval"),
    "outline": gettext("The outline"),
    "draft": gettext("The draft"),
}


@dataclass(frozen=True, slots=True)
class StartedStepJob:
    """The job that runs; `joined` if it was already running."""

    job_id: int
    joined: bool


@dataclass(frozen=True, slots=True)
class StepProgress:
    """A step with its job, if any."""

    step: StepName
    state: StepState
    job: JobView | None


async def start_step(services: Services, principal: Principal, code: str, step: StepName) -> StartedStepJob:
    """Start a step as a job. What a person wrote or chose is kept."""
    full = await open_newsletter(services, principal, code, consistent=True)
    _check_ready(full, step)
    state = full.step_state(step)
    if state.status == "processing" and state.job is not None:
        return StartedStepJob(state.job, joined=True)
    run = state.run + 1
    lock = f"newsletter:{code}:{step}"
    job_id = await services.jobs.defer(_JOBS[step], {"code": code, "run": run}, queueing_lock=lock)
    started = await step_store.mark_step_started(
        services.tables, code, step, run=run, job=job_id, now=services.clock.now()
    )
    return StartedStepJob(job_id, joined=not started)


async def run_step_now(
    services: Services, principal: Principal, code: str, step: StepName, ledger: RunLedger
) -> FullNewsletter:
    """Run a step without a worker, for a command that waits for the result."""
    full = await open_newsletter(services, principal, code, consistent=True)
    _check_ready(full, step)
    if full.step_state(step).status == "processing":
        raise Conflict(gettext("%(step)s is running in a worker; wait for it or cancel it first.", step=_NAMES[step]))
    task = _JOBS[step]
    job: RunningJob[Services] = RunningJob(0, task.name, 1, services, ledger)
    await task.run(job, code=code, run=full.step_state(step).run + 1)
    return await open_newsletter(services, principal, code, consistent=True)


def _check_ready(full: FullNewsletter, step: StepName) -> None:
    """Raise Conflict if the previous step is missing or another one is running."""
    check_idle(full, excluding=step)
    if full.step_state(step).is_elsewhere:
        raise Conflict(gettext("Another program is working on this; wait until it has finished."))
    if step == "retrieval" and not full.topics.selected:
        raise Conflict(gettext("Choose at least one topic first."))
    if step == "outline" and not full.topics.chunks:
        raise Conflict(gettext("Retrieve sources first; the outline is made from them."))
    if step == "outline" and not full.topics.included:
        raise Conflict(gettext("Every source is excluded; include at least one."))
    if step == "draft" and not full.outline.outline.to_write:
        raise Conflict(gettext("Make an outline first; the draft follows it section by section."))


def check_idle(full: FullNewsletter, *, excluding: StepName | None) -> None:
    """Raise Conflict if a step other than `excluding` is running."""
    for step in STEPS:
        if step != excluding and full.step_state(step).status == "processing":
            raise Conflict(gettext("%(step)s is running; wait for it or cancel it first.", step=_NAMES[step]))


async def get_progress(services: Services, principal: Principal, code: str) -> list[StepProgress]:
    """The state of each step, with its job."""
    full = await open_newsletter(services, principal, code)
    steps = []
    for step in STEPS:
        state = full.step_state(step)
        steps.append(StepProgress(step, state, await get_job(services, state.job)))
    return steps


async def cancel_step(services: Services, principal: Principal, code: str, step: StepName) -> FullNewsletter:
    """Cancel a step; its previous result is kept."""
    full = await open_newsletter(services, principal, code)
    state = full.step_state(step)
    if state.is_elsewhere:
        raise Conflict(gettext("Another program is working on this; it can't be cancelled here."))
    if state.status != "processing" or state.job is None:
        raise Conflict(gettext("%(step)s isn't running; there is nothing to cancel.", step=_NAMES[step]))
    job = await services.jobs.cancel(state.job)
    if job.status.final:
        status = idle_status(full, step)
        await step_store.mark_step_ended(services.tables, code, step, run=state.run + 1, status=status)
    return await open_newsletter(services, principal, code)


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEvent:
    """The current state of a step, or of one section of the draft."""

    step: str
    status: str
    job_id: int | None = None
    section: str | None = None
    done: int | None = None
    total: int | None = None
    doing: str | None = None
    error: str | None = None


async def follow_newsletter(
    services: Services, principal: Principal, code: str, *, shown: Collection[int] = ()
) -> AsyncGenerator[StepEvent, None]:
    """The current state of every step and of the jobs in `shown`, then each change, until the reader leaves."""
    steps = await get_progress(services, principal, code)
    for progress in steps:
        yield StepEvent(
            step=progress.step,
            status=progress.state.status,
            job_id=progress.state.job,
            error=progress.state.error,
            done=progress.job.done if progress.job else None,
            total=progress.job.total if progress.job else None,
            doing=progress.job.doing if progress.job else None,
        )
    # Running steps and shown jobs may end before the subscription starts, so their state is sent first.
    first = {
        *shown,
        *(progress.state.job for progress in steps if progress.state.job and progress.state.status == "processing"),
    }
    async with aclosing(follow_jobs(services.jobs, STEP_OF, {"code": code}, first=first)) as changes:
        async for detail in changes:
            yield _to_event(detail.job, detail.args.get("section"))


def _to_event(job: JobView, section: str | None) -> StepEvent:
    return StepEvent(
        step=STEP_OF[job.task],
        status=str(job.status),
        job_id=job.id,
        section=section,
        done=job.done,
        total=job.total,
        doing=job.doing,
        error=job.reason,
    )


async def keep_step(services: Services, principal: Principal, code: str, step: StepName) -> FullNewsletter:
    """Mark a step as up to date although something it depends on changed."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if any(change.step == step for change in full.changes):
        await step_store.save_basis(services.tables, code, step, full.step_basis(step))
    return await open_newsletter(services, principal, code, consistent=True)
