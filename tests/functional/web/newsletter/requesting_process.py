"""A server and its only client in one process: `requesting_process.py <database url> <data folder> <moment> <token>`.

It creates a newsletter under the key `one`, and is killed before the response.
"""

import asyncio
import sys
from datetime import datetime
from pathlib import Path

import httpx

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.kit.clock import FixedClock
from almanac.web.app import create_app


async def main(database_url: str, data: str, moment: str, token: str) -> None:
    settings = Settings(data=Path(data), database_url=database_url, mail_url="memory:", admin_token=token)
    async with open_services(settings, FixedClock(datetime.fromisoformat(moment))) as services:
        transport = httpx.ASGITransport(create_app(services, DESKS))
        headers = {"Authorization": f"Bearer {token}", "Idempotency-Key": "one"}
        async with httpx.AsyncClient(transport=transport, base_url="http://testserver", headers=headers) as client:
            await client.post("/api/v1/newsletters", json={"title": "Weekly"})


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
