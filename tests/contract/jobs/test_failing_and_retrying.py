"""Only retryable errors are tried again; every other failure is final at once and keeps its reason."""

from typing import Any

import pytest

from almanac.errors import NotFound, TooMany, Unavailable
from almanac.jobs import JobRetryPolicy, JobStatus, RunningJob

QUICK = JobRetryPolicy(attempts=3, first_seconds=10, factor=2, jitter=0)


async def test_a_retryable_error_is_tried_again_until_it_works(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        if job.attempt < 3:
            raise Unavailable("The feed doesn't answer.")

    job_id = await bench.jobs.defer(bench.task(work, retry=QUICK))
    for _ in range(3):
        await bench.drain()
        bench.clock.advance(minutes=1)

    detail = await bench.jobs.job(job_id)
    assert detail.job.status is JobStatus.SUCCEEDED
    assert detail.job.reason is None
    assert [(run.attempt, run.outcome, run.reason) for run in detail.runs] == [
        (3, "succeeded", None),
        (2, "retrying", "The feed doesn't answer."),
        (1, "retrying", "The feed doesn't answer."),
    ]


async def test_a_job_that_never_works_fails_after_its_attempts_with_the_reason(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        raise Unavailable("The feed doesn't answer.")

    job_id = await bench.jobs.defer(bench.task(work, retry=QUICK))
    for _ in range(5):
        await bench.drain()
        bench.clock.advance(minutes=1)

    detail = await bench.jobs.job(job_id)
    assert (detail.job.status, detail.job.reason) == ("failed", "The feed doesn't answer.")
    assert [run.outcome for run in detail.runs] == ["failed", "retrying", "retrying"]


async def test_an_error_that_is_not_retryable_fails_at_once(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        raise ValueError("a bad number")

    job_id = await bench.jobs.defer(bench.task(work, retry=QUICK))
    await bench.drain()

    detail = await bench.jobs.job(job_id)
    assert (detail.job.status, detail.job.reason) == ("failed", "ValueError: a bad number")
    assert len(detail.runs) == 1
    assert detail.job.finished_at == bench.clock.now()


async def test_our_own_errors_give_their_sentence_as_the_reason(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        raise NotFound("There is no such link.")

    job_id = await bench.jobs.defer(bench.task(work))
    await bench.drain()

    assert (await bench.view(job_id)).reason == "There is no such link."


async def test_failed_jobs_can_be_retried_by_a_person_with_all_their_attempts(bench) -> None:
    broken = True

    async def work(job: RunningJob[Any]) -> None:
        if broken:
            raise ValueError("broken")

    task = bench.task(work)
    ids = [await bench.jobs.defer(task) for _ in range(3)]
    await bench.drain()
    broken = False

    assert await bench.jobs.retry(ids[:2]) == 2
    assert [(await bench.view(job_id)).reason for job_id in ids] == [None, None, "ValueError: broken"]
    await bench.drain()
    assert [(await bench.view(job_id)).status for job_id in ids] == ["succeeded", "succeeded", "failed"]
    assert await bench.jobs.retry(ids[:2]) == 0


async def test_all_failed_jobs_of_a_task_can_be_retried_together(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        raise ValueError("broken")

    chosen, other = bench.task(work), bench.task(work)
    ids = [await bench.jobs.defer(chosen), await bench.jobs.defer(chosen), await bench.jobs.defer(other)]
    await bench.drain()

    assert await bench.jobs.retry_failed(task=chosen.name) == 2
    assert [(await bench.view(job_id)).status for job_id in ids] == ["queued", "queued", "failed"]
    assert await bench.jobs.retry_failed() == 1


@pytest.mark.parametrize(("attempt", "expected"), [(1, 10), (2, 20), (3, None)])
def test_waits_grow_and_end(attempt: int, expected: float | None) -> None:
    assert QUICK.wait(attempt, Unavailable("busy")) == expected


def test_waits_are_spread_and_bounded() -> None:
    policy = JobRetryPolicy(attempts=50, first_seconds=1, factor=10, longest_seconds=100, jitter=0.2)
    waits = {policy.wait(9, Unavailable("busy")) for _ in range(50)}

    assert len(waits) > 1
    assert all(wait and 80 <= wait <= 120 for wait in waits)


def test_a_service_that_says_when_to_come_back_is_obeyed() -> None:
    assert QUICK.wait(1, TooMany("slow down", retry_after=300)) == 300
