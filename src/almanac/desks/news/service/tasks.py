"""Query tasks: making, changing and running them, and what came of their runs."""

from dataclasses import dataclass, replace
from datetime import timedelta

from almanac.accounts.model import Principal
from almanac.desks.news.events import record
from almanac.desks.news.jobs import RUN_TASK
from almanac.desks.news.model.schedule import next_run
from almanac.desks.news.model.tasks import DayCount, QueryTask, Run, Scorecard, TaskEdit, check_edit
from almanac.desks.news.service.paging import numbered_page, position
from almanac.desks.news.store import tasks as store
from almanac.desks.news.store.tasks import TaskFields
from almanac.errors import Conflict, NotFound, StaleEdit
from almanac.kit.paging import Page
from almanac.relational import Duplicate, Unit
from almanac.services import Services

DAYS = timedelta(days=30)


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCard:
    """A task with what came of it: its scorecard, day by day, and its last runs."""

    task: QueryTask
    scorecard: Scorecard
    days: list[DayCount]
    runs: list[Run]


async def list_tasks(services: Services) -> list[QueryTask]:
    """Every task by name."""
    async with services.database.unit() as unit:
        return await store.list_tasks(unit)


async def get_task(services: Services, name: str) -> QueryTask:
    async with services.database.unit() as unit:
        return await _task(unit, name)


async def get_task_of_number(services: Services, number: int) -> QueryTask:
    """A task as pages name it: names may hold what a path can't."""
    async with services.database.unit() as unit:
        found = await store.find_task_by_id(unit, number)
    if found is None:
        raise NotFound("There is no such task; it may have been deleted.")
    return found


async def create_task(services: Services, principal: Principal, edit: TaskEdit) -> QueryTask:
    """Add a task; its name and what it looks for are needed."""
    edit = replace(edit, task_name=edit.task_name or "", prompt_template=edit.prompt_template or "")
    check_edit(edit, default_zone=services.settings.time_zone)
    now = services.clock.now()
    fields = _fields(services, edit, None)
    async with services.database.unit() as unit:
        try:
            task_id = await store.add_task(unit, fields, now)
        except Duplicate as error:
            raise Conflict(f"There is a task named “{fields.task_name}” already; choose another name.") from error
        await store.put_sources(unit, task_id, edit.sources or ())
        await record(unit, services, principal.actor, "news.task.created", fields.task_name)
        return await _task(unit, fields.task_name)


async def edit_task(
    services: Services, principal: Principal, name: str, edit: TaskEdit, *, expected: int | None = None
) -> QueryTask:
    """Change a task; with `expected`, only if it is still of that version."""
    check_edit(edit, default_zone=services.settings.time_zone)
    async with services.database.unit() as unit:
        task = await _task(unit, name)
        fields = _fields(services, edit, task)
        version = task.version if expected is None else expected
        try:
            changed = await store.edit_task(unit, task.id, fields, expected=version, now=services.clock.now())
        except Duplicate as error:
            raise Conflict(f"There is a task named “{fields.task_name}” already; choose another name.") from error
        if not changed:
            raise StaleEdit(
                "Somebody else changed this task; look at it again before you change it.", str(task.version)
            )
        if edit.sources is not None:
            await store.put_sources(unit, task.id, edit.sources)
        if fields.task_name != name:
            await store.rename_in_links(unit, name, fields.task_name)
        await record(unit, services, principal.actor, "news.task.changed", fields.task_name)
        return await _task(unit, fields.task_name)


async def delete_task(services: Services, principal: Principal, name: str) -> None:
    """Remove a task with its sources and runs; what it found stays."""
    async with services.database.unit() as unit:
        if not await store.delete_task(unit, name):
            raise NotFound(f"There is no task named “{name}”.")
        await record(unit, services, principal.actor, "news.task.deleted", name)


async def run_now(services: Services, principal: Principal, name: str) -> int:
    """Let a worker run a task; returns the job's id, that of the waiting one where one waits."""
    async with services.database.unit() as unit:
        task = await _task(unit, name)
        await record(unit, services, principal.actor, "news.task.run", name)
        args = {"task_id": task.id, "trigger": "by hand"}
        return await services.jobs.defer(RUN_TASK, args, unit=unit, queueing_lock=f"news.task:{task.id}")


async def list_runs(services: Services, name: str, *, cursor: str | None = None, limit: int = 25) -> Page[Run]:
    """The runs of a task, the latest first."""
    of = f"news runs {name}"
    before = position(services, cursor, of)
    async with services.database.unit() as unit:
        task = await _task(unit, name)
        found = await store.list_runs(unit, task.id, before=before, limit=limit + 1)
    return numbered_page(services, found, limit, of, lambda run: run.id)


async def task_card(services: Services, name: str) -> TaskCard:
    """A task and what came of it."""
    async with services.database.unit() as unit:
        task = await _task(unit, name)
        return TaskCard(
            task=task,
            scorecard=await store.scorecard(unit, task.id),
            days=await store.days_of_task(unit, task.id, services.clock.now() - DAYS),
            runs=await store.list_runs(unit, task.id, before=None, limit=10),
        )


async def _task(unit: Unit, name: str) -> QueryTask:
    found = await store.find_task(unit, name)
    if found is None:
        raise NotFound(f"There is no task named “{name}”.")
    return found


def _fields(services: Services, edit: TaskEdit, task: QueryTask | None) -> TaskFields:
    """What a task will be; its next run is worked out anew, from now on."""
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
