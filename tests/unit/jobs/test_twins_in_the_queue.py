"""A job comes back to its queue although another with the same queueing lock has come to wait there meanwhile."""

from datetime import UTC, datetime

import pytest

from almanac.jobs import JobRegistry, JobStatus, JobType, store
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import SystemClock

NOW = datetime(2026, 3, 2, tzinfo=UTC)


async def nothing(_job):
    """Never run here."""


TASK = JobType("twins", nothing, lock="twins")
TAKEN = "UPDATE procrastinate_jobs SET status = 'doing' WHERE id = %(id)s"
WAITING = "SELECT count(*) FROM procrastinate_jobs WHERE status = 'todo'"


@pytest.fixture
async def running_job(database):
    jobs = PostgresJobs(database, JobRegistry([TASK]), SystemClock(), cursor_key=b"a key of the test")
    first = await jobs.defer(TASK, queueing_lock="twins")
    async with database.unit() as unit:
        await unit.execute(TAKEN, {"id": first})
    assert await jobs.defer(TASK, queueing_lock="twins") != first
    return first


async def test_a_lost_job_waits_beside_its_twin(database, running_job):
    async with database.unit() as unit:
        await store.release_lost_job(unit, running_job, JobStatus.QUEUED, "Its worker is gone.", NOW)
        assert await unit.value(WAITING) == 2
