"""A worker for knowledge as a process of its own: `worker_process.py <database url> <objects folder>`."""

import asyncio
import sys
from pathlib import Path

from almanac.fetch.fake import FakeFetcher
from almanac.jobs import JobRegistry
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import SystemClock
from almanac.knowledge.jobs import KnowledgeJobs
from almanac.knowledge.source_reader import SourceReader
from almanac.objects.local import LocalObjectStore
from almanac.relational import Database
from almanac.search.postgres import PostgresIndex


async def main(url: str, folder: str) -> None:
    async with Database(url) as database:
        clock, registry = SystemClock(), JobRegistry()
        jobs = PostgresJobs(database, registry, clock, cursor_key=b"a key of the worker process")
        search = PostgresIndex(database, cursor_key=b"a key of the worker process")
        reader = SourceReader(database, LocalObjectStore(Path(folder)), FakeFetcher(), search, clock)
        registry.add(KnowledgeJobs(reader, jobs).read_task)
        lease = WorkerSettings(lease_seconds=2.5, heartbeat_seconds=0.6, poll_seconds=0.2)
        await Worker(jobs, database, lease).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
