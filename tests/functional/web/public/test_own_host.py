"""The public side on a host of its own: nothing else answers there, and pages are the same however they are reached."""

import httpx
import pytest

from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.web.app import create_app

OPEN, PRIVATE = "https://open.example.org", "https://almanac.example.org"


@pytest.fixture
async def client(databases, tmp_path):
    async with databases.lend() as address:
        settings = Settings(
            data=tmp_path / "data",
            database_url=address,
            mail_url="memory:",
            base_url=PRIVATE,
            public="recap,status",
            public_base_url=OPEN,
        )
        async with open_services(settings) as services:
            transport = httpx.ASGITransport(create_app(services, DESKS))
            async with httpx.AsyncClient(transport=transport) as client:
                yield client


async def test_the_whole_host_is_public(client):
    assert (await client.get(f"{OPEN}/en/recap")).status_code == 200
    assert (await client.get(f"{OPEN}/", headers={"Accept-Language": "de"})).headers["location"] == f"{OPEN}/de"
    for path in ("/people", "/sign-in", "/api/v1/users", "/healthz", "/static/almanac.js", "/jobs", "/api/docs"):
        assert (await client.get(f"{OPEN}{path}")).status_code == 404, path
        assert (await client.post(f"{OPEN}{path}")).status_code == 405, path


async def test_links_name_the_host_and_nothing_of_the_private_one(client):
    page = (await client.get(f"{OPEN}/en/recap")).text
    assert f'href="{OPEN}/en/recap/people"' in page
    assert PRIVATE not in page
    assert (await client.get(f"{PRIVATE}/public/en/recap")).text == page


async def test_each_host_has_its_robots(client):
    own = (await client.get(f"{OPEN}/robots.txt")).text
    assert f"Sitemap: {OPEN}/sitemap.xml" in own
    assert "Disallow: /files/\n" in own
    assert "Disallow: /\n" not in own
    assert (await client.get(f"{PRIVATE}/robots.txt")).text == "User-agent: *\nDisallow: /\n"


async def test_the_style_sheet_may_be_loaded_from_it(client):
    answer = await client.get(f"{PRIVATE}/public/en/recap")
    assert f"style-src 'self' {OPEN}" in answer.headers["content-security-policy"]
    style = answer.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    assert style.startswith(OPEN)
    assert (await client.get(style)).status_code == 200
