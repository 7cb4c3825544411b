"""A worker of a whole installation as a process of its own: `worker_process.py <database url> <data folder>`."""

import asyncio
import sys
from pathlib import Path

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings


async def main(url: str, folder: str) -> None:
    settings = Settings(data=Path(folder), database_url=url, mail_url="memory:")
    async with open_services(settings) as services:
        assert isinstance(services.jobs, PostgresJobs)
        lease = WorkerSettings(lease_seconds=4, heartbeat_seconds=0.6, poll_seconds=0.2)
        await Worker(services.jobs, services, lease).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
