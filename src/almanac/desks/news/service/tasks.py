"""Query tasks: creating, editing, running and previewing them, and the results of their runs."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.news.events import record_event
from almanac.desks.news.jobs import PREVIEW, RUN_TASK
from almanac.desks.news.model.tasks import (
    DayCount,
    LinkSource,
    QueryTask,
    Scorecard,
    TaskEdit,
    TaskPreview,
    TaskRun,
    check_task_edit,
    next_run,
)
from almanac.desks.news.pipeline.discovery import sources_or_search
from almanac.desks.news.service.paging import cursor_position
from almanac.desks.news.store import tasks as store
from almanac.desks.news.store.tasks import TaskFields
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.jobs import JobDetail
from almanac.kit.messages import gettext
from almanac.kit.paging import Page, build_page
from almanac.relational import DuplicateRow, Unit
from almanac.services import Services

CHART_PERIOD = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCard:
    """A task with its results: scorecard, counts by day, and last runs."""

    task: QueryTask
    scorecard: Scorecard
    days: list[DayCount]
    runs: list[TaskRun]


@dataclass(frozen=True, slots=True)
class PreviewJob:
    """A preview and its job; `found` is None until the job has succeeded."""

    detail: JobDetail
    found: TaskPreview | None


async def list_tasks(services: Services) -> list[QueryTask]:
    """Every task by name."""
    async with services.database.unit() as unit:
        return await store.list_tasks(unit)


async def get_task(services: Services, name: str) -> QueryTask:
    """A task by name, or NotFound."""
    async with services.database.unit() as unit:
        return await _get_task(unit, name)


async def get_task_by_id(services: Services, task_id: int) -> QueryTask:
    """A task by id, which pages use because names may hold characters that a path can't; or NotFound."""
    async with services.database.unit() as unit:
        task = await store.find_task_by_id(unit, task_id)
    if task is None:
        raise NotFound(gettext("This task doesn't exist; it may have been deleted."))
    return task


async def create_task(services: Services, principal: Principal, edit: TaskEdit) -> QueryTask:
    """Add a task; its name and its search words are required. Conflict where the name is taken."""
    edit = replace(edit, task_name=edit.task_name or "", prompt_template=edit.prompt_template or "")
    check_task_edit(edit, default_zone=services.settings.time_zone)
    now = services.clock.now()
    fields = _merge_edit(services, edit, None)
    async with services.database.unit() as unit:
        try:
            task_id = await store.add_task(unit, fields, now)
        except DuplicateRow as error:
            raise _name_taken(fields) from error
        await store.replace_sources(unit, task_id, edit.sources or ())
        await record_event(unit, services, principal.actor, "news.task.created", fields.task_name)
        return await _get_task(unit, fields.task_name)


async def edit_task(
    services: Services, principal: Principal, name: str, edit: TaskEdit, *, expected: int | None = None
) -> QueryTask:
    """Change a task. With `expected`, StaleEdit unless it still has that version."""
    check_task_edit(edit, default_zone=services.settings.time_zone)
    async with services.database.unit() as unit:
        task = await _get_task(unit, name)
        fields = _merge_edit(services, edit, task)
        version = task.version if expected is None else expected
        try:
            changed = await store.edit_task(unit, task.id, fields, expected=version, now=services.clock.now())
        except DuplicateRow as error:
            raise _name_taken(fields) from error
        if not changed:
            sentence = gettext("Somebody else changed this task; review it before you change it.")
            raise StaleEdit(sentence, str(task.version))
        if edit.sources is not None:
            await store.replace_sources(unit, task.id, edit.sources)
        if fields.task_name != name:
            await store.rename_task_in_links(unit, name, fields.task_name)
        await record_event(unit, services, principal.actor, "news.task.changed", fields.task_name)
        return await _get_task(unit, fields.task_name)


async def delete_task(services: Services, principal: Principal, name: str) -> None:
    """Delete a task with its sources and runs; the links it found stay."""
    async with services.database.unit() as unit:
        if not await store.delete_task(unit, name):
            raise NotFound(gettext("There is no task named “%(name)s”.", name=name))
        await record_event(unit, services, principal.actor, "news.task.deleted", name)


async def run_task_now(services: Services, principal: Principal, name: str) -> int:
    """Queue a run of a task; returns the job's id, which is that of the waiting job if there is one."""
    async with services.database.unit() as unit:
        task = await _get_task(unit, name)
        await record_event(unit, services, principal.actor, "news.task.run", name)
        args = {"task_id": task.id, "trigger": "by hand"}
        return await services.jobs.defer(RUN_TASK, args, unit=unit, queueing_lock=f"news.task:{task.id}")


async def list_runs(services: Services, name: str, *, cursor: str | None = None, limit: int = 25) -> Page[TaskRun]:
    """The runs of a task, latest first."""
    of = f"news runs {name}"
    before = cursor_position(services, cursor, of, int)
    async with services.database.unit() as unit:
        task = await _get_task(unit, name)
        runs = await store.list_runs(unit, task.id, before=before, limit=limit + 1)
    return build_page(runs, limit, lambda run: (run.id,), of=of, key=services.key("cursors"))


async def get_task_card(services: Services, name: str) -> TaskCard:
    """A task with its results."""
    async with services.database.unit() as unit:
        task = await _get_task(unit, name)
        return TaskCard(
            task=task,
            scorecard=await store.get_scorecard(unit, task.id),
            days=await store.count_links_by_day(unit, task.id, services.clock.now() - CHART_PERIOD),
            runs=await store.list_runs(unit, task.id, before=None, limit=10),
        )


async def start_preview(services: Services, principal: Principal, words: str, sources: Sequence[LinkSource]) -> int:
    """Queue a preview of these words and sources; returns the job's id."""
    asked = [
        {"kind": str(source.kind), "address": source.address, "title": source.title}
        for source in sources_or_search(sources)
    ]
    async with services.database.unit() as unit:
        await record_event(unit, services, principal.actor, "news.task.previewed", "preview", sources=len(asked))
        return await services.jobs.defer(PREVIEW, {"words": words, "sources": asked}, unit=unit, priority=1)


async def preview_task(services: Services, principal: Principal, task: QueryTask) -> int:
    """Queue a preview of a task; returns the job's id."""
    return await start_preview(services, principal, task.prompt_template, task.sources)


async def get_preview(services: Services, job_id: int) -> PreviewJob:
    """A preview with its job, or NotFound. Results are kept for a day."""
    # The job is read first, so that a finished job is never shown without its result.
    detail = await services.jobs.job(job_id)
    if detail.job.task != PREVIEW.name:
        raise NotFound(gettext("This preview doesn't exist."))
    async with services.database.unit() as unit:
        return PreviewJob(detail, await store.find_preview(unit, job_id))


async def cancel_preview(services: Services, job_id: int) -> PreviewJob:
    """Stop a preview, whether it is waiting or running."""
    preview = await get_preview(services, job_id)
    if not preview.detail.job.status.final:
        await services.jobs.abort(job_id)
    return await get_preview(services, job_id)


async def _get_task(unit: Unit, name: str) -> QueryTask:
    task = await store.find_task(unit, name)
    if task is None:
        raise NotFound(gettext("There is no task named “%(name)s”.", name=name))
    return task


def _name_taken(fields: TaskFields) -> Conflict:
    return Conflict(
        gettext("There is a task named “%(task_name)s” already; choose another name.", task_name=fields.task_name)
    )


def _merge_edit(services: Services, edit: TaskEdit, task: QueryTask | None) -> TaskFields:
    """The fields of the task after the edit; the next run is calculated from now."""
    schedule = (task.schedule if task else None) if edit.schedule is None else edit.schedule.strip() or None
    time_zone = (task.time_zone if task else None) if edit.time_zone is None else edit.time_zone or None
    is_active = (task.is_active if task else True) if edit.is_active is None else edit.is_active
    due = next_run(schedule, time_zone or services.settings.time_zone, services.clock.now()) if is_active else None
    return TaskFields(
        task_name=(edit.task_name if edit.task_name is not None else task.task_name if task else "").strip(),
        prompt_template=edit.prompt_template or (task.prompt_template if task else ""),
        is_active=is_active,
        schedule=schedule,
        time_zone=time_zone,
        next_run=due,
    )
