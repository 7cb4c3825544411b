"""A job that must wait for a limit pauses: it keeps its attempts, says why, and goes on at the moment named."""

from datetime import UTC, datetime, timedelta
from typing import Any

from almanac.errors import Paused
from almanac.jobs import JobRetryPolicy, RunningJob, store
from almanac.jobs.worker import Worker

ONE_TRY = JobRetryPolicy(attempts=1)
WHY = "The monthly cap is used up."


async def test_a_paused_job_waits_in_its_queue_and_says_why(bench) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)

    async def work(job: RunningJob[Any]) -> None:
        raise Paused(WHY, tomorrow)

    job_id = await bench.jobs.defer(bench.task(work, retry=ONE_TRY))
    await bench.drain()

    paused = await bench.view(job_id)
    assert (paused.status, paused.reason, paused.not_before) == ("queued", WHY, tomorrow)


async def test_pausing_uses_up_no_attempt(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        if job.attempt < 3:
            raise Paused(WHY, bench.clock.now())

    job_id = await bench.jobs.defer(bench.task(work, retry=ONE_TRY))
    await bench.drain()

    detail = await bench.jobs.job(job_id)
    assert detail.job.status == "succeeded"
    assert [run.outcome for run in detail.runs] == ["succeeded", "paused", "paused"]


async def test_a_start_wakes_what_is_paused_because_the_limit_may_have_been_raised(bench) -> None:
    raised = False

    async def work(job: RunningJob[Any]) -> None:
        if not raised:
            raise Paused(WHY, datetime.now(UTC) + timedelta(days=1))

    job_id = await bench.real.defer(bench.task(work, retry=ONE_TRY))
    await Worker(bench.real, "services").drain()
    raised = True
    async with bench.database.unit() as unit:
        assert await store.wake_paused_jobs(unit) == 1
    await Worker(bench.real, "services").drain()

    assert (await bench.real.job(job_id)).job.status == "succeeded"
