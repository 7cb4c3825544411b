"""Opening a newsletter: for its owner and the desk's administrators; for everyone else it doesn't exist.

A step whose job ended without saving, because a worker died or a person cancelled it, is shown as ended.
"""

from dataclasses import replace
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName, StepState, idle_status
from almanac.desks.newsletter.permissions import ADMINISTER
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.errors import NotFound, StaleEdit
from almanac.jobs import JobStatus, JobView
from almanac.kit.messages import gettext
from almanac.services import Services

CANCELLED = "Cancelled; nothing was changed."
# Longer than any program needs for a step; after that it counts as given up.
_OTHERS_LIMIT = timedelta(hours=1)
_GIVEN_UP = gettext("Another program began this and didn't finish it; start it again here.")


async def open_newsletter(
    services: Services, principal: Principal, code: str, *, consistent: bool = False
) -> FullNewsletter:
    """The newsletter with all its steps. Raises NotFound."""
    full = await newsletter_store.get_full_newsletter(services.tables, code, consistent=consistent)
    check_owner(principal, full)
    return await resolve_ended_jobs(services, full)


def check_owner(principal: Principal, full: FullNewsletter) -> None:
    """Raise NotFound, as for a missing newsletter, if the principal may not see it."""
    if not principal.owns(full.newsletter.owner_id) and not principal.may(ADMINISTER):
        raise NotFound(gettext("There is no newsletter %(code)s; check the code.", code=full.code))


def check_version(expected: int, current: int) -> None:
    """Raise StaleEdit if an edit was made on another version than the current one."""
    if expected != current:
        raise StaleEdit(gettext("Someone else changed this; reload and make your change again."), str(current))


async def get_job(services: Services, job_id: int | None) -> JobView | None:
    """The job, or None if it no longer exists."""
    if job_id is None:
        return None
    try:
        return (await services.jobs.job(job_id)).job
    except NotFound:
        return None


async def resolve_ended_jobs(services: Services, full: FullNewsletter) -> FullNewsletter:
    """The newsletter with the state of steps corrected whose job has ended although they are marked as running."""
    if not await _find_ended_jobs(services, full):
        return full
    # The job may have ended and saved its result between the two reads, so read again.
    full = await newsletter_store.get_full_newsletter(services.tables, full.code, consistent=True)
    for step, job in (await _find_ended_jobs(services, full)).items():
        full = _with_state(full, step, _state_after(full, step, full.step_state(step), job))
    return full


async def _find_ended_jobs(services: Services, full: FullNewsletter) -> dict[StepName, JobView | None]:
    """The steps marked as running whose job has ended or is gone."""
    ended: dict[StepName, JobView | None] = {}
    for step in STEPS:
        state = full.step_state(step)
        if state.is_elsewhere and _may_still_run(services, state):
            continue
        if state.status == "processing":
            job = await get_job(services, state.job)
            if job is None or job.status.final:
                ended[step] = job
    return ended


def _may_still_run(services: Services, state: StepState) -> bool:
    return state.started_at is not None and services.clock.now() - state.started_at < _OTHERS_LIMIT


def _state_after(full: FullNewsletter, step: StepName, state: StepState, job: JobView | None) -> StepState:
    if job is not None and job.status is JobStatus.FAILED:
        return replace(state, status="failed", error=job.reason)
    if state.is_elsewhere:
        return replace(state, status="failed", error=str(_GIVEN_UP))
    cancelled = job is not None and job.status is JobStatus.CANCELLED
    return replace(state, status=idle_status(full, step), error=CANCELLED if cancelled else None)


def _with_state(full: FullNewsletter, step: StepName, state: StepState) -> FullNewsletter:
    if step == "retrieval":
        return replace(full, topics=replace(full.topics, state=state))
    if step == "outline":
        return replace(full, outline=replace(full.outline, state=state))
    return replace(full, draft=replace(full.draft, state=state))
