"""The desk's jobs and their schedule: the three steps, rewriting a section, exports, and prepared issues."""

from datetime import datetime

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter.events import EXPORTED, publish_event
from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.indexing import unindex_newsletter
from almanac.desks.newsletter.pipeline.context import StepContext, run_step
from almanac.desks.newsletter.pipeline.draft import rewrite_section, write_draft
from almanac.desks.newsletter.pipeline.export import export_newsletter
from almanac.desks.newsletter.pipeline.outline import make_outline
from almanac.desks.newsletter.pipeline.prepare import prepare_issue
from almanac.desks.newsletter.pipeline.retrieve import retrieve_sources
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import series as series_store
from almanac.desks.newsletter.store.objects import export_prefix
from almanac.errors import NotFound
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext
from almanac.services import Services

QUEUE = "newsletter"
_LOCK = "newsletter:{code}"
_ABOUT = ("newsletter", "code")
_MAX_STARTED = 50


async def _retrieve(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "retrieval", run, retrieve_sources)


async def _outline(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "outline", run, make_outline)


async def _draft(job: RunningJob[Services], code: str, run: int) -> None:
    await run_step(job, code, "draft", run, write_draft)


async def _regenerate(job: RunningJob[Services], code: str, section: str, instruction: str, seen: int) -> None:
    ctx = StepContext(job.services, code, run=0, report=job.progress)
    await rewrite_section(ctx, section, instruction, seen=seen)


async def _export(job: RunningJob[Services], code: str, wanted: str) -> None:
    services = job.services
    record = await export_newsletter(StepContext(services, code, run=0, report=job.progress), ExportFormat(wanted))
    newsletter = await newsletter_store.get_newsletter(services.tables, code)
    async with job.unit() as unit:
        if await job.once(unit, "announced"):
            await publish_event(
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


async def _prepare(job: RunningJob[Services], code: str, due: str) -> None:
    is_last_attempt = job.attempt >= PREPARE.retry.attempts
    await prepare_issue(job, code, datetime.fromisoformat(due), is_last_attempt=is_last_attempt)


async def _start_due(job: RunningJob[Services]) -> None:
    """Start a job for each issue that is due. It stays due until that job has decided, so none is lost."""
    services = job.services
    for series in await series_store.list_due_series(services.tables, services.clock.now(), limit=_MAX_STARTED):
        assert series.next_run is not None
        args = {"code": series.code, "due": series.next_run.isoformat()}
        await services.jobs.defer(PREPARE, args, queueing_lock=f"newsletter:{series.code}:prepare")


async def _sweep(job: RunningJob[Services], code: str) -> None:
    """Remove what a deletion left when it was interrupted; a newsletter that still exists keeps its files."""
    services = job.services
    try:
        await newsletter_store.get_newsletter(services.tables, code)
    except NotFound:
        await newsletter_store.delete_newsletter(services.tables, code)
        await unindex_newsletter(services, code)
        await services.objects.delete_prefix(export_prefix(code))


RETRIEVE = JobType(
    "newsletter.retrieve", _retrieve, queue=QUEUE, lock=_LOCK, title=gettext("Retrieve sources"), about=_ABOUT
)
OUTLINE = JobType(
    "newsletter.outline", _outline, queue=QUEUE, lock=_LOCK, title=gettext("Make an outline"), about=_ABOUT
)
DRAFT = JobType("newsletter.draft", _draft, queue=QUEUE, lock=_LOCK, title=gettext("Write a draft"), about=_ABOUT)
REGENERATE = JobType(
    "newsletter.section",
    _regenerate,
    queue=QUEUE,
    lock=_LOCK,
    title=gettext("Rewrite a section"),
    private=frozenset({"instruction"}),
    about=_ABOUT,
)
EXPORT = JobType(
    "newsletter.export", _export, queue=QUEUE, lock=_LOCK, title=gettext("Export a newsletter"), about=_ABOUT
)
PREPARE = JobType(
    "newsletter.prepare",
    _prepare,
    queue=QUEUE,
    lock=_LOCK,
    title=gettext("Prepare the next issue of a newsletter"),
    about=_ABOUT,
)
SWEEP = JobType(
    "newsletter.sweep", _sweep, queue=QUEUE, title=gettext("Remove what is left of a deleted newsletter"), about=_ABOUT
)
JOBS = (RETRIEVE, OUTLINE, DRAFT, REGENERATE, EXPORT, SWEEP, PREPARE)
PREPARE_DUE = Schedule(
    "newsletter.prepare-due",
    JobType(
        "newsletter.prepare-due",
        _start_due,
        queue=QUEUE,
        lock="newsletter.prepare-due",
        title=gettext("Start due newsletter issues"),
    ),
    "*/5 * * * *",
)
SCHEDULES = (PREPARE_DUE,)
STEP_OF = {
    RETRIEVE.name: "retrieval",
    OUTLINE.name: "outline",
    DRAFT.name: "draft",
    REGENERATE.name: "draft",
    EXPORT.name: "export",
}
