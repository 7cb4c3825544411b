"""Starting, watching and cancelling the jobs that retrieve, outline and draft. Nothing is generated in a request.

A second click joins the job that the first one started: a run has a number, and each number is worked on once.
"""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.model.draft import LONGEST_INSTRUCTION
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName, StepState, status_without_run
from almanac.desks.newsletter.service.access import job_of, open_newsletter
from almanac.desks.newsletter.service.drafts import check_section_version
from almanac.desks.newsletter.tasks import DRAFT, OUTLINE, REGENERATE, RETRIEVE
from almanac.errors import Conflict, FieldErrors
from almanac.jobs import JobView, Task
from almanac.services import Services

_TASKS: dict[StepName, Task] = {"retrieval": RETRIEVE, "outline": OUTLINE, "draft": DRAFT}
_NAMES: dict[StepName, str] = {"retrieval": "The retrieval", "outline": "The outline", "draft": "The draft"}


@dataclass(frozen=True, slots=True)
class Started:
    """The job that does what was asked for; `joined` where it was under way already."""

    job_id: int
    joined: bool


@dataclass(frozen=True, slots=True)
class Progress:
    """A step with the job that works on it, if any."""

    step: StepName
    state: StepState
    job: JobView | None


async def start_retrieval(services: Services, principal: Principal, code: str) -> Started:
    """Look for sources to the chosen topics."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if not full.topics.selected:
        raise Conflict("Choose at least one topic first; there is nothing to look for.")
    return await _start(services, full, "retrieval")


async def start_outline(services: Services, principal: Principal, code: str) -> Started:
    """Make an outline of what was retrieved; what a person added or edited in the present one stays."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if not full.topics.chunks:
        raise Conflict("Retrieve sources first; an outline is made of what they say.")
    if not full.topics.included:
        raise Conflict("Every source is excluded; include at least one.")
    return await _start(services, full, "outline")


async def start_draft(services: Services, principal: Principal, code: str) -> Started:
    """Write the sections of the outline; a person's own texts stay, with a proposal beside them."""
    full = await open_newsletter(services, principal, code, consistent=True)
    if not full.outline.outline.to_write:
        raise Conflict("Make an outline first; the draft follows it section by section.")
    return await _start(services, full, "draft")


async def regenerate_section(
    services: Services,
    principal: Principal,
    code: str,
    section_id: str,
    *,
    instruction: str = "",
    expected: int | None = None,
) -> Started:
    """Write one section anew, as an instruction says; beside a person's own text it becomes a proposal."""
    full = await open_newsletter(services, principal, code, consistent=True)
    draft = full.draft.draft
    section = draft.section(section_id)
    if expected is not None:
        check_section_version(draft, section_id, expected)
    if len(instruction) > LONGEST_INSTRUCTION:
        raise FieldErrors({"instruction": f"Shorten it to {LONGEST_INSTRUCTION:,} characters."})
    _check_free(full, besides=None)
    running = await job_of(services, section.job)
    if running is not None and not running.status.final:
        return Started(running.id, joined=True)
    args = {"code": code, "section": section.id, "instruction": instruction.strip(), "seen": draft.version}
    job_id = await services.jobs.defer(REGENERATE, args, queueing_lock=f"newsletter:{code}:section:{section.id}")
    await store.note_section_job(services.tables, code, section.key, job_id)
    return Started(job_id, joined=False)


async def _start(services: Services, full: FullNewsletter, step: StepName) -> Started:
    _check_free(full, besides=step)
    state = full.state_of(step)
    if state.status == "processing" and state.job is not None:
        return Started(state.job, joined=True)
    run = state.run + 1
    lock = f"newsletter:{full.code}:{step}"
    job_id = await services.jobs.defer(_TASKS[step], {"code": full.code, "run": run}, queueing_lock=lock)
    begun = await store.begin_step(services.tables, full.code, step, run=run, job=job_id, now=services.clock.now())
    return Started(job_id, joined=not begun)


def _check_free(full: FullNewsletter, *, besides: StepName | None) -> None:
    """Steps build on each other, so one at a time."""
    for step in STEPS:
        if step != besides and full.state_of(step).status == "processing":
            raise Conflict(f"{_NAMES[step]} is being worked on; wait for it or cancel it first.")


async def progress(services: Services, principal: Principal, code: str) -> list[Progress]:
    """Where each step stands, with its job while it runs."""
    full = await open_newsletter(services, principal, code)
    found = []
    for step in STEPS:
        state = full.state_of(step)
        found.append(Progress(step, state, await job_of(services, state.job)))
    return found


async def cancel(services: Services, principal: Principal, code: str, step: StepName) -> FullNewsletter:
    """Stop a step; what was there before it began is unchanged."""
    full = await open_newsletter(services, principal, code)
    state = full.state_of(step)
    if state.status != "processing" or state.job is None:
        raise Conflict(f"{_NAMES[step]} is not being worked on; there is nothing to cancel.")
    job = await services.jobs.cancel(state.job)
    if job.status.final:
        status = status_without_run(full, step)
        await store.end_step(services.tables, code, step, run=state.run + 1, status=status)
    return await open_newsletter(services, principal, code)
