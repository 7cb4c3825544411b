"""The desk's jobs: run tasks that are due, read links, keep the tables in order. None is ever run inside a request."""

from datetime import datetime, timedelta

import msgspec

from almanac.desks.news import maintenance
from almanac.desks.news.model.schedule import next_run
from almanac.desks.news.model.tasks import Source, Trigger
from almanac.desks.news.pipeline.adopting import adopt_foreign_rows
from almanac.desks.news.pipeline.newsroom import open_newsroom
from almanac.desks.news.pipeline.working import LinkReader
from almanac.desks.news.sources.previewing import preview
from almanac.desks.news.sources.running import run_task
from almanac.desks.news.store import links, previews
from almanac.desks.news.store import tasks as store
from almanac.desks.news.store.tasks import Due
from almanac.errors import InputError
from almanac.jobs import JobType, RunningJob, Schedule
from almanac.kit.text import counted
from almanac.relational import Unit
from almanac.services import Services

QUEUE = "news"
PREVIEWS_KEPT_FOR = timedelta(days=1)
_AT_A_TIME = 100


async def _read_links(job: RunningJob[Services]) -> None:
    services = job.services
    room = open_newsroom(services, services.page_reader, f"job {job.id}/{job.attempt}", job.unit)
    counts = await LinkReader(room, job.progress).run()
    await job.progress(counts.total(), counts.total(), f"{counted(counts.total(), 'link')} read")


async def _run_task(job: RunningJob[Services], task_id: int, trigger: Trigger) -> None:
    services = job.services
    async with services.database.unit() as unit:
        task = await store.find_task_by_id(unit, task_id)
    if task is None:
        return
    await run_task(services, task, trigger=trigger, job_id=job.id, report=job.progress)
    await start_reading(services)


async def _preview(job: RunningJob[Services], words: str, sources: list[dict[str, str]]) -> None:
    services = job.services
    asked = msgspec.convert(sources, list[Source])
    found = await preview(services, words, asked, report=job.progress)
    async with job.unit() as unit:
        await previews.keep_preview(unit, job.id, found, services.clock.now())
    await job.progress(len(asked), len(asked), f"{counted(len(found.links), 'link')} found")


async def start_reading(services: Services, unit: Unit | None = None) -> int:
    """Let a worker read what is due, unless one is about to; returns the job's id."""
    return await services.jobs.defer(READ_LINKS, unit=unit, queueing_lock="news.read-links")


async def _keep_up(job: RunningJob[Services]) -> None:
    """Start the tasks that are due, each for one due moment once, and the reading where links wait."""
    services = job.services
    await _plan_new(services)
    async with job.unit() as unit:
        now = services.clock.now()
        for due in await store.due_tasks(unit, now, _AT_A_TIME):
            await services.jobs.defer(RUN_TASK, {"task_id": due.id, "trigger": "schedule"}, unit=unit)
            await _plan(services, unit, due, now)
    await adopt_foreign_rows(services)
    async with services.database.unit() as unit:
        waiting = await links.next_ready(unit, now, now)
    if waiting is not None and waiting <= now:
        await start_reading(services)


async def _plan_new(services: Services) -> None:
    """Work out the next run of tasks that other programs added."""
    async with services.database.unit() as unit:
        for task in await store.unplanned_tasks(unit):
            await _plan(services, unit, task, services.clock.now())


async def _plan(services: Services, unit: Unit, task: Due, now: datetime) -> None:
    """Work out the next run of a task. One whose schedule can't be read rests: other programs may write any words
    there, at any time, and must not keep the other tasks from running."""
    try:
        moment = next_run(task.schedule, task.time_zone or services.settings.time_zone, now)
    except InputError:
        await store.unplan_task(unit, task.id, now)
        return
    if moment != task.next_run:
        await store.plan_task(unit, task.id, moment)


async def _reset_stuck(job: RunningJob[Services]) -> None:
    reset = await maintenance.reset_stuck(job.services.database)
    await job.progress(reset, reset, f"{counted(reset, 'link')} reset")


async def _clean(job: RunningJob[Services]) -> None:
    cleaned = await maintenance.clean_old_failed(job.services.database)
    async with job.unit() as unit:
        await previews.forget_previews(unit, job.services.clock.now() - PREVIEWS_KEPT_FOR)
    await maintenance.vacuum_analyze(job.services.database)
    await job.progress(cleaned, cleaned, f"{counted(cleaned, 'old failure')} forgotten")


READ_LINKS = JobType("news.read-links", _read_links, queue=QUEUE, lock="news.read-links", title="Read links")
RUN_TASK = JobType("news.run-task", _run_task, queue=QUEUE, lock="news.task:{task_id}", title="Run a query task")
PREVIEW = JobType("news.preview", _preview, queue=QUEUE, title="Look at what a query task would find")
JOBS = (READ_LINKS, RUN_TASK, PREVIEW)
SCHEDULES = (
    Schedule(
        "news.keep-up",
        JobType("news.keep-up", _keep_up, queue=QUEUE, lock="news.keep-up", title="Start due query tasks and reading"),
        "* * * * *",
    ),
    Schedule(
        "news.reset-stuck",
        JobType("news.reset-stuck", _reset_stuck, queue=QUEUE, title="Reset links that are stuck"),
        "*/10 * * * *",
    ),
    Schedule(
        "news.clean",
        JobType("news.clean", _clean, queue=QUEUE, title="Forget old failed links, renew statistics"),
        "40 3 * * *",
    ),
)
