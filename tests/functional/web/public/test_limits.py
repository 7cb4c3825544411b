"""A crowd is slowed down by address, over all processes, and told in the public layout when to come back."""

import httpx
import pytest

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.web.app import create_app


@pytest.fixture
async def processes(databases, tmp_path):
    """Two web processes on one database, and a client of each."""
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path / "data",
            database_url=address,
            mail_url="memory:",
            base_url="http://t",
            public="status",
            public_rate_limit_per_minute=20,
        )
        async with open_services(settings) as services:
            apps = [create_app(services, DESKS) for _ in range(2)]
            clients = [
                httpx.AsyncClient(transport=httpx.ASGITransport(app, client=("203.0.113.9", 1)), base_url="http://t")
                for app in apps
            ]
            yield clients
            for client in clients:
                await client.aclose()


async def test_one_address_is_limited_over_both_processes(processes):
    answers = [await processes[turn % 2].get("/public/en/status.json") for turn in range(60)]
    statuses = [answer.status_code for answer in answers]
    assert 20 <= statuses.count(200) <= 30
    refused = next(answer for answer in answers if answer.status_code == 429)
    assert int(refused.headers["retry-after"]) > 0
    assert refused.headers["cache-control"] == "no-store"
    assert 'class="masthead"' in refused.text


async def test_the_limit_of_the_public_side_is_its_own(processes):
    for _ in range(40):
        await processes[0].get("/public/en/status.json")
    assert (await processes[0].get("/sign-in")).status_code == 200
