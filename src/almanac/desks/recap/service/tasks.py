"""Tasks: start a collection, list tasks, retry a failed one, remake a completed one."""

from datetime import date

from almanac.accounts.model import Principal
from almanac.audit.model import AuditSubject
from almanac.desks.recap.events import record_audit
from almanac.desks.recap.jobs import COLLECT, WORK
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.model.items import TaskStatus
from almanac.desks.recap.model.views import MeetingTaskView
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.foreign_records import fetch_record
from almanac.desks.recap.store.objects import save_record
from almanac.desks.recap.store.table import Task
from almanac.errors import Conflict, FieldErrors
from almanac.kit.messages import gettext
from almanac.kit.paging import Page
from almanac.services import Services

LONGEST_SPAN_DAYS = 3660


async def start_collection(services: Services, by: Principal, since: date, until: date) -> int:
    """Start a job that collects the meetings of some days, both included; returns the job's id."""
    check_collection_days(services, since, until)
    args = {"since": since.isoformat(), "until": until.isoformat()}
    async with services.database.unit() as unit:
        subject = AuditSubject("recap", f"{since}..{until}")
        await record_audit(unit, services, by.actor, "recap.collecting", subject)
        return await services.jobs.defer(COLLECT, args, unit=unit, queueing_lock=f"recap.collect:{since}:{until}")


def check_collection_days(services: Services, since: date, until: date) -> None:
    """Raise FieldErrors unless the days are in order, not in the future, and at most ten years."""
    if since > until:
        raise FieldErrors({"until": gettext("The last day is before the first; swap them.")})
    if since > services.clock.now().date():
        raise FieldErrors({"from": gettext("That day is in the future; choose one in the past.")})
    if (until - since).days >= LONGEST_SPAN_DAYS:
        raise FieldErrors({"from": gettext("Collect at most ten years at once.")})


async def list_tasks(
    services: Services, status: TaskStatus, *, cursor: str | None = None, limit: int = 25
) -> Page[MeetingTaskView]:
    """Tasks in one status: what is finished the latest first, what waits the oldest first."""
    page = await store.list_tasks(services.tables, status, cursor=cursor, limit=limit)
    return Page([view_task(task) for task in page.items], page.next_cursor)


async def get_task(services: Services, pk: str) -> MeetingTaskView:
    return view_task(await store.get_task(services.tables, pk))


async def retry_task(services: Services, by: Principal, pk: str) -> MeetingTaskView:
    """Try a failed task again."""
    return await _record_and_queue(services, by, await store.retry_task(services.tables, pk), "recap.task-retried")


async def remake_task(services: Services, by: Principal, pk: str) -> MeetingTaskView:
    """Write the article of a completed task again; the current version is kept as an older one."""
    return await _record_and_queue(services, by, await store.remake_task(services.tables, pk), "recap.task-remade")


async def take_task(services: Services, by: Principal, pk: str) -> MeetingTaskView:
    """Write about the meeting of another program's task here, from the record that its addresses lead to.

    NotFound if they lead to none; Conflict if the task is ours.
    """
    task = await store.get_task(services.tables, pk)
    if store.is_ours(task):
        raise Conflict(gettext("The record of this meeting is here already."))
    record = await fetch_record(services, task)
    own = task_pk(record.meeting)
    await store.ingest_meeting(services.tables, record.meeting, await save_record(services, own, record.raw))
    return await _record_and_queue(services, by, await store.get_task(services.tables, own), "recap.task-taken")


async def _record_and_queue(services: Services, by: Principal, task: Task, action: str) -> MeetingTaskView:
    async with services.database.unit() as unit:
        await record_audit(unit, services, by.actor, action, AuditSubject("recap-task", task.pk))
        await services.jobs.defer(WORK, unit=unit, queueing_lock=WORK.name)
    return view_task(task)


def _parse_number(number: int | str | None) -> int | None:
    """A number, which other programs may store as a string; None if it isn't one."""
    return int(number) if number is not None and str(number).isdecimal() else None


def view_task(task: Task) -> MeetingTaskView:
    facts = task.meeting or {}
    return MeetingTaskView(
        pk=task.pk,
        status=task.status,
        issue_id=facts.get("issueID", ""),
        session=_parse_number(facts.get("session")),
        house=facts.get("nameOfHouse", ""),
        meeting=facts.get("nameOfMeeting", ""),
        date=facts.get("date", ""),
        speeches=facts.get("numberOfSpeeches", 0),
        mode=task.processing_mode or "",
        model=task.llm_model or "",
        prompt_version=task.prompt_version or "",
        attempts=task.attempts or 0,
        retries=task.retry_attempts,
        is_ours=store.is_ours(task),
        chunks=len(task.chunks),
        chunks_done=sum(chunk["status"] == "completed" for chunk in task.chunks),
        article_id=task.article_id or "",
        error=task.error or "",
        created_at=task.created_at,
        updated_at=task.updated_at,
    )
