"""The desk's jobs and schedules: run due tasks, read links, preview tasks, maintain the tables."""

from datetime import datetime, timedelta

import msgspec

from almanac.desks.news.model.tasks import LinkSource, Trigger, next_run
from almanac.desks.news.pipeline import maintenance
from almanac.desks.news.pipeline.context import open_context
from almanac.desks.news.pipeline.discovery import preview_sources, run_task
from almanac.desks.news.pipeline.link_reader import LinkReader
from almanac.desks.news.pipeline.rewrite import REWRITE
from almanac.desks.news.store import links, tasks
from almanac.desks.news.store.tasks import DueTask
from almanac.errors import InputError
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.messages import gettext, ngettext
from almanac.relational import Unit
from almanac.services import Services

QUEUE = "news"
KEEP_PREVIEWS_FOR = timedelta(days=1)
_MAX_DUE_TASKS = 100


async def _read_links(job: RunningJob[Services]) -> None:
    services = job.services
    ctx = open_context(services, services.page_reader, f"job {job.id}/{job.attempt}", job.unit)
    counts = await LinkReader(ctx, job.progress).run()
    await job.progress(
        counts.total(), counts.total(), ngettext("%(num)s link read", "%(num)s links read", counts.total())
    )


async def _run_task(job: RunningJob[Services], task_id: int, trigger: Trigger) -> None:
    services = job.services
    async with services.database.unit() as unit:
        task = await tasks.find_task_by_id(unit, task_id)
    if task is None:
        return
    await run_task(services, task, trigger=trigger, job_id=job.id, report=job.progress)
    await start_reading_links(services)


async def _preview_task(job: RunningJob[Services], words: str, sources: list[dict[str, str]]) -> None:
    services = job.services
    asked = msgspec.convert(sources, list[LinkSource])
    preview = await preview_sources(services, words, asked, report=job.progress)
    async with job.unit() as unit:
        await tasks.save_preview(unit, job.id, preview, services.clock.now())
    await job.progress(
        len(asked), len(asked), ngettext("%(num)s link found", "%(num)s links found", len(preview.links))
    )


async def start_reading_links(services: Services, unit: Unit | None = None) -> int:
    """Queue the job that reads due links, unless it is queued already; returns the job's id."""
    return await services.jobs.defer(READ_LINKS, unit=unit, queueing_lock="news.read-links")


async def _start_due_work(job: RunningJob[Services]) -> None:
    """Queue every due task once for its due time, and the reading of links if any are waiting."""
    services = job.services
    await _plan_new_tasks(services)
    async with job.unit() as unit:
        now = services.clock.now()
        for task in await tasks.list_due_tasks(unit, now, _MAX_DUE_TASKS):
            await services.jobs.defer(RUN_TASK, {"task_id": task.id, "trigger": "schedule"}, unit=unit)
            await _plan_task(services, unit, task, now)
    await maintenance.adopt_foreign_rows(services)
    async with services.database.unit() as unit:
        ready_at = await links.next_ready_at(unit, now, now)
    if ready_at is not None and ready_at <= now:
        await start_reading_links(services)


async def _plan_new_tasks(services: Services) -> None:
    """Set the next run of tasks that other programs added."""
    async with services.database.unit() as unit:
        for task in await tasks.list_unplanned_tasks(unit):
            await _plan_task(services, unit, task, services.clock.now())


async def _plan_task(services: Services, unit: Unit, task: DueTask, now: datetime) -> None:
    """Set the next run of a task. One with an unreadable schedule is paused: other programs may write any text there,
    and that must not stop the other tasks."""
    try:
        moment = next_run(task.schedule, task.time_zone or services.settings.time_zone, now)
    except InputError:
        await tasks.pause_task(unit, task.id, now)
        return
    if moment != task.next_run:
        await tasks.set_next_run(unit, task.id, moment)


async def _reset_stuck_links(job: RunningJob[Services]) -> None:
    count = await maintenance.reset_stuck_links(job.services.database)
    await job.progress(count, count, ngettext("%(num)s link reset", "%(num)s links reset", count))


async def _clean_up(job: RunningJob[Services]) -> None:
    count = await maintenance.delete_old_failures(job.services.database)
    async with job.unit() as unit:
        await tasks.delete_previews_before(unit, job.services.clock.now() - KEEP_PREVIEWS_FOR)
    await maintenance.vacuum_tables(job.services.database)
    await job.progress(count, count, ngettext("%(num)s old failure deleted", "%(num)s old failures deleted", count))


READ_LINKS = JobType("news.read-links", _read_links, queue=QUEUE, lock="news.read-links", title=gettext("Read links"))
RUN_TASK = JobType(
    "news.run-task",
    _run_task,
    queue=QUEUE,
    lock="news.task:{task_id}",
    title=gettext("Run a query task"),
    about=("news task", "task_id"),
)
PREVIEW = JobType("news.preview", _preview_task, queue=QUEUE, title=gettext("Preview a query task"))
JOBS = (READ_LINKS, RUN_TASK, PREVIEW, REWRITE)
SCHEDULES = (
    Schedule(
        "news.keep-up",
        JobType(
            "news.keep-up",
            _start_due_work,
            queue=QUEUE,
            lock="news.keep-up",
            title=gettext("Run due query tasks and read links"),
        ),
        "* * * * *",
    ),
    Schedule(
        "news.reset-stuck",
        JobType("news.reset-stuck", _reset_stuck_links, queue=QUEUE, title=gettext("Reset stuck links")),
        "*/10 * * * *",
    ),
    Schedule(
        "news.clean",
        JobType("news.clean", _clean_up, queue=QUEUE, title=gettext("Delete old failed links and refresh statistics")),
        "40 3 * * *",
    ),
)
