"""A worker as a process of its own: `worker_process.py <database url> <data folder>`."""

import asyncio
import sys
from pathlib import Path

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings


def settings_for(database_url: str, data: str) -> Settings:
    return Settings(
        data=Path(data),
        database_url=database_url,
        mail_url="memory:",
        fetch_allow="127.0.0.0/8",
        news_delay_ms=0,
        news_per_site=4,
        news_at_a_time=8,
        news_readers=1,
    )


async def main(database_url: str, data: str) -> None:
    async with open_services(settings_for(database_url, data)) as services:
        assert isinstance(services.jobs, PostgresJobs)
        lease = WorkerSettings(heartbeat_seconds=0.5, lease_seconds=2.5, poll_seconds=0.2)
        await Worker(services.jobs, services, lease).run()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2]))
