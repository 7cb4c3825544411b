"""A deferred job runs with its arguments, and exists only if the caller's transaction committed."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import pytest

from almanac.errors import NotFound
from almanac.jobs import JobStatus, RunningJob

FAR_FUTURE = datetime(2200, 1, 1, tzinfo=UTC)


async def nothing(job: RunningJob[Any], **args: object) -> None:
    pass


async def test_a_job_runs_with_its_arguments_and_the_services(bench) -> None:
    seen: list[object] = []

    async def note(job: RunningJob[str], word: str) -> None:
        seen.append((word, job.services, job.attempt))

    job_id = await bench.jobs.defer(bench.task(note), {"word": "hello"})
    await bench.drain()

    assert seen == [("hello", "services", 1)]
    assert (await bench.view(job_id)).status is JobStatus.SUCCEEDED
    assert (await bench.jobs.job(job_id)).args == {"word": "hello"}


async def test_private_arguments_reach_the_job_and_nobody_else(bench) -> None:
    seen: list[str] = []

    async def note(job: RunningJob[str], code: str, words: str) -> None:
        seen.append(words)

    task = bench.task(note, private=frozenset({"words"}))
    job_id = await bench.jobs.defer(task, {"code": "A", "words": "Sound less worried."})
    await bench.drain()

    assert seen == ["Sound less worried."]
    assert (await bench.jobs.job(job_id)).args == {"code": "A"}


async def test_a_job_waits_until_a_worker_takes_it(bench) -> None:
    view = await bench.view(await bench.jobs.defer(bench.task(nothing, queue="slow")))

    assert (view.status, view.queue, view.attempts, view.created_at) == ("queued", "slow", 0, bench.clock.now())


async def test_a_deferral_commits_with_the_callers_transaction(bench) -> None:
    async with bench.database.unit() as unit:
        job_id = await bench.jobs.defer(bench.task(nothing), unit=unit)

    assert (await bench.view(job_id)).status is JobStatus.QUEUED


async def test_a_deferral_rolls_back_with_the_callers_transaction(bench) -> None:
    task, ids = bench.task(nothing), []

    async def fail_after_deferring() -> None:
        async with bench.database.unit() as unit:
            ids.append(await bench.jobs.defer(task, unit=unit))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail_after_deferring()
    with pytest.raises(NotFound):
        await bench.jobs.job(ids[0])


async def test_one_waiting_job_is_enough_under_a_queueing_lock(bench) -> None:
    task = bench.task(nothing)
    async with bench.database.unit() as unit:
        first = await bench.jobs.defer(task, unit=unit, queueing_lock="digest")
    async with bench.database.unit() as unit:
        assert await bench.jobs.defer(task, unit=unit, queueing_lock="digest") == first
        other = await bench.jobs.defer(task, unit=unit, queueing_lock="other")
    assert other != first

    await bench.drain()
    assert await bench.jobs.defer(task, queueing_lock="digest") != first


async def test_a_job_for_later_is_not_run_now(bench) -> None:
    job_id = await bench.jobs.defer(bench.task(nothing), schedule_at=FAR_FUTURE)
    await bench.drain()

    view = await bench.view(job_id)
    assert (view.status, view.not_before) == ("queued", FAR_FUTURE)


async def test_a_waiting_job_is_found_inside_the_transaction_that_goes_on(bench) -> None:
    task = bench.task(nothing)
    first = await bench.jobs.defer(task, queueing_lock="digest")
    async with bench.database.unit() as unit:
        assert await bench.jobs.defer(task, unit=unit, queueing_lock="digest") == first
        await unit.execute("INSERT INTO blacklisted_sites (domain, url) VALUES ('kept', '')")

    async with bench.database.unit() as unit:
        assert await unit.value("SELECT count(*) FROM blacklisted_sites") == 1


async def test_urgent_jobs_go_first(bench) -> None:
    order: list[str] = []

    async def note(job: RunningJob[Any], name: str) -> None:
        order.append(name)

    task = bench.task(note, lock="one at a time")
    await bench.jobs.defer(task, {"name": "calm"})
    await bench.jobs.defer(task, {"name": "urgent"}, priority=10)
    await bench.drain()

    assert order == ["urgent", "calm"]


async def test_jobs_with_the_same_lock_never_overlap(bench) -> None:
    inside, most = 0, 0

    async def work(job: RunningJob[Any], link_id: int) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        for _ in range(5):
            await asyncio.sleep(0)
        inside -= 1

    task = bench.task(work, lock="link:{link_id}")
    for _ in range(6):
        await bench.jobs.defer(task, {"link_id": 7})
    await bench.drain()

    assert most == 1
    assert (await bench.jobs.counts())[0].succeeded == 6


async def test_a_job_may_defer_another(bench) -> None:
    done: list[str] = []

    async def last(job: RunningJob[Any]) -> None:
        done.append("last")

    async def first(job: RunningJob[Any]) -> None:
        await bench.jobs.defer(final)

    final = bench.task(last)
    await bench.jobs.defer(bench.task(first))
    await bench.drain()

    assert done == ["last"]
