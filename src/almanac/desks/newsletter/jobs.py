"""The desk's jobs: retrieve, outline, draft, and write one section anew.

Each run has a number and is worked on once; whatever fails leaves what was there, and its reason.
"""

from collections.abc import Awaitable, Callable

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter import store
from almanac.desks.newsletter.events import EXPORTED, announce
from almanac.desks.newsletter.exports.model import Format
from almanac.desks.newsletter.model.newsletter import StepName, status_without_run
from almanac.desks.newsletter.pipeline.draft import write_draft, write_section_anew
from almanac.desks.newsletter.pipeline.export import export
from almanac.desks.newsletter.pipeline.outline import make_outline
from almanac.desks.newsletter.pipeline.retrieve import retrieve
from almanac.desks.newsletter.pipeline.running import StageRun
from almanac.desks.newsletter.sweeping import QUEUE, SWEEP
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, Retryable
from almanac.jobs import JobCancelled, JobType, LeaseLost, RunningJob
from almanac.services import Services

Stage = Callable[[StageRun], Awaitable[None]]


async def _retrieve(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "retrieval", run, retrieve)


async def _outline(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "outline", run, make_outline)


async def _draft(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "draft", run, write_draft)


async def _regenerate(job: RunningJob[Services], code: str, section: str, instruction: str, seen: int) -> None:
    stage = StageRun(job.services, code, run=0, report=job.progress)
    await write_section_anew(stage, section, instruction, seen=seen)


async def _export(job: RunningJob[Services], code: str, wanted: str) -> None:
    services = job.services
    record = await export(StageRun(services, code, run=0, report=job.progress), Format(wanted))
    newsletter = await store.get_newsletter(services.tables, code)
    async with job.unit() as unit:
        if await job.once(unit, "announced"):
            await announce(
                unit,
                services,
                SYSTEM,
                EXPORTED,
                newsletter,
                format=wanted,
                size=record.size,
                revision=record.revision,
                key=record.key,
            )


async def run_step(
    job: RunningJob[Services], code: str, step: StepName, run: int, stage: Stage, *, completes: bool = True
) -> None:
    """One run of a step, unless it has ended already; how it ends is kept with the step."""
    services = job.services
    begun = await store.begin_step(services.tables, code, step, run=run, job=job.id or None, now=services.clock.now())
    if not begun:
        return
    try:
        await stage(StageRun(services, code, run=run, report=job.progress, completes=completes))
    except (LeaseLost, Retryable):
        # It goes on: with the worker that has it now, or with the next attempt.
        raise
    except JobCancelled:
        full = await store.get_newsletter_full(services.tables, code)
        await store.end_step(services.tables, code, step, run=run, status=status_without_run(full, step))
        raise
    except Exception as error:
        # Whatever it was, the step must not stay as if somebody were working on it; the error goes on to the job.
        reason = error.sentence if isinstance(error, AlmanacError) else UNEXPECTED_ERROR
        await store.end_step(services.tables, code, step, run=run, status="failed", error=reason)
        raise


_LOCK = "newsletter:{code}"
RETRIEVE = JobType("newsletter.retrieve", _retrieve, queue=QUEUE, lock=_LOCK, title="Retrieve sources")
OUTLINE = JobType("newsletter.outline", _outline, queue=QUEUE, lock=_LOCK, title="Make an outline")
DRAFT = JobType("newsletter.draft", _draft, queue=QUEUE, lock=_LOCK, title="Write a draft")
REGENERATE = JobType(
    "newsletter.section",
    _regenerate,
    queue=QUEUE,
    lock=_LOCK,
    title="Write a section anew",
    private=frozenset({"instruction"}),
)
EXPORT = JobType("newsletter.export", _export, queue=QUEUE, lock=_LOCK, title="Export a newsletter")
JOBS = (RETRIEVE, OUTLINE, DRAFT, REGENERATE, EXPORT, SWEEP)
STEP_OF = {
    RETRIEVE.name: "retrieval",
    OUTLINE.name: "outline",
    DRAFT.name: "draft",
    REGENERATE.name: "draft",
    EXPORT.name: "export",
}
