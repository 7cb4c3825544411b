"""Finished jobs are removed after their time; failed ones stay much longer, because a person may still want them."""

from typing import Any

import pytest

from almanac.errors import NotFound
from almanac.jobs import JobType, RunningJob
from almanac.jobs.scheduler import cleanup_schedule
from almanac.jobs.worker import Worker


async def nothing(job: RunningJob[Any]) -> None:
    pass


async def fail(job: RunningJob[Any]) -> None:
    raise ValueError("broken")


async def test_old_jobs_are_removed_and_dead_letters_kept_longer(jobs, clock) -> None:
    jobs.registry.schedule(cleanup_schedule(clock))
    good, bad = JobType("test.good", nothing), JobType("test.bad", fail)
    jobs.registry.add(good, bad)
    worker = Worker(jobs, None)
    good_id, bad_id = await jobs.defer(good), await jobs.defer(bad)
    await worker.drain()
    clock.advance(days=31)
    recent_id = await jobs.defer(good)
    await jobs.run_schedule("jobs.housekeeping")
    await worker.drain()

    with pytest.raises(NotFound):
        await jobs.job(good_id)
    assert (await jobs.job(recent_id)).job.status == "succeeded"
    assert (await jobs.job(bad_id)).job.status == "failed"

    clock.advance(days=160)
    await jobs.run_schedule("jobs.housekeeping")
    await worker.drain()
    with pytest.raises(NotFound):
        await jobs.job(bad_id)
