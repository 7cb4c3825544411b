"""Opening a newsletter: for its owner and for administrators; for everybody else it does not exist.

A step whose job has ended without a word, since a worker died or a person cancelled it, is shown as what it is.
"""

from dataclasses import replace

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName, StepState, status_without_run
from almanac.errors import NotFound, StaleEdit
from almanac.jobs import JobStatus, JobView
from almanac.services import Services

CANCELLED = "It was cancelled; what was there before is unchanged."


async def open_newsletter(
    services: Services, principal: Principal, code: str, *, consistent: bool = False
) -> FullNewsletter:
    """The newsletter with all its steps, as they truly stand."""
    full = await store.get_newsletter_full(services.tables, code, consistent=consistent)
    check_owner(principal, full)
    return await settled(services, full)


def check_owner(principal: Principal, full: FullNewsletter) -> None:
    """Whoever it doesn't belong to is told the same as if it weren't there."""
    if not principal.owns(full.newsletter.owner_id) and principal.role is not Role.ADMIN:
        raise NotFound(f"There is no newsletter {full.code}; check the code.")


def check_version(expected: int, current: int) -> None:
    """Refuse an edit that was made on another version than the current one."""
    if expected != current:
        raise StaleEdit("Somebody else changed this first; load it again and repeat your change.", str(current))


async def job_of(services: Services, job_id: int | None) -> JobView | None:
    """The job, or None where there is none any more."""
    if job_id is None:
        return None
    try:
        return (await services.jobs.job(job_id)).job
    except NotFound:
        return None


async def settled(services: Services, full: FullNewsletter) -> FullNewsletter:
    """With the state of steps whose job is over although they say that it is running."""
    if not await _left_behind(services, full):
        return full
    # The job may have ended between the two looks, with its result saved: only a second look can tell.
    full = await store.get_newsletter_full(services.tables, full.code, consistent=True)
    for step, job in (await _left_behind(services, full)).items():
        full = _with_state(full, step, _after(full, step, full.state_of(step), job))
    return full


async def _left_behind(services: Services, full: FullNewsletter) -> dict[StepName, JobView | None]:
    """The steps that seem to be worked on, and whose job is over or gone."""
    found: dict[StepName, JobView | None] = {}
    for step in STEPS:
        state = full.state_of(step)
        if state.status == "processing":
            job = await job_of(services, state.job)
            if job is None or job.status.final:
                found[step] = job
    return found


def _after(full: FullNewsletter, step: StepName, state: StepState, job: JobView | None) -> StepState:
    if job is not None and job.status is JobStatus.FAILED:
        return replace(state, status="failed", error=job.reason)
    cancelled = job is not None and job.status is JobStatus.CANCELLED
    return replace(state, status=status_without_run(full, step), error=CANCELLED if cancelled else None)


def _with_state(full: FullNewsletter, step: StepName, state: StepState) -> FullNewsletter:
    if step == "retrieval":
        return replace(full, topics=replace(full.topics, state=state))
    if step == "outline":
        return replace(full, outline=replace(full.outline, state=state))
    return replace(full, draft=replace(full.draft, state=state))
