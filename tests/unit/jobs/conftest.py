"""Jobs on PostgreSQL and workers inside the test's own process."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager

import pytest

from almanac.jobs import JobRegistry, JobView
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import FixedClock
from almanac.relational import Database

QUICK = WorkerSettings(poll_seconds=0.05, schedule_seconds=0.05, lease_seconds=2, heartbeat_seconds=0.5)


@pytest.fixture
def jobs(database: Database, clock: FixedClock) -> PostgresJobs:
    return PostgresJobs(database, JobRegistry(), clock, cursor_key=b"a key of the test")


@pytest.fixture
def working(jobs: PostgresJobs) -> Callable[..., AbstractAsyncContextManager[Worker[None]]]:
    """A worker that runs while the block does."""

    @asynccontextmanager
    async def work(settings: WorkerSettings = QUICK) -> AsyncIterator[Worker[None]]:
        worker = Worker(jobs, None, settings)
        run = asyncio.create_task(worker.run())
        try:
            yield worker
        finally:
            worker.stop()
            await run

    return work


@pytest.fixture
def until(jobs: PostgresJobs) -> Callable[..., object]:
    """Watch a job until it has a status."""

    async def watch(job_id: int, status: str) -> JobView:
        async with aclosing(jobs.watch(job_id)) as changes:
            async for view in changes:
                if view.status == status:
                    return view
        raise AssertionError("The job ended otherwise.")

    return watch
