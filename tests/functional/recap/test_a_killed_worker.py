"""kill -9 while a sitting is written: the next worker takes it up at once, long before the lease would have ended."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from almanac.desks.recap.jobs import WORK
from almanac.desks.recap.service import articles
from almanac.desks.recap.store import tasks as store
from almanac.desks.recap.store.table import Task

SCRIPT = Path(__file__).parents[1] / "demo" / "worker_process.py"
SAID = tuple(f"○青木春子君　法案の第{n}条について質問します。予算は{n}億円です。" for n in range(1, 200))


@pytest.fixture
def start_worker(start_program, services):
    return partial(start_program, SCRIPT, services.settings.database_url, services.settings.data)


async def until(worker, holds):
    async with asyncio.timeout(120):
        while not await holds():
            assert worker.poll() is None, "The worker ended by itself."
            await asyncio.sleep(0.02)


async def test_a_killed_writer_s_sitting_is_written_by_the_next_worker_at_once(services, desk, sitting, start_worker):
    desk.diet.sittings = [sitting(77, said=SAID)]
    await desk.collect()
    await services.jobs.defer(WORK)

    async def is_held():
        return bool(await services.tables.leases(Task.work))

    async def is_written():
        return not (await store.list_tasks(services.tables, "pending", cursor=None, limit=1)).items

    first = start_worker()
    await until(first, is_held)
    first.kill()
    first.wait()
    (lease,) = await services.tables.leases(Task.work)
    assert (await store.get_task(services.tables, lease.item.pk)).status == "pending"

    await until(start_worker(), is_written)
    task = await store.get_task(services.tables, lease.item.pk)
    assert (task.status, task.retry_attempts, task.error) == ("completed", 1, None)
    assert [version.number for version in await articles.list_versions(services, task.article_id)] == [1]
