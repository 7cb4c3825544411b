"""A worker as a process of its own: `worker_process.py <database url> <lease seconds>`, for tests that kill it."""

import asyncio
import signal
import sys
from typing import Any

from almanac.jobs import JobRegistry, JobType, RunningJob
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import SystemClock
from almanac.relational import Database


async def note_effect(job: RunningJob[Any], number: int) -> None:
    """Leave one row, guarded by `once`."""
    async with job.unit() as unit:
        if await job.once(unit):
            await unit.execute("INSERT INTO effects (number) VALUES (%(number)s)", {"number": number})


async def hang_first(job: RunningJob[Any], number: int) -> None:
    """The first attempt leaves its effect and then hangs; a later one goes on."""
    await note_effect(job, number)
    if job.attempt == 1:
        await job.progress(1, 2, "hanging")
        await asyncio.Event().wait()


async def freeze_first(job: RunningJob[Any], number: int) -> None:
    """The first attempt hangs until it is thawed, and only then tries to leave its effect."""
    if job.attempt == 1:
        await job.progress(1, 2, "hanging")
        async with job.services.unit() as unit:
            await unit.execute("SELECT pg_advisory_lock(1)")
    await note_effect(job, number)


NOTE = JobType("test.note", note_effect)
HANG = JobType("test.hang", hang_first)
FREEZE = JobType("test.freeze", freeze_first)
REGISTRY = JobRegistry([NOTE, HANG, FREEZE])


async def main(url: str, lease_seconds: float) -> None:
    async with Database(url) as database:
        jobs = PostgresJobs(database, REGISTRY, SystemClock(), cursor_key=b"a key of the worker process")
        lease = WorkerSettings(lease_seconds=lease_seconds, heartbeat_seconds=lease_seconds / 4, poll_seconds=0.2)
        worker = Worker(jobs, database, lease)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        await worker.run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], float(sys.argv[2])))
