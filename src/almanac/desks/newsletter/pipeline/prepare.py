"""Prepares the next issue of a series as a draft for a person to review.

A due moment is decided once, in the transaction that creates its issue or records why there is none. A retry after a
crash reads that decision, and skips the steps that are done.
"""

from datetime import datetime

from almanac.audit.model import SYSTEM
from almanac.desks.newsletter.events import PREPARED, publish_event
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import plan_retrieval
from almanac.desks.newsletter.model.selection import ChunkSelection
from almanac.desks.newsletter.model.series import (
    IssueRun,
    IssueSeries,
    Outcome,
    issue_configuration,
    record_run,
    set_run_outcome,
    too_few_chunks_reason,
)
from almanac.desks.newsletter.model.verification import list_cited_chunks
from almanac.desks.newsletter.permissions import WRITE
from almanac.desks.newsletter.pipeline.context import run_step
from almanac.desks.newsletter.pipeline.draft import write_draft
from almanac.desks.newsletter.pipeline.outline import make_outline
from almanac.desks.newsletter.pipeline.retrieve import retrieve_sources, select_sources
from almanac.desks.newsletter.pipeline.verification import check_draft
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import series as series_store
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, NotFound, Retryable, StaleEdit
from almanac.jobs import JobLeaseLost, RunningJob
from almanac.saved.owners import find_active_owner
from almanac.services import Services

_NO_OWNER = "Its owner has no active account that may write newsletters; assign another owner or turn off the schedule."
_NO_TOPICS = "No topic is chosen; choose at least one."


async def prepare_issue(job: RunningJob[Services], code: str, due: datetime, *, is_last_attempt: bool) -> None:
    """Decide about the issue of a due time, and write its draft. A failure is saved as the reason."""
    try:
        run = await _get_decision(job, code, due)
        if run is not None and run.outcome == "preparing":
            await _write_issue(job, code, run)
    except JobLeaseLost:
        raise
    except Exception as error:
        # Save why there is no issue, unless another attempt may still succeed.
        if not isinstance(error, Retryable) or is_last_attempt:
            reason = str(error.sentence) if isinstance(error, AlmanacError) else str(UNEXPECTED_ERROR)
            await _save_failure(job.services, code, due, reason)
        raise


async def _get_decision(job: RunningJob[Services], code: str, due: datetime) -> IssueRun | None:
    """The decision about a due time: made now, or by an earlier attempt."""
    services = job.services
    series = await series_store.get_series(services.tables, code)
    if not series.is_due(due):
        return series.run_at(due)
    try:
        full = await newsletter_store.get_full_newsletter(services.tables, code, consistent=True)
    except NotFound:
        await series_store.delete_series(services.tables, code)
        return None
    try:
        return await _decide(job, full, series, due)
    except StaleEdit:
        # The schedule was changed meanwhile, or another worker decided.
        return (await series_store.get_series(services.tables, code)).run_at(due)


async def _decide(job: RunningJob[Services], full: FullNewsletter, series: IssueSeries, due: datetime) -> IssueRun:
    """Create the issue, or record why there is none; either way the series moves to its next due time."""
    services, configuration = job.services, full.newsletter.configuration
    selection, reason = await _select_for_issue(job, full)
    now = services.clock.now()

    def moved_on(run: IssueRun) -> IssueSeries:
        return record_run(series, run, configuration.schedule, now)

    if selection is None:
        run = IssueRun(due=due, outcome="skipped", at=now, reason=reason)
        await series_store.write_series(services.tables, moved_on(run))
        return run
    issue = await series_store.create_issue(
        services.tables,
        full.newsletter,
        issue_configuration(configuration, due),
        lambda code: moved_on(IssueRun(due=due, outcome="preparing", at=now, issue=code)),
        topics=full.topics.selected,
        excluded=tuple(chunk.id for chunk in selection.chunks if chunk.used_in),
        now=now,
    )
    return IssueRun(due=due, outcome="preparing", at=now, issue=issue.code)


async def _select_for_issue(job: RunningJob[Services], full: FullNewsletter) -> tuple[ChunkSelection | None, str]:
    """The chunks of the issue, or the reason why there is none."""
    if not await _may_write(job.services, full.newsletter.owner_id):
        return None, _NO_OWNER
    if not full.topics.selected:
        return None, _NO_TOPICS
    selection = await select_sources(job.services, full, job.progress, excluding="")
    plan = plan_retrieval(full.newsletter.configuration, job.services.clock.now())
    reason = too_few_chunks_reason(selection.chunks, plan)
    return (None, reason) if reason else (selection, "")


async def _may_write(services: Services, owner_id: str) -> bool:
    """Whether the owner may write now."""
    owner = await find_active_owner(services.accounts, owner_id)
    return owner is not None and owner.may(WRITE)


async def _write_issue(job: RunningJob[Services], code: str, run: IssueRun) -> None:
    """Run the missing steps, and leave the draft to a person; the next issue excludes what this one cites."""
    services, issue = job.services, run.issue or ""
    try:
        await run_step(job, issue, "retrieval", 1, retrieve_sources)
        await run_step(job, issue, "outline", 1, make_outline)
        await run_step(job, issue, "draft", 1, write_draft, completes=False)
        full = await newsletter_store.get_full_newsletter(services.tables, issue, consistent=True)
    except NotFound:
        await _save_outcome(services, code, run.due, "skipped", "The issue was deleted while it was being prepared.")
        return
    covered = list_cited_chunks(await check_draft(services, full))
    await newsletter_store.save_covered_chunks(services.tables, issue, covered)
    async with job.unit() as unit:
        if await job.once(unit, "prepared"):
            await publish_event(
                unit,
                services,
                SYSTEM,
                PREPARED,
                full.newsletter,
                series=code,
                due_at=run.due.isoformat(),
                words=full.draft.draft.word_count,
            )
    await _save_outcome(services, code, run.due, "prepared")


async def _save_outcome(services: Services, code: str, due: datetime, outcome: Outcome, reason: str = "") -> None:
    now = services.clock.now()
    await series_store.update_series(
        services.tables, code, lambda series: set_run_outcome(series, due, outcome, now, reason)
    )


async def _save_failure(services: Services, code: str, due: datetime, reason: str) -> None:
    """Save the reason; a due time that was undecided is decided as failed."""
    now = services.clock.now()
    try:
        schedule = (await newsletter_store.get_newsletter(services.tables, code)).configuration.schedule
    except NotFound:
        return

    def failed(series: IssueSeries) -> IssueSeries:
        if series.is_due(due):
            return record_run(series, IssueRun(due=due, outcome="failed", at=now, reason=reason), schedule, now)
        return set_run_outcome(series, due, "failed", now, reason)

    await series_store.update_series(services.tables, code, failed)
