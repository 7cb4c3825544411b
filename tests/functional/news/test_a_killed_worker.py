"""kill -9 in the middle of a run: every link ends in a final state, and no article is written twice."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from almanac.bootstrap import open_services
from almanac.config import Settings

SCRIPT = Path(__file__).parent / "worker_process.py"
PAGES, AT_ONCE = 40, 4


@pytest.fixture
def settings(tmp_path, database_url) -> Settings:
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        fetch_allow="127.0.0.0/8",
        news_delay_ms=0,
    )


@pytest.fixture
async def services(settings):
    async with open_services(settings) as services:
        yield services


@pytest.fixture
def start_worker(start_program, database_url, tmp_path):
    return partial(start_program, SCRIPT, database_url, tmp_path / "worker")


async def until(desk, worker, holds):
    async with asyncio.timeout(140):
        while not holds(await counts_of(desk)):
            assert worker.poll() is None, "The worker ended by itself."
            await asyncio.sleep(0.1)


async def counts_of(desk):
    rows = await desk.all("SELECT status, count(*) AS links FROM news_links GROUP BY status")
    return {row["status"]: row["links"] for row in rows}


async def test_a_killed_worker_loses_no_link_and_writes_none_twice(desk, web, start_worker):
    await desk.add(*(web.url(f"/a/{n}") for n in range(PAGES)))
    first = start_worker()
    await until(desk, first, lambda counts: counts.get("completed", 0) >= 3 and counts.get("processing", 0) > 0)
    first.kill()
    first.wait()
    done = {row["link_id"] for row in await desk.all("SELECT link_id FROM processed_content")}
    assert 0 < len(done) < PAGES

    second = start_worker()
    await until(desk, second, lambda counts: counts == {"completed": PAGES})
    rows = await desk.all("SELECT link_id, created_at = updated_at AS once FROM processed_content")
    assert len(rows) == PAGES
    assert all(row["once"] for row in rows)
    again = [path for path, hits in web.hits.items() if hits > 1 and "/a/" in path]
    assert len(again) <= AT_ONCE
    for link in done:
        url = await desk.value("SELECT url FROM news_links WHERE id = %(id)s", id=link)
        assert web.hits[f"127.0.0.1{url.partition(str(web.port))[2]}"] == 1
