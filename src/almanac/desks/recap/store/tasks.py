"""Tasks in the table: ingested once, claimed under a lease, completed, released, failed, or to be made again."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import timedelta
from typing import Any, Literal

from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.items import TaskChunk, TaskStatus
from almanac.desks.recap.model.items import TaskMeeting as MeetingFacts
from almanac.desks.recap.model.meeting import Meeting
from almanac.desks.recap.store.table import Task
from almanac.errors import Conflict, NotFound
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from tablature import Claim
from tablature.async_database import AsyncDatabase
from tablature.errors import AlreadyExists, ConditionFailed, DoesNotExist, LeaseLost

IngestResult = Literal["new", "changed", "same"]
_LOST = "The worker was lost while it wrote about this meeting."
_NO_TASK = gettext("There is no task with this key; list them with /api/v1/recap/tasks.")
_WAITING: tuple[TaskStatus, ...] = ("ingested", "remake")
_FRESH: dict[str, Any] = {"attempts": None, "retry_attempts": 0, "error": None}


async def ingest_meeting(tables: AsyncDatabase, meeting: Meeting, raw_url: str) -> IngestResult:
    """Store a collected meeting as a new task, or mark its task for remaking if the record changed."""
    pk = task_pk(meeting)
    task = Task(pk=pk, status="ingested", meeting=_task_meeting(meeting), raw_url=raw_url, record_digest=meeting.digest)
    try:
        await tables.create(task)
    except AlreadyExists:
        return await _update_task(tables, pk, meeting, raw_url)
    return "new"


async def add_completed_task(
    tables: AsyncDatabase, meeting: Meeting, raw_url: str, *, article_id: str, model: str, prompt_version: str
) -> None:
    """Add a completed task for an article that was published outside the queue, as in the demo."""
    task = Task(
        pk=task_pk(meeting),
        status="completed",
        meeting=_task_meeting(meeting),
        raw_url=raw_url,
        record_digest=meeting.digest,
        written_digest=meeting.digest,
        article_id=article_id,
        llm=model,
        llm_model=model,
        prompt_version=prompt_version,
    )
    try:
        await tables.create(task)
    except AlreadyExists:
        return


async def is_current(tables: AsyncDatabase, meeting: Meeting) -> bool:
    """Whether this exact record is stored, and the article wasn't written from an older one."""
    task = await tables.get(Task.key(pk=task_pk(meeting)))
    return task is not None and _is_current(task, meeting)


def _is_current(task: Task, meeting: Meeting) -> bool:
    if task.status == "completed" and task.written_digest != meeting.digest:
        return False
    return task.record_digest == meeting.digest


async def _update_task(tables: AsyncDatabase, pk: str, meeting: Meeting, raw_url: str) -> IngestResult:
    task = await tables.require(Task.key(pk=pk), consistent=True)
    if _is_current(task, meeting):
        return "same"
    status: TaskStatus = "ingested" if task.status == "ingested" else "remake"
    changes: dict[str, Any] = {"raw_url": raw_url, "record_digest": meeting.digest, "meeting": _task_meeting(meeting)}
    await tables.patch(Task.key(pk=pk), **changes, **_FRESH, status=status)
    return "changed"


def _task_meeting(meeting: Meeting) -> MeetingFacts:
    facts = MeetingFacts(
        issueID=meeting.issue_id,
        nameOfHouse=meeting.house,
        nameOfMeeting=meeting.meeting,
        date=meeting.date.isoformat(),
        session=meeting.session,
        numberOfSpeeches=len(meeting.spoken),
    )
    if meeting.image_kind:
        facts["imageKind"] = meeting.image_kind
    return facts


async def queue_waiting_tasks(tables: AsyncDatabase, *, llm: str, model: str, prompt_version: str) -> int:
    """Queue ingested tasks and those to make again. Returns how many."""
    queued = 0
    for status in _WAITING:
        for task in [task async for task in iterate_tasks(tables, status) if is_ours(task)]:
            fields: dict[str, Any] = {"llm": llm, "llm_model": model, "prompt_version": prompt_version}
            try:
                await tables.patch(
                    Task.key(pk=task.pk),
                    status="pending",
                    **_FRESH,
                    **fields,
                    when=Task.status == status,
                )
            except ConditionFailed:
                continue
            queued += 1
    return queued


def is_ours(task: Task) -> bool:
    """Whether the record of a task is kept here; tasks of other programs are left to them."""
    return task.record_digest is not None


async def claim_next_task(tables: AsyncDatabase, owner: str) -> Claim[Task] | None:
    """Claim the oldest free task whose record is here, while the lease lasts; None if there is none."""
    await tables.reset_expired(Task.work)
    for claim in await tables.claim(Task.work, owner, where=Task.record_digest.exists()):
        # A worker that was lost couldn't count the retry that this is.
        if claim.item.retry_attempts != claim.attempt - 1:
            await tables.patch(Task.key(pk=claim.item.pk), retry_attempts=claim.attempt - 1)
        return claim
    return None


async def release_abandoned_tasks(tables: AsyncDatabase, is_gone: Callable[[str], Awaitable[bool]]) -> int:
    """Release the tasks whose holder is gone before their leases expire; returns how many."""
    freed = 0
    for claim in await tables.leases(Task.work):
        if await is_gone(claim.owner):
            with suppress(LeaseLost):
                await tables.release(claim, error=_LOST)
                freed += 1
    return freed


async def save_chunks(
    tables: AsyncDatabase, claim: Claim[Task], chunks: Sequence[TaskChunk], *, mode: str, prompt_url: str
) -> Claim[Task]:
    """Store the status of a task's packs, and renew the lease."""
    held = await tables.heartbeat(claim)
    fields: dict[str, Any] = {"chunks": list(chunks), "processing_mode": mode, "prompt_url": prompt_url}
    await tables.patch(Task.key(pk=claim.item.pk), **fields)
    return held


async def complete_task(
    tables: AsyncDatabase,
    claim: Claim[Task],
    *,
    result_url: str,
    article_id: str,
    written_digest: str,
    fallbacks: int = 0,
) -> Task:
    """Complete a task whose article is published. Conflict if chunks of a chunked task are missing or unfinished."""
    task = await get_task(tables, claim.item.pk)
    if task.processing_mode == "chunked" and (not task.chunks or any(c["status"] != "completed" for c in task.chunks)):
        raise Conflict(
            gettext("Some parts of this meeting were never written, so it can't be completed; make it again.")
        )
    done = await tables.finish(
        claim,
        result_url=result_url,
        article_id=article_id,
        written_digest=written_digest,
        fallbacks=fallbacks,
        error=None,
    )
    if done.record_digest == written_digest:
        return done
    # The official record changed during the writing; the collector may have marked the task already.
    with suppress(ConditionFailed):
        return await tables.patch(Task.key(pk=done.pk), **_FRESH, status="remake", when=Task.status == "completed")
    return done


async def release_task(tables: AsyncDatabase, claim: Claim[Task], reason: str, *, delay: timedelta) -> Task:
    """Release a task to be tried again after a delay, which counts as a retry."""
    return await tables.release(claim, delay=delay, error=reason, retry_attempts=claim.attempt)


async def release_without_attempt(tables: AsyncDatabase, claim: Claim[Task], reason: str) -> Task:
    """Release a task at once without counting an attempt, since nothing was wrong with it."""
    return await tables.release(
        claim, error=reason, attempts=claim.attempt - 1, retry_attempts=max(0, claim.attempt - 1)
    )


async def fail_task(tables: AsyncDatabase, claim: Claim[Task], reason: str) -> Task:
    """Fail a task for good; retrying would change nothing."""
    return await tables.finish(claim, status="failed", error=reason)


async def get_task(tables: AsyncDatabase, pk: str) -> Task:
    task = await tables.get(Task.key(pk=pk), consistent=True) if pk else None
    if task is None:
        raise NotFound(_NO_TASK)
    return task


async def list_tasks(tables: AsyncDatabase, status: TaskStatus, *, cursor: str | None, limit: int) -> Page[Task]:
    """Tasks in one status: what is finished the latest first, what waits the oldest first."""
    asked = Task.latest_with_status(status=status) if status == "completed" else Task.with_status(status=status)
    page = await tables.query(asked, cursor=cursor, limit=limit)
    return Page(page.items, page.cursor)


async def count_tasks(tables: AsyncDatabase, status: TaskStatus, *, upto: int) -> int:
    """How many tasks are in one status, up to a limit, since counting reads them."""
    return await tables.count(Task.with_status(status=status), upto=upto)


def iterate_tasks(tables: AsyncDatabase, status: TaskStatus) -> AsyncIterator[Task]:
    return tables.each(Task.with_status(status=status))


async def retry_task(tables: AsyncDatabase, pk: str) -> Task:
    """Queue a failed task again with all its attempts. Conflict if it didn't fail."""
    return await _change_status(tables, pk, "failed", "ingested", "Only a failed task can be retried; this one is {}.")


async def remake_task(tables: AsyncDatabase, pk: str) -> Task:
    """Queue a completed task to be written again. Conflict if it isn't completed."""
    return await _change_status(
        tables, pk, "completed", "remake", "Only a finished task can be rewritten; this one is {}."
    )


async def _change_status(tables: AsyncDatabase, pk: str, old: TaskStatus, new: TaskStatus, otherwise: str) -> Task:
    if not pk:
        raise NotFound(_NO_TASK)
    is_ready = (Task.status == old) & Task.record_digest.exists()
    try:
        return await tables.patch(Task.key(pk=pk), **_FRESH, status=new, when=is_ready)
    except DoesNotExist as error:
        raise NotFound(_NO_TASK) from error
    except ConditionFailed as error:
        now = await get_task(tables, pk)
        if not is_ours(now):
            raise Conflict(gettext("This task belongs to another program; take it over first.")) from error
        raise Conflict(otherwise.format(now.status)) from error


async def delete_task(tables: AsyncDatabase, pk: str) -> None:
    await tables.delete(Task.key(pk=pk))
