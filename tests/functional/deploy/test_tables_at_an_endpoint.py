"""Tables at an endpoint: a start creates what is missing there, and one that is down keeps nobody from starting."""

import re
import socket
import subprocess
import sys

import httpx
import pytest

from almanac.accounts.service import first_run_link
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.tables import find_table_problems
from almanac.web.app import create_app


@pytest.fixture
def endpoint(tmp_path):
    """The engine as a service, without any table yet."""
    command = [sys.executable, "-u", "-m", "tablature.engine", "--path", str(tmp_path / "tables.db"), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as engine:
        yield re.search(r"http://\S+", engine.stdout.readline())[0]
        engine.terminate()


@pytest.fixture
def open_installation(tmp_path, database_url, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")

    def opened(url):
        return open_services(
            Settings(
                data=tmp_path / "data",
                database_url=database_url,
                mail_url="memory:",
                dynamodb_endpoint=url,
                dynamodb_region="us-east-1",
            )
        )

    return opened


async def test_a_start_creates_the_tables_that_an_endpoint_lacks(endpoint, open_installation):
    for _ in range(2):
        async with open_installation(endpoint) as services:
            assert await find_table_problems(services.table_service, services.settings) == []


async def test_an_endpoint_that_is_down_keeps_nobody_from_what_needs_no_tables(open_installation):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    async with open_installation(f"http://127.0.0.1:{port}") as services:
        transport = httpx.ASGITransport(create_app(services, DESKS))
        async with httpx.AsyncClient(transport=transport, base_url=services.settings.public_url) as browser:
            await browser.post((await first_run_link(services.accounts)).path)
            assert (await browser.get("/people")).status_code == 200
