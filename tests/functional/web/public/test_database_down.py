"""While the database is away the public side says so in its own layout, keeps nothing, and comes back."""

import httpx

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.web.app import create_app


async def test_readers_are_told_to_come_back(databases, tmp_path):
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path / "data", database_url=address, mail_url="memory:", base_url="http://t", public="recap"
        )
        async with open_services(settings) as services:
            transport = httpx.ASGITransport(create_app(services, DESKS))
            async with httpx.AsyncClient(transport=transport, base_url="http://t") as client:
                assert (await client.get("/public/en/recap")).status_code == 200
                await services.read_ports.database.pool.close()
                answer = await client.get("/public/de/recap")
    assert answer.status_code == 503
    assert answer.headers["retry-after"] == "30"
    assert answer.headers["cache-control"] == "no-store"
    assert 'class="masthead"' in answer.text
    assert '<html lang="de' in answer.text
