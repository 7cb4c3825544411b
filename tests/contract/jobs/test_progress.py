"""Progress is visible to others while a job runs, and watchers see each change."""

import asyncio
from contextlib import aclosing
from typing import Any

import pytest

from almanac.errors import NotFound
from almanac.jobs import RunningJob
from almanac.jobs.feed import follow_jobs


async def test_others_see_how_far_a_job_is(bench) -> None:
    looked, go_on = asyncio.Event(), asyncio.Event()

    async def work(job: RunningJob[Any]) -> None:
        await job.progress(3, 10, "reading feeds")
        looked.set()
        await go_on.wait()

    job_id = await bench.jobs.defer(bench.task(work))
    running = asyncio.create_task(bench.drain())
    await looked.wait()
    view = await bench.view(job_id)
    go_on.set()
    await running

    assert (view.status, view.done, view.total, view.doing) == ("running", 3, 10, "reading feeds")


async def test_watching_a_job_begins_with_now_and_ends_with_its_end(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        await job.progress(1, 1, "all of it")

    job_id = await bench.jobs.defer(bench.task(work))
    async with aclosing(bench.jobs.watch(job_id)) as changes:
        seen = [await anext(changes)]
        running = asyncio.create_task(bench.drain())
        seen += [view async for view in changes]
    await running

    assert seen[0].status == "queued"
    assert (seen[-1].status, seen[-1].doing) == ("succeeded", "all of it")


async def test_watching_a_finished_job_ends_at_once(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        pass

    job_id = await bench.jobs.defer(bench.task(work))
    await bench.drain()

    assert [view.status async for view in bench.jobs.watch(job_id)] == ["succeeded"]


async def test_watching_everything_shows_jobs_of_every_task(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        pass

    async with aclosing(bench.jobs.watch()) as changes:
        first_change = asyncio.create_task(anext(changes))
        while not first_change.done():
            last = await bench.jobs.defer(bench.task(work))
            await asyncio.wait([first_change], timeout=0.05)
        await bench.drain()
        seen = [first_change.result()]
        while (seen[-1].id, seen[-1].status) != (last, "succeeded"):
            seen.append(await anext(changes))

    assert {view.status for view in seen} >= {"queued", "succeeded"}


async def test_jobs_named_first_are_told_as_they_stand(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        pass

    task = bench.task(work)
    over = await bench.jobs.defer(task)
    await bench.drain()
    waiting = await bench.jobs.defer(task)
    async with aclosing(bench.jobs.watch(first=[4242, over, waiting])) as changes:
        seen = {view.id: view.status for view in [await anext(changes), await anext(changes)]}

    assert seen == {over: "succeeded", waiting: "queued"}


async def test_only_jobs_of_the_task_with_the_arguments_are_followed(bench) -> None:
    async def work(job: RunningJob[Any], code: str) -> None:
        pass

    task, other = bench.task(work), bench.task(work)
    ours = await bench.jobs.defer(task, {"code": "A"})
    foreign = [await bench.jobs.defer(task, {"code": "B"}), await bench.jobs.defer(other, {"code": "A"})]
    async with aclosing(follow_jobs(bench.jobs, [task.name], {"code": "A"}, first=[*foreign, ours])) as jobs:
        first = await anext(jobs)
        drained = asyncio.create_task(bench.drain())
        seen = [first, await anext(jobs)]
        while not seen[-1].job.status.final:
            seen.append(await anext(jobs))
        await drained

    assert {detail.job.id for detail in seen} == {ours}
    assert (first.job.status, seen[-1].job.status, first.args) == ("queued", "succeeded", {"code": "A"})


async def test_no_change_is_missed_once_watch_any_has_answered(bench) -> None:
    async def work(job: RunningJob[Any]) -> None:
        pass

    seen = 0
    async with asyncio.timeout(30), aclosing(bench.jobs.watch_any()) as changes:
        await anext(changes)
        for _ in range(3):
            await bench.jobs.defer(bench.task(work))
            await anext(changes)
            seen += 1
    assert seen == 3


async def test_watching_a_job_that_does_not_exist_is_refused(bench) -> None:
    with pytest.raises(NotFound):
        await anext(bench.jobs.watch(4242))
