"""Arguments of jobs may be personal, so no line of any log shows them."""

import asyncio
import logging
from typing import Any

import pytest

from almanac.jobs import JobType, RunningJob
from almanac.jobs.worker import Worker, WorkerSettings, filter_job_arguments
from almanac.kit.logs import JsonLines


async def fail(job: RunningJob[Any], email: str) -> None:
    raise ValueError("broken")


async def test_a_failing_job_is_logged_without_its_arguments(jobs, caplog: pytest.LogCaptureFixture) -> None:
    task = JobType("test.fail", fail)
    jobs.registry.add(task)
    with caplog.at_level(logging.DEBUG):
        await jobs.defer(task, {"email": "ada@example.org"})
        await Worker(jobs, None).drain()

    lines = [JsonLines().format(record) for record in caplog.records]
    assert any('"message":"A job failed."' in line and "test.fail" in line for line in lines)
    assert not any("ada@example.org" in line for line in lines)


async def test_a_worker_that_waits_for_a_job_to_end_names_no_argument(jobs, caplog: pytest.LogCaptureFixture) -> None:
    begun = asyncio.Event()

    async def last(job: RunningJob[Any], email: str) -> None:
        begun.set()
        await asyncio.Event().wait()

    task = JobType("test.last", last)
    jobs.registry.add(task)
    worker = Worker(jobs, None, WorkerSettings(graceful_seconds=0.1, poll_seconds=0.05))
    with caplog.at_level(logging.DEBUG):
        run = asyncio.create_task(worker.run())
        await jobs.defer(task, {"email": "ada@example.org"})
        async with asyncio.timeout(60):
            await begun.wait()
            worker.stop()
            await run

    lines = [JsonLines().format(record) for record in caplog.records]
    assert lines
    assert not any("ada@example.org" in line for line in lines)


@pytest.mark.parametrize("name", ["procrastinate.worker", "procrastinate.worker.host-1", "procrastinate.jobs"])
def test_every_logger_that_names_jobs_is_kept_from_it(name: str, caplog: pytest.LogCaptureFixture) -> None:
    filter_job_arguments("host-1")
    with caplog.at_level(logging.DEBUG, logger=name):
        for extra in ({"job": {"task_kwargs": {"email": "ada@example.org"}}}, {"jobs": []}, {"action": "ending_job"}):
            logging.getLogger(name).info("told", extra=extra)
        logging.getLogger(name).info("the log is listened to")
    assert [record.message for record in caplog.records] == ["the log is listened to"]
