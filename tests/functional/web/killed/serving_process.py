"""A web process of its own: `serving_process.py <database url> <data folder> <moment> <token>`. Prints its port."""

import asyncio
import socket
import sys
from datetime import datetime
from pathlib import Path

from almanac.bootstrap import open_services
from almanac.cli.web_server import server_for
from almanac.config import Settings
from almanac.kit.clock import FixedClock


async def main(database_url: str, data: str, moment: str, token: str) -> None:
    settings = Settings(
        data=Path(data),
        database_url=database_url,
        mail_url="memory:",
        admin_token=token,
        rate_limit_per_minute=100_000,
        worker_concurrency=10,
    )
    async with open_services(settings, FixedClock(datetime.fromisoformat(moment))) as services:
        with socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP) as listener:
            listener.bind(("127.0.0.1", 0))
            listener.listen()
            print(listener.getsockname()[1], flush=True)
            await server_for(services).serve_until(asyncio.Event(), listener)


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
