"""Jobs of workers that died are taken back: queued again, or failed when they kill whoever tries them."""

import asyncio
from typing import Any

import pytest

from almanac.errors import Retryable, Unavailable
from almanac.jobs import JobLeaseLost, JobRetryPolicy, JobType, RunningJob
from almanac.jobs.execution import PostgresLedger
from almanac.jobs.leases import HeldJobs, recover_lost_jobs
from almanac.relational import Database

DEAD_WORKER = "INSERT INTO procrastinate_workers (last_heartbeat) VALUES (now() - interval '1 hour') RETURNING id"
TAKE = "UPDATE procrastinate_jobs SET status = 'doing', worker_id = %(worker)s WHERE id = %(job)s"
START_RUN = """
INSERT INTO job_runs (job_id, attempt, worker, started_at) VALUES (%(job)s, 1, 'dead', now()) RETURNING id
"""


async def nothing(job: RunningJob[Any]) -> None:
    pass


async def die_with(jobs, job_id: int) -> PostgresLedger:
    """What a worker that died in the middle of a job leaves behind."""
    async with jobs.database.unit() as unit:
        worker = await unit.value(DEAD_WORKER)
        await unit.execute(TAKE, {"worker": worker, "job": job_id})
        run = await unit.value(START_RUN, {"job": job_id})
    return PostgresLedger(jobs.database, job_id, run, worker)


async def test_a_lost_job_goes_back_to_its_queue(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    await die_with(jobs, job_id)

    assert await recover_lost_jobs(jobs, 30) == [job_id]
    assert await recover_lost_jobs(jobs, 30) == []
    detail = await jobs.job(job_id)
    assert (detail.job.status, detail.runs[0].outcome) == ("queued", "lost")


async def test_a_job_whose_worker_is_alive_is_left_alone(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    await die_with(jobs, job_id)

    assert await recover_lost_jobs(jobs, 2 * 3600) == []


async def test_a_job_that_kills_every_worker_ends_as_failed(jobs) -> None:
    task = JobType("test.deadly", nothing, retry=JobRetryPolicy(attempts=1))
    jobs.registry.add(task)
    job_id = await jobs.defer(task)
    for _ in range(3):
        await die_with(jobs, job_id)
        await recover_lost_jobs(jobs, 30)

    view = (await jobs.job(job_id)).job
    assert view.status == "failed"
    assert view.reason == "Every worker that ran this job stopped before it ended, so it isn't tried again."


async def test_a_job_whose_workers_were_killed_now_and_then_keeps_its_attempts(jobs, working, until) -> None:
    tried = []

    async def fail_once(job: RunningJob[Any]) -> None:
        tried.append(job.attempt)
        if len(tried) == 1:
            raise Retryable("The database doesn't answer.")

    task = JobType("test.long", fail_once, retry=JobRetryPolicy(attempts=3, first_seconds=0))
    jobs.registry.add(task)
    job_id = await jobs.defer(task)
    for _ in range(2):
        await die_with(jobs, job_id)
        await recover_lost_jobs(jobs, 30)
    async with working():
        await until(job_id, "succeeded")
    assert len(tried) == 2


async def test_a_job_that_its_worker_took_back_is_not_ended_by_the_attempt_before(jobs, working, until) -> None:
    """A worker that can't reach the database for a while loses its job, and may be the one that gets it again."""
    begun = asyncio.Queue[int]()
    go_on = {1: asyncio.Event(), 2: asyncio.Event()}

    async def work(job: RunningJob[Any]) -> None:
        begun.put_nowait(job.attempt)
        await go_on[job.attempt].wait()
        await job.progress(1, 1, "done")

    task = JobType("test.twice", work)
    jobs.registry.add(task)
    job_id = await jobs.defer(task)
    async with working():
        assert await begun.get() == 1
        await recover_lost_jobs(jobs, -60)
        assert await begun.get() == 2
        go_on[1].set()
        await until_ended(jobs, job_id, 1)
        assert (await jobs.job(job_id)).job.status == "running"
        go_on[2].set()
        await until(job_id, "succeeded")


async def until_ended(jobs, job_id: int, attempt: int) -> None:
    """Until a worker has nothing more to do with an attempt."""
    async with asyncio.timeout(60):
        while True:
            tasks = [task.get_name() for task in asyncio.all_tasks()]
            if sum(f"[{job_id}]" in name for name in tasks) <= attempt:
                return
            await asyncio.sleep(0.02)


async def test_a_job_that_its_living_worker_knows_nothing_of_goes_back(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    async with jobs.database.unit() as unit:
        worker = await unit.value("INSERT INTO procrastinate_workers DEFAULT VALUES RETURNING id")
        await unit.execute(TAKE, {"worker": worker, "job": job_id})
    assert await recover_lost_jobs(jobs, 30) == []
    async with jobs.database.unit() as unit:
        await unit.execute("UPDATE procrastinate_events SET at = at - interval '1 minute'")
    assert await recover_lost_jobs(jobs, 30) == [job_id]


async def test_a_job_that_ends_while_the_database_is_away_is_done_by_the_same_worker(
    jobs, working, until, monkeypatch
) -> None:
    """The worker goes on living, so that nobody else takes its job for lost."""
    tried = []
    again = asyncio.Event()
    connect = Database._connection

    def refuse(database):
        raise Unavailable("The database doesn't answer; try again in a moment.")

    async def end_without_database(job: RunningJob[Any]) -> None:
        tried.append(job.attempt)
        if len(tried) == 1:
            monkeypatch.setattr(Database, "_connection", refuse)
            asyncio.get_running_loop().call_later(0.5, monkeypatch.setattr, Database, "_connection", connect)
        else:
            again.set()

    task = JobType("test.outage", end_without_database)
    jobs.registry.add(task)
    async with working():
        job_id = await jobs.defer(task)
        async with asyncio.timeout(60):
            await again.wait()
        await until(job_id, "succeeded")
    runs = (await jobs.job(job_id)).runs
    assert sorted(run.outcome for run in runs) == ["lost", "succeeded"]


async def test_a_job_that_its_worker_holds_is_left_to_it_however_long_it_takes(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    ledger = await die_with(jobs, job_id)
    async with jobs.database.unit() as unit:
        await unit.execute("UPDATE procrastinate_workers SET last_heartbeat = now()")
        await unit.execute("UPDATE procrastinate_events SET at = at - interval '1 minute'")

    assert await recover_lost_jobs(jobs, 30, HeldJobs(ledger.worker_id, frozenset({job_id}))) == []
    assert await recover_lost_jobs(jobs, 30, HeldJobs(ledger.worker_id + 1)) == []
    assert await recover_lost_jobs(jobs, 30, HeldJobs(ledger.worker_id)) == [job_id]


async def test_a_lost_job_that_was_cancelled_stays_cancelled(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    await die_with(jobs, job_id)
    await jobs.cancel(job_id)
    await recover_lost_jobs(jobs, 30)

    assert (await jobs.job(job_id)).job.status == "cancelled"


async def test_a_run_that_lost_its_lease_can_neither_write_nor_report(jobs) -> None:
    job_id = await jobs.defer(JobType("test.nothing", nothing))
    ledger = await die_with(jobs, job_id)
    await ledger.progress(1, 2, "still mine")
    await recover_lost_jobs(jobs, 30)

    with pytest.raises(JobLeaseLost):
        await ledger.progress(2, 2, "no longer mine")
    with pytest.raises(JobLeaseLost):
        await ledger.unit().__aenter__()
