"""A whole worker as a process of its own: `worker_process.py <database url> <mail url> <data folder>`, to be killed."""

import asyncio
import signal
import sys
from pathlib import Path

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.jobs.postgres import PostgresJobs
from almanac.jobs.worker import Worker, WorkerSettings

LEASE_SECONDS = 2.5
SECRET = "a secret that both processes know of"


def settings_for(database_url: str, mail_url: str, data: Path) -> Settings:
    return Settings(
        data=data,
        database_url=database_url,
        mail_url=mail_url,
        secret_key=SECRET,
        fetch_allow="127.0.0.0/8",
        base_url="https://almanac.example.org",
    )


async def main(database_url: str, mail_url: str, data: str) -> None:
    async with open_services(settings_for(database_url, mail_url, Path(data))) as services:
        assert isinstance(services.jobs, PostgresJobs)
        lease = WorkerSettings(lease_seconds=LEASE_SECONDS, heartbeat_seconds=LEASE_SECONDS / 4, poll_seconds=0.2)
        worker = Worker(services.jobs, services, lease)
        asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, worker.stop)
        await worker.run()


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
