"""Arguments of jobs may be personal, so no line of any log shows them."""

import logging
from typing import Any

import pytest

from almanac.jobs import RunningJob, Task
from almanac.jobs.worker import Worker
from almanac.kit.logs import JsonLines


async def fail(job: RunningJob[Any], email: str) -> None:
    raise ValueError("broken")


async def test_a_failing_job_is_logged_without_its_arguments(jobs, caplog: pytest.LogCaptureFixture) -> None:
    task = Task("test.fail", fail)
    jobs.registry.add(task)
    with caplog.at_level(logging.DEBUG):
        await jobs.defer(task, {"email": "ada@example.org"})
        await Worker(jobs, None).drain()

    lines = [JsonLines().format(record) for record in caplog.records]
    assert any('"message":"A job failed."' in line and "test.fail" in line for line in lines)
    assert not any("ada@example.org" in line for line in lines)
