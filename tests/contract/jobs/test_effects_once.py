"""What a job writes under `once` is written once, however often the job is tried."""

from typing import Any

from almanac.errors import Unavailable
from almanac.jobs import JobRetryPolicy, RunningJob

NOTE = "INSERT INTO blacklisted_sites (domain, url) VALUES (%(domain)s, '')"
COUNT = "SELECT count(*) FROM blacklisted_sites"


async def test_a_step_that_was_committed_is_skipped_by_the_next_attempt(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        async with job.unit() as unit:
            if await job.once(unit, "note"):
                await unit.execute(NOTE, {"domain": f"attempt-{job.attempt}"})
        if job.attempt == 1:
            raise Unavailable("Lost right after the effect.")

    job_id = await bench.jobs.defer(bench.task(work, retry=JobRetryPolicy(first_seconds=0)))
    await bench.drain()
    await bench.drain()

    assert (await bench.view(job_id)).status == "succeeded"
    async with bench.database.unit() as unit:
        assert await unit.value(COUNT) == 1


async def test_a_step_that_rolled_back_is_done_by_the_next_attempt(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        async with job.unit() as unit:
            assert await job.once(unit, "note")
            await unit.execute(NOTE, {"domain": f"attempt-{job.attempt}"})
            if job.attempt == 1:
                raise Unavailable("Lost before the commit.")

    await bench.jobs.defer(bench.task(work, retry=JobRetryPolicy(first_seconds=0)))
    await bench.drain()
    await bench.drain()

    async with bench.database.unit() as unit:
        assert await unit.value("SELECT domain FROM blacklisted_sites") == "attempt-2"
