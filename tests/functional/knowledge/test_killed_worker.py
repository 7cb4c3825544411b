"""A worker that is killed in the middle of a feed: another goes on, and every passage is there once."""

import asyncio
import signal
from contextlib import aclosing
from functools import partial
from pathlib import Path

import pytest

from almanac.fetch.fake import FakeFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.postgres import PostgresJobs
from almanac.kit.clock import SystemClock
from almanac.knowledge import KnowledgeViewer, SourceStatus
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.service import StoredKnowledge
from almanac.knowledge.source_reader import SourceReader
from almanac.objects.local import LocalObjectStore
from almanac.search import SearchViewer as Searcher
from almanac.search.postgres import PostgresIndex

SCRIPT = Path(__file__).parent / "worker_process.py"
AMINA = KnowledgeViewer("amina")
ENTRIES = 300


@pytest.fixture
def knowledge(database, tmp_path):
    clock = SystemClock()
    registry = JobRegistry()
    jobs = PostgresJobs(database, registry, clock, cursor_key=b"a key of the test")
    search = PostgresIndex(database, cursor_key=b"a key of the test")
    reader = SourceReader(database, LocalObjectStore(tmp_path / "objects"), FakeFetcher(), search, clock)
    knowledge_jobs = KnowledgeJobs(reader, jobs)
    registry.add(knowledge_jobs.read_task)
    return StoredKnowledge(database=database, jobs=knowledge_jobs, cursor_key=b"key", max_file_bytes=10**7)


@pytest.fixture
def start_worker(start_program, database_url, tmp_path):
    return partial(start_program, SCRIPT, database_url, tmp_path / "objects")


async def until(jobs, job_id, wanted):
    async with asyncio.timeout(120), aclosing(jobs.watch(job_id)) as changes:
        async for view in changes:
            if wanted(view):
                return view
    raise AssertionError("The job ended otherwise.")


async def test_a_killed_worker_leaves_nothing_out_and_nothing_twice(knowledge, start_worker, database):
    items = "".join(
        f"<item><guid>{n}</guid><title>Entry {n} tells of bridge {n}.</title></item>" for n in range(ENTRIES)
    )
    feed = f"<rss version='2.0'><channel><title>Ward</title>{items}</channel></rss>".encode()
    source = await knowledge.add_file(AMINA, "ward.rss", feed)
    jobs = knowledge.jobs.jobs
    first = start_worker()
    await until(jobs, source.job_id, lambda view: (view.done or 0) >= 20)
    first.send_signal(signal.SIGKILL)
    first.wait()
    halfway = (await knowledge.get(AMINA, source.id)).source
    assert halfway.status is SourceStatus.READING
    assert 0 < halfway.documents < ENTRIES

    start_worker()
    await until(jobs, source.job_id, lambda view: view.status == "succeeded")
    read = (await knowledge.get(AMINA, source.id)).source
    assert (read.status, read.documents, read.chunks) == (SourceStatus.READY, ENTRIES, ENTRIES)
    results = await PostgresIndex(database, cursor_key=b"key").find("bridge", viewer=Searcher("amina"))
    assert results.total == ENTRIES
