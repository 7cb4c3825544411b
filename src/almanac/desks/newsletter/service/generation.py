"""Starting, watching and cancelling the jobs that retrieve, outline and draft. Nothing is generated in a request.

A second click joins the job that the first one started: a run has a number, and each number is worked on once.
"""

from dataclasses import dataclass

from almanac.accounts.model import Principal
from almanac.desks.newsletter import store
from almanac.desks.newsletter.jobs import DRAFT, OUTLINE, REGENERATE, RETRIEVE
from almanac.desks.newsletter.model.draft import LONGEST_INSTRUCTION
from almanac.desks.newsletter.model.newsletter import STEPS, FullNewsletter, StepName, StepState, status_without_run
from almanac.desks.newsletter.service.access import job_of, open_newsletter
from almanac.desks.newsletter.service.drafts import check_section_version
from almanac.errors import Conflict, FieldErrors
from almanac.jobs import JobType, JobView, RunningJob
from almanac.jobs.port import RunLedger
from almanac.kit.text import one_line
from almanac.services import Services

_TASKS: dict[StepName, JobType] = {"retrieval": RETRIEVE, "outline": OUTLINE, "draft": DRAFT}
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


async def start_step(services: Services, principal: Principal, code: str, step: StepName) -> Started:
    """Retrieve sources, make the outline or write the draft, in a job. What a person wrote or chose stays."""
    full = await open_newsletter(services, principal, code, consistent=True)
    _check_ready(full, step)
    state = full.state_of(step)
    if state.status == "processing" and state.job is not None:
        return Started(state.job, joined=True)
    run = state.run + 1
    lock = f"newsletter:{code}:{step}"
    job_id = await services.jobs.defer(_TASKS[step], {"code": code, "run": run}, queueing_lock=lock)
    begun = await store.begin_step(services.tables, code, step, run=run, job=job_id, now=services.clock.now())
    return Started(job_id, joined=not begun)


async def run_step_here(
    services: Services, principal: Principal, code: str, step: StepName, ledger: RunLedger
) -> FullNewsletter:
    """The same without a worker, for a command that waits for the result."""
    full = await open_newsletter(services, principal, code, consistent=True)
    _check_ready(full, step)
    if full.state_of(step).status == "processing":
        raise Conflict(f"{_NAMES[step]} is being worked on by a worker; wait for it or cancel it first.")
    task = _TASKS[step]
    job: RunningJob[Services] = RunningJob(0, task.name, 1, services, ledger)
    await task.run(job, code=code, run=full.state_of(step).run + 1)
    return await open_newsletter(services, principal, code, consistent=True)


def _check_ready(full: FullNewsletter, step: StepName) -> None:
    """Each step needs the one before it, and no other may be under way: they build on each other."""
    _check_free(full, besides=step)
    if step == "retrieval" and not full.topics.selected:
        raise Conflict("Choose at least one topic first; there is nothing to look for.")
    if step == "outline" and not full.topics.chunks:
        raise Conflict("Retrieve sources first; an outline is made of what they say.")
    if step == "outline" and not full.topics.included:
        raise Conflict("Every source is excluded; include at least one.")
    if step == "draft" and not full.outline.outline.to_write:
        raise Conflict("Make an outline first; the draft follows it section by section.")


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
    instruction = one_line(instruction)
    if len(instruction) > LONGEST_INSTRUCTION:
        raise FieldErrors({"instruction": f"Shorten it to {LONGEST_INSTRUCTION:,} characters."})
    _check_free(full, besides=None)
    running = await job_of(services, section.job)
    if running is not None and not running.status.final:
        return Started(running.id, joined=True)
    args = {"code": code, "section": section.id, "instruction": instruction, "seen": draft.version}
    job_id = await services.jobs.defer(REGENERATE, args, queueing_lock=f"newsletter:{code}:section:{section.id}")
    await store.note_section_job(services.tables, code, section.key, job_id)
    return Started(job_id, joined=False)


def _check_free(full: FullNewsletter, *, besides: StepName | None) -> None:
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
