"""A queued job is cancelled at once, a running one when it next reports progress, or at once by an abort."""

import asyncio
from typing import Any

import pytest

from almanac.errors import Conflict, NotFound
from almanac.jobs import JobStatus, RunningJob


async def nothing(job: RunningJob[Any]) -> None:
    pass


async def work_forever(job: RunningJob[Any]) -> None:
    step = 0
    while True:
        step += 1
        await job.progress(step, None, "working")


async def sleep_forever(job: RunningJob[Any]) -> None:
    await asyncio.Event().wait()


async def test_a_queued_job_is_cancelled_at_once_and_never_runs(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(nothing))

    assert (await bench.jobs.cancel(job_id)).status is JobStatus.CANCELLED
    await bench.drain()
    view = await bench.view(job_id)
    assert (view.status, view.attempts, view.reason) == ("cancelled", 0, "Cancelled by a person before it started.")


async def test_a_running_job_stops_at_its_next_report(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(work_forever))
    work = asyncio.create_task(bench.drain())
    await bench.until_running(job_id)

    assert (await bench.jobs.cancel(job_id)).cancel_requested
    await work
    detail = await bench.jobs.job(job_id)
    assert (detail.job.status, detail.job.reason) == ("cancelled", "Cancelled by a person.")
    assert detail.runs[0].outcome == "cancelled"


async def test_an_abort_interrupts_a_job_that_reports_nothing(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(sleep_forever))
    work = asyncio.create_task(bench.drain())
    await bench.until_running(job_id)

    assert (await bench.jobs.abort(job_id)).cancel_requested
    await work
    view = await bench.view(job_id)
    assert (view.status, view.reason) == ("cancelled", "Interrupted by a person.")


async def test_a_cancelled_job_can_be_queued_again(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(nothing))
    await bench.jobs.cancel(job_id)

    assert await bench.jobs.retry([job_id]) == 1
    await bench.drain()
    assert (await bench.view(job_id)).status is JobStatus.SUCCEEDED


async def test_a_job_that_has_ended_cannot_be_cancelled(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(nothing))
    await bench.drain()

    with pytest.raises(Conflict, match="already succeeded"):
        await bench.jobs.cancel(job_id)


async def test_a_job_that_does_not_exist_cannot_be_cancelled(bench) -> None:
    with pytest.raises(NotFound, match="Job 999 doesn't exist"):
        await bench.jobs.cancel(999)
