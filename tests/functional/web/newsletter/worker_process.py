"""A whole worker in its own process: `worker_process.py <database url> <data folder> <moment> <words>`.

It freezes when a newsletter's job reports progress that starts with the words.
"""

import asyncio
import os
import signal
import sys
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.jobs import JobType, RunningJob
from almanac.jobs.port import RunLedger
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings
from almanac.kit.clock import FixedClock
from almanac.relational import Unit
from almanac.services import Services


@dataclass
class StopsAt:
    """A run's ledger that stops the process at a report."""

    ledger: RunLedger
    words: str

    async def progress(self, done: int | None, total: int | None, doing: str) -> None:
        await self.ledger.progress(done, total, doing)
        if doing.startswith(self.words):
            os.kill(os.getpid(), signal.SIGSTOP)

    def unit(self) -> AbstractAsyncContextManager[Unit]:
        return self.ledger.unit()

    async def once(self, unit: Unit, step: str) -> bool:
        return await self.ledger.once(unit, step)


def stopping(task: JobType, words: str) -> JobType:
    async def run(job: RunningJob[Services], **args: Any) -> None:
        await task.run(replace(job, ledger=StopsAt(job.ledger, words)), **args)

    return replace(task, run=run)


async def main(database_url: str, data: str, moment: str, words: str) -> None:
    settings = Settings(data=Path(data), database_url=database_url, mail_url="memory:")
    async with open_services(settings, FixedClock(datetime.fromisoformat(moment))) as services:
        assert isinstance(services.jobs, PostgresJobs)
        tasks = services.jobs.registry.job_types
        tasks.update({name: stopping(task, words) for name, task in tasks.items() if name.startswith("newsletter.")})
        lease = WorkerSettings(heartbeat_seconds=0.5, poll_seconds=0.2)
        await Worker(services.jobs, services, lease).run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
