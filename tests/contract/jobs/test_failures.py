"""Failures that nobody has dismissed: listed once for the same work on the same object, until it works again."""

from datetime import timedelta
from typing import Any

import pytest

from almanac.errors import InputError, SettingError
from almanac.jobs import FailureFilter, JobFilter, JobObject, JobStatus, RunningJob, Schedule


@pytest.fixture
def reading(bench):
    """A task that works on a source, and fails as long as its source is broken."""
    broken = {"a", "b"}

    async def read(job: RunningJob[Any], source_id: str) -> None:
        if source_id in broken:
            raise InputError("This PDF is damaged.")

    return bench.task(read, about=("source", "source_id")), broken


@pytest.fixture
def read(bench, reading):
    async def read(source_id: str) -> int:
        job_id = await bench.jobs.defer(reading[0], {"source_id": source_id})
        await bench.drain()
        return job_id

    return read


@pytest.fixture
def dismiss(bench):
    async def dismiss(*ids: int, why: str = "The owner knows.") -> int:
        async with bench.database.unit() as unit:
            return await bench.jobs.dismiss(unit, ids, by="someone", why=why)

    return dismiss


async def test_the_same_work_on_the_same_object_is_one_failure(bench, read) -> None:
    first, second, other = await read("a"), await read("a"), await read("b")

    failures = await bench.jobs.failures()
    assert [(failure.job_id, failure.times) for failure in failures] == [(other, 1), (second, 2)]
    assert failures[1].object == JobObject("source", "a")
    assert (failures[1].reason, failures[1].failed_at) == ("This PDF is damaged.", bench.clock.now())
    assert (await bench.view(first)).status is JobStatus.FAILED


async def test_what_a_person_gave_is_told_from_a_fault(bench, read) -> None:
    async def crash(job: RunningJob[Any]) -> None:
        raise ValueError("a fault of ours")

    async def misread_settings(job: RunningJob[Any]) -> None:
        raise SettingError("A setting is wrong.")

    await read("a")
    for run in (crash, misread_settings):
        await bench.jobs.defer(bench.task(run))
    await bench.drain()

    assert [failure.by_input for failure in await bench.jobs.failures()] == [False, False, True]


async def test_nobody_gave_a_scheduled_job_its_input(bench) -> None:
    async def refresh(job: RunningJob[Any]) -> None:
        raise InputError("The list is damaged.")

    bench.registry.schedule(Schedule("refresh", bench.task(refresh), "0 * * * *"))
    await bench.jobs.run_schedule("refresh")
    await bench.drain()

    (failure,) = await bench.jobs.failures()
    assert (failure.object, failure.by_input) == (JobObject("schedule", "refresh"), False)


async def test_success_with_the_same_object_ends_its_failures_only(bench, reading, read) -> None:
    await read("a")
    await read("a")
    other = await read("b")
    reading[1].discard("a")
    await read("a")

    assert [failure.job_id for failure in await bench.jobs.failures()] == [other]


async def test_a_retried_job_is_no_failure_until_it_fails_again(bench, read) -> None:
    job_id = await read("a")
    await bench.jobs.retry([job_id])
    assert await bench.jobs.failures() == []

    await bench.drain()
    assert [failure.job_id for failure in await bench.jobs.failures()] == [job_id]


async def test_a_dismissed_failure_keeps_who_when_and_why(bench, read, dismiss) -> None:
    first, second = await read("a"), await read("a")
    assert await dismiss(second) == 2
    assert await bench.jobs.failures() == []

    (failure,) = await bench.jobs.failures(FailureFilter(dismissed=True))
    assert (failure.job_id, failure.times) == (second, 2)
    assert failure.dismissal is not None
    assert (failure.dismissal.by, failure.dismissal.why) == ("someone", "The owner knows.")
    assert failure.dismissal.at == bench.clock.now()
    assert (await bench.view(first)).dismissal == failure.dismissal


async def test_a_dismissed_object_that_fails_again_comes_back(bench, read, dismiss) -> None:
    await dismiss(await read("a"))
    bench.clock.advance(hours=1)
    again = await read("a")

    (failure,) = await bench.jobs.failures()
    assert (failure.job_id, failure.times, failure.dismissal) == (again, 1, None)


async def test_a_dismissed_job_that_is_retried_and_fails_comes_back(bench, read, dismiss) -> None:
    job_id = await read("a")
    await dismiss(job_id)
    await bench.jobs.retry([job_id])
    await bench.drain()

    assert [(failure.job_id, failure.dismissal) for failure in await bench.jobs.failures()] == [(job_id, None)]


async def test_dismissing_twice_changes_nothing(bench, read, dismiss) -> None:
    job_id = await read("a")
    assert await dismiss(job_id, why="first") == 1
    assert await dismiss(job_id, why="second") == 0
    (failure,) = await bench.jobs.failures(FailureFilter(dismissed=True))
    assert failure.dismissal is not None
    assert failure.dismissal.why == "first"


async def test_a_dismissal_can_be_taken_back(bench, read, dismiss) -> None:
    job_id = await read("a")
    await dismiss(job_id)
    async with bench.database.unit() as unit:
        assert await bench.jobs.restore(unit, [job_id]) == 1

    assert [failure.job_id for failure in await bench.jobs.failures()] == [job_id]


async def test_failures_can_be_listed_by_task_and_job(bench, reading, read) -> None:
    async def crash(job: RunningJob[Any]) -> None:
        raise ValueError("a fault of ours")

    first, second = await read("a"), await read("b")
    await bench.jobs.defer(bench.task(crash))
    await bench.drain()

    by_task = await bench.jobs.failures(FailureFilter(task=reading[0].name))
    assert [failure.job_id for failure in by_task] == [second, first]
    assert [failure.job_id for failure in await bench.jobs.failures(FailureFilter(ids=(first,)))] == [first]


async def test_a_list_without_housekeeping_leaves_out_scheduled_runs_that_went_well(bench) -> None:
    fails = False

    async def tidy(job: RunningJob[Any]) -> None:
        if fails:
            raise ValueError("no room")

    bench.registry.schedule(Schedule("tidy", bench.task(tidy), "0 * * * *"))
    by_hand = await bench.jobs.defer(bench.registry.schedules["tidy"].job_type)
    await bench.jobs.run_schedule("tidy")
    await bench.drain()
    fails = True
    bench.clock.advance(seconds=timedelta(hours=1).total_seconds())
    failed = await bench.jobs.run_schedule("tidy")
    await bench.drain()

    listed = await bench.jobs.jobs(JobFilter(housekeeping=False))
    assert [job.id for job in listed.items] == [failed, by_hand]
    assert len((await bench.jobs.jobs()).items) == 3


async def test_what_failed_in_a_span_of_time_is_listed_after_it_was_repaired(bench, reading, read) -> None:
    begin = bench.clock.now()
    first, _, other = await read("a"), await read("a"), await read("b")
    end = bench.clock.advance(hours=1)
    reading[1].clear()
    await bench.jobs.retry([first])
    await bench.drain()
    failures = {failure.object.id: failure for failure in await bench.jobs.failed_between(begin, end)}
    assert {name: failure.times for name, failure in failures.items()} == {"a": 2, "b": 1}
    assert (failures["b"].job_id, failures["b"].reason, failures["b"].failed_at) == (
        other,
        "This PDF is damaged.",
        begin,
    )
    assert failures["a"].by_input, "of what was repaired its object says who may see why"
    assert await bench.jobs.failed_between(end, end + timedelta(days=1)) == []
