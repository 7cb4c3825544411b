"""Lists are newest first, filtered and paged by cursor; counts add up by queue."""

from typing import Any

import pytest

from almanac.errors import InputError, NotFound
from almanac.jobs import JobFilter, JobStatus, RunningJob


async def nothing(job: RunningJob[Any]) -> None:
    pass


async def fail(job: RunningJob[Any]) -> None:
    raise ValueError("broken")


async def test_pages_continue_where_the_last_one_ended(bench) -> None:
    task = bench.task(nothing)
    ids = [await bench.jobs.defer(task) for _ in range(5)]

    first = await bench.jobs.jobs(limit=2)
    await bench.jobs.defer(task)
    second = await bench.jobs.jobs(limit=2, cursor=first.next_cursor)
    third = await bench.jobs.jobs(limit=2, cursor=second.next_cursor)

    assert [view.id for page in (first, second, third) for view in page.items] == ids[::-1]
    assert third.next_cursor is None


async def test_lists_can_be_filtered_by_status_task_and_queue(bench) -> None:
    good, bad = bench.task(nothing, queue="fast"), bench.task(fail)
    good_id, bad_id = await bench.jobs.defer(good), await bench.jobs.defer(bad)
    await bench.drain()
    waiting_id = await bench.jobs.defer(good)

    async def ids(**which: Any) -> list[int]:
        return [view.id for view in (await bench.jobs.jobs(JobFilter(**which))).items]

    assert await ids(status=JobStatus.FAILED) == [bad_id]
    assert await ids(task=good.name) == [waiting_id, good_id]
    assert await ids(queue="fast", status=JobStatus.SUCCEEDED) == [good_id]
    assert await ids(queue="none") == []


async def test_a_cursor_of_another_list_is_refused(bench) -> None:
    task = bench.task(nothing)
    for _ in range(3):
        await bench.jobs.defer(task)
    cursor = (await bench.jobs.jobs(limit=1)).next_cursor

    with pytest.raises(InputError, match="start again from the first page"):
        await bench.jobs.jobs(JobFilter(status=JobStatus.FAILED), cursor=cursor)
    with pytest.raises(InputError):
        await bench.jobs.jobs(cursor="invented")


async def test_counts_add_up_by_queue(bench) -> None:
    for task in (bench.task(nothing, queue="a"), bench.task(fail, queue="b"), bench.task(nothing, queue="a")):
        await bench.jobs.defer(task)
    await bench.drain()
    await bench.jobs.cancel(await bench.jobs.defer(bench.task(nothing, queue="b")))
    await bench.jobs.defer(bench.task(nothing, queue="b"))

    a, b = await bench.jobs.counts()
    assert (a.queue, a.succeeded, a.queued) == ("a", 2, 0)
    assert (b.queue, b.failed, b.cancelled, b.queued, b.running) == ("b", 1, 1, 1, 0)


async def test_a_job_that_does_not_exist_is_not_found(bench) -> None:
    with pytest.raises(NotFound, match="Job 12345 doesn't exist"):
        await bench.jobs.job(12345)


async def test_a_task_is_called_by_its_title(bench):
    async def nothing(job):
        pass

    titled, untitled = bench.task(nothing, title="Read feeds"), bench.task(nothing)
    assert bench.jobs.title_of(titled.name) == "Read feeds"
    assert bench.jobs.title_of(untitled.name) == untitled.name
    assert bench.jobs.title_of("gone.since") == "gone.since"
