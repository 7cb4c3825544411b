"""The jobs of a series: every few minutes find the issues that are due, and prepare each for a person to review.

A due moment is decided about once, in the transaction that begins its issue or says why there is none. Whoever goes on
after a crash finds what was decided, and the steps know which of them are done.
"""

import asyncio
from datetime import datetime

from almanac.accounts import service as accounts
from almanac.accounts.model import AUTOMATION, CONSOLE
from almanac.accounts.permissions import EVERY_SCOPE, allows, desk_permission
from almanac.audit.model import SYSTEM
from almanac.desks.newsletter import series_store, store
from almanac.desks.newsletter.checks import checked_sections, cited_chunks
from almanac.desks.newsletter.events import PREPARED, announce
from almanac.desks.newsletter.jobs import run_step
from almanac.desks.newsletter.model.newsletter import FullNewsletter
from almanac.desks.newsletter.model.retrieval_plan import retrieval_plan
from almanac.desks.newsletter.model.selection import Selection
from almanac.desks.newsletter.model.series import (
    IssueRun,
    Outcome,
    Series,
    decided,
    issue_configuration,
    settled,
    too_thin,
)
from almanac.desks.newsletter.pipeline.draft import write_draft
from almanac.desks.newsletter.pipeline.outline import make_outline
from almanac.desks.newsletter.pipeline.retrieve import found_for, retrieve
from almanac.desks.newsletter.sweeping import QUEUE
from almanac.errors import UNEXPECTED_ERROR, AlmanacError, NotFound, Retryable, StaleEdit
from almanac.jobs import JobType, LeaseLost, RunningJob, Schedule
from almanac.services import Services

_AT_A_TIME = 50
_NO_OWNER = "Its owner has no active account that may write newsletters; give it to somebody else or end its schedule."
_NO_TOPICS = "No topic is chosen, so there is nothing to look for; choose at least one."


async def _start_due(job: RunningJob[Services]) -> None:
    """A job for each issue that is due. It is due until that job has decided, so nothing is lost on the way."""
    services = job.services
    for series in await series_store.list_due(services.tables, services.clock.now(), limit=_AT_A_TIME):
        assert series.next_run is not None
        args = {"code": series.code, "due": series.next_run.isoformat()}
        await services.jobs.defer(PREPARE, args, queueing_lock=f"newsletter:{series.code}:prepare")


async def _prepare(job: RunningJob[Services], code: str, due: str) -> None:
    moment = datetime.fromisoformat(due)
    try:
        run = await _decided_run(job, code, moment)
        if run is not None and run.outcome == "preparing":
            await _write(job, code, run)
    except LeaseLost:
        raise
    except Exception as error:
        # Whatever it was, people must learn why there is no issue, unless the next attempt may still bring it.
        if not isinstance(error, Retryable) or job.attempt >= PREPARE.retry.attempts:
            reason = error.sentence if isinstance(error, AlmanacError) else UNEXPECTED_ERROR
            await _note_failure(job.services, code, moment, reason)
        raise


async def _decided_run(job: RunningJob[Services], code: str, due: datetime) -> IssueRun | None:
    """What was decided about a due moment: now, or by an attempt before this one."""
    services = job.services
    series = await series_store.get_series(services.tables, code)
    if not series.is_due(due):
        return series.run_at(due)
    try:
        full = await store.get_newsletter_full(services.tables, code, consistent=True)
    except NotFound:
        await series_store.forget_series(services.tables, code)
        return None
    try:
        return await _decide(job, full, series, due)
    except StaleEdit:
        # Its schedule was changed at this very moment, or another worker decided.
        return (await series_store.get_series(services.tables, code)).run_at(due)


async def _decide(job: RunningJob[Services], full: FullNewsletter, series: Series, due: datetime) -> IssueRun:
    """Begin the issue, or say why there is none; either way the series moves on to its next moment."""
    services, configuration = job.services, full.newsletter.configuration
    selection, reason = await _looked(job, full)
    now = services.clock.now()

    def moved_on(run: IssueRun) -> Series:
        return decided(series, run, configuration.schedule, now)

    if selection is None:
        run = IssueRun(due=due, outcome="skipped", at=now, reason=reason)
        await series_store.save_decision(services.tables, moved_on(run))
        return run
    made = await series_store.create_issue(
        services.tables,
        full.newsletter,
        issue_configuration(configuration, due),
        lambda code: moved_on(IssueRun(due=due, outcome="preparing", at=now, issue=code)),
        topics=full.topics.selected,
        excluded=tuple(chunk.id for chunk in selection.chunks if chunk.used_in),
        now=now,
    )
    return IssueRun(due=due, outcome="preparing", at=now, issue=made.code)


async def _looked(job: RunningJob[Services], full: FullNewsletter) -> tuple[Selection | None, str]:
    """What an issue would be made of, or why there is none."""
    if not await _may_write(job.services, full.newsletter.owner_id):
        return None, _NO_OWNER
    if not full.topics.selected:
        return None, _NO_TOPICS
    selection = await found_for(job.services, full, job.progress, besides="")
    plan = retrieval_plan(full.newsletter.configuration, job.services.clock.now())
    reason = too_thin(selection.chunks, plan)
    return (None, reason) if reason else (selection, "")


async def _may_write(services: Services, owner_id: str) -> bool:
    """The console and automation own newsletters too, and have no account."""
    if owner_id in (CONSOLE.user_id, AUTOMATION.user_id):
        return True
    try:
        user = await accounts.get_user(services.accounts, CONSOLE, owner_id)
    except NotFound:
        return False
    return user.active and allows(user.role, EVERY_SCOPE, desk_permission("newsletter", "write"))


async def _write(job: RunningJob[Services], code: str, run: IssueRun) -> None:
    """Do the steps that are missing, and leave the draft to a person; the next issue knows what this one tells."""
    services, issue = job.services, run.issue or ""
    try:
        await run_step(job, issue, "retrieval", 1, retrieve)
        await run_step(job, issue, "outline", 1, make_outline)
        await run_step(job, issue, "draft", 1, write_draft, completes=False)
        full = await store.get_newsletter_full(services.tables, issue, consistent=True)
    except NotFound:
        await _settle(services, code, run.due, "skipped", "Somebody deleted the issue while it was being prepared.")
        return
    covered = cited_chunks(await asyncio.to_thread(checked_sections, full))
    await store.note_covered(services.tables, issue, covered)
    async with job.unit() as unit:
        if await job.once(unit, "prepared"):
            await announce(
                unit,
                services,
                SYSTEM,
                PREPARED,
                full.newsletter,
                series=code,
                due_at=run.due.isoformat(),
                words=full.draft.draft.word_count,
            )
    await _settle(services, code, run.due, "prepared")


async def _settle(services: Services, code: str, due: datetime, outcome: Outcome, reason: str = "") -> None:
    now = services.clock.now()
    await series_store.save_series(services.tables, code, lambda series: settled(series, due, outcome, now, reason))


async def _note_failure(services: Services, code: str, due: datetime, reason: str) -> None:
    """Keep the reason; a moment that was not decided about yet is decided with it."""
    now = services.clock.now()
    try:
        rhythm = (await store.get_newsletter(services.tables, code)).configuration.schedule
    except NotFound:
        return

    def failed(series: Series) -> Series:
        if series.is_due(due):
            return decided(series, IssueRun(due=due, outcome="failed", at=now, reason=reason), rhythm, now)
        return settled(series, due, "failed", now, reason)

    await series_store.save_series(services.tables, code, failed)


PREPARE = JobType(
    "newsletter.prepare",
    _prepare,
    queue=QUEUE,
    lock="newsletter:{code}",
    title="Prepare the next issue of a newsletter",
)
PREPARE_DUE = Schedule(
    "newsletter.prepare-due",
    JobType(
        "newsletter.prepare-due",
        _start_due,
        queue=QUEUE,
        lock="newsletter.prepare-due",
        title="Start the issues that are due",
    ),
    "*/5 * * * *",
)
