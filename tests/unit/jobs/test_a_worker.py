"""A worker picks up new jobs at once, keeps schedules, stops gracefully and survives a lost connection."""

import asyncio
from contextlib import suppress
from typing import Any

import pytest

from almanac.jobs import JobFilter, JobType, RunningJob, Schedule
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.relational import UnstorableValue

IMPATIENT = WorkerSettings(graceful_seconds=0, poll_seconds=0.05)
BREAK_CONNECTIONS = """
SELECT count(pg_terminate_backend(pid, 30000)) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


async def nothing(job: RunningJob[Any]) -> None:
    pass


async def test_a_running_worker_takes_new_jobs(jobs, working, until) -> None:
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    async with working():
        await until(await jobs.defer(task), "succeeded")


async def test_a_worker_told_to_stop_before_it_starts_ends_at_once(jobs) -> None:
    worker = Worker(jobs, None, IMPATIENT)
    worker.stop()
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    job_id = await jobs.defer(task)
    await asyncio.wait_for(worker.run(), 30)
    assert (await jobs.job(job_id)).job.status == "queued"


class HardOfHearing(Worker[None]):
    """A worker of which one round loses its cancellation, as code below it may by chance."""

    async def _fold_tallies(self) -> None:
        with suppress(asyncio.CancelledError):
            await asyncio.Event().wait()


async def test_a_worker_ends_although_a_cancellation_got_lost(jobs, until) -> None:
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    worker = HardOfHearing(jobs, None, IMPATIENT)
    run = asyncio.create_task(worker.run())
    await until(await jobs.defer(task), "succeeded")
    worker.stop()
    await asyncio.wait_for(run, 60)


async def test_a_running_worker_keeps_schedules(jobs, working, until, clock) -> None:
    jobs.registry.schedule(Schedule("test.hourly", JobType("test.nothing", nothing), "0 * * * *"))
    async with working(), asyncio.timeout(60):
        while not await is_remembered(jobs):
            pass
        clock.advance(hours=1)
        while not (started := (await jobs.jobs(JobFilter(schedule="test.hourly"))).items):
            pass
        await until(started[0].id, "succeeded")


async def is_remembered(jobs) -> bool:
    async with jobs.database.unit() as unit:
        return bool(await unit.value("SELECT count(*) FROM job_schedules"))


async def test_a_job_cut_short_by_a_stopping_worker_goes_back_uncounted(jobs, working, until) -> None:
    async def hang_first(job: RunningJob[Any]) -> None:
        if job.attempt == 1:
            await asyncio.Event().wait()

    task = JobType("test.hang", hang_first)
    jobs.registry.add(task)
    job_id = await jobs.defer(task)
    async with working(IMPATIENT):
        while not (await jobs.job(job_id)).runs:
            pass
    detail = await jobs.job(job_id)
    assert (detail.job.status, detail.runs[0].outcome) == ("queued", "interrupted")

    async with working():
        await until(job_id, "succeeded")
    async with jobs.database.unit() as unit:
        assert await unit.value("SELECT attempts FROM procrastinate_jobs") == 1


async def test_a_worker_that_stops_as_soon_as_it_took_a_job_gives_it_back(jobs, working, until) -> None:
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    for _ in range(5):
        job_id = await jobs.defer(task)
        async with working(IMPATIENT):
            async for view in jobs.watch(job_id):
                if view.status != "queued":
                    break
        assert (await jobs.job(job_id)).job.status != "cancelled"
        async with working():
            await until(job_id, "succeeded")


async def test_a_worker_survives_a_broken_database_connection(jobs, working, until) -> None:
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    async with working():
        await until(await jobs.defer(task), "succeeded")
        async with jobs.database.unit() as unit:
            await unit.value(BREAK_CONNECTIONS)
        await until(await jobs.defer(task), "succeeded")


async def test_a_task_that_no_worker_knows_fails_with_that_reason(jobs, working, until) -> None:
    job_id = await jobs.defer(JobType("test.removed", nothing))
    async with working():
        view = await until(job_id, "failed")

    assert view.reason == "This version of Almanac has no job type named test.removed."


async def test_wrong_arguments_fail_with_that_reason(jobs, working, until) -> None:
    task = JobType("test.nothing", nothing)
    jobs.registry.add(task)
    async with working():
        view = await until(await jobs.defer(task, {"unexpected": 1}), "failed")

    assert "unexpected keyword argument 'unexpected'" in view.reason


async def test_arguments_that_cannot_be_stored_are_bad_input(jobs) -> None:
    with pytest.raises(UnstorableValue):
        await jobs.defer(JobType("test.nothing", nothing), {"text": "a\x00b"})
