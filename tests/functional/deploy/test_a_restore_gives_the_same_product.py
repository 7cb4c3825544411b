"""A backup restored on an empty machine, with a PostgreSQL at another port, is the same product to the last byte."""

import re
import socket
import tempfile
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import UTC, datetime
from difflib import unified_diff
from pathlib import Path

import httpx
import pytest
from fastapi.routing import APIRoute

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.backup import make_backup, restore_backup
from almanac.bootstrap import get_installation, migrate_all, open_services, open_stores
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.kit.clock import FixedClock
from almanac.relational import EmbeddedPostgres
from almanac.web.app import create_app

NOW = datetime(2026, 11, 17, 9, 0, tzinfo=UTC)
BASE = "http://testserver"
# Every sign-in has ids and tokens of its own.
OWN = re.compile(r'[0-9a-f]{8}-[0-9a-f-]{27}|(?<="X-CSRF-Token": ")[^"]*|(?<=name="csrf_token" value=")[^"]*')
PAGES = {
    "/",
    "/news",
    "/recap",
    "/newsletter",
    "/reminders",
    "/habits",
    "/knowledge",
    "/saved",
    "/people",
    "/jobs",
    "/mail",
}
# The seal of the audit log covers the ids of sign-ins.
NOT_COMPARED = {"/api/v1/audit", "/api/v1/audit/check", "/api/v1/audit/export"}


@pytest.fixture
def folder():
    """Not below pytest's own folder: as root, PostgreSQL's account must be able to pass through."""
    with tempfile.TemporaryDirectory(prefix="almanac-same-", ignore_cleanup_errors=True) as name:
        yield Path(name)


@pytest.fixture
def here(folder):
    return Settings(data=folder / "here", base_url=BASE, admin_token="a-fixed-token-for-automation")


@asynccontextmanager
async def another_postgres(folder):
    """A server of one's own that listens at a port, as on another machine."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = EmbeddedPostgres(folder / "other", options={"listen_addresses": "127.0.0.1", "port": str(port)})
    server.url = lambda database="almanac": f"postgresql://postgres@127.0.0.1:{port}/{database}"
    async with server as url:
        yield url


async def add_to_every_desk(services):
    """The older backup brings newsletters, knowledge and reminders; the other desks get something too."""
    async with visiting(services) as client:
        for path, body in (
            ("/api/v1/habits", {"name": "Reading"}),
            ("/api/v1/news/tasks", {"task_name": "Solar", "prompt_template": "solar power"}),
            ("/api/v1/saved-queries", {"name": "Rain", "query": "rain"}),
        ):
            answer = await client.post(path, json=body, headers={"X-CSRF-Token": await csrf(client)})
            assert answer.status_code == 201, answer.text


@asynccontextmanager
async def visiting(services):
    """A browser of the first administrator."""
    async with httpx.AsyncClient(
        transport=httpx.ASGITransport(create_app(services, DESKS)), base_url=BASE, follow_redirects=True
    ) as client:
        async with services.database.unit() as unit:
            admin = await unit.value("SELECT id FROM users WHERE role = 'admin' ORDER BY created_at LIMIT 1")
        link = await accounts.issue_sign_in_link(services.accounts, CONSOLE, str(admin))
        await client.post(link.path)
        yield client


async def csrf(client):
    return re.search(r'name="csrf_token" value="([^"]*)"', (await client.get("/account")).text)[1]


def addresses(router):
    for route in router.routes:
        if (included := getattr(route, "original_router", None)) is not None:
            yield from addresses(included)
        elif isinstance(route, APIRoute) and "GET" in route.methods and "{" not in route.path:
            yield route.path


async def answers(services):
    """Every list of the API and the pages of every desk, as an administrator gets them."""
    async with visiting(services) as client:
        results = {path for path in addresses(create_app(services, DESKS)) if path.startswith("/api/v1/")}
        return {path: OWN.sub("", (await client.get(path)).text) for path in sorted(results - NOT_COMPARED | PAGES)}


def difference(here, there):
    lines = unified_diff(here.splitlines(), there.splitlines(), "here", "there", n=0, lineterm="")
    return [line[:300] for line in lines][:6]


@pytest.mark.timeout(600)
async def test_everything_is_the_same_on_the_other_machine(here, folder, older_backups, checksums):
    async with open_stores(here) as stores:
        await restore_backup(stores, older_backups["0010.knowledge"])
    async with open_services(here, FixedClock(NOW)) as services:
        await add_to_every_desk(services)
        before = await checksums(get_installation(services))
        report = await make_backup(get_installation(services), folder / "all.tar.gz")
        pages = await answers(services)
    async with another_postgres(folder) as url:
        there = replace(here, data=folder / "there", database_url=url)
        async with open_stores(there) as stores:
            await restore_backup(stores, report.path)
        assert (await migrate_all(there)).applied == []
        async with open_services(there, FixedClock(NOW)) as services:
            after = await checksums(get_installation(services))
            assert after == before
            assert (
                sum(count for count, _ in filter(lambda entry: isinstance(entry, tuple), after["rows"].values())) > 300
            )
            assert sum(count for count, _ in after["items"].values()) >= 5
            assert len(after["objects"]) > 20
            there_too = await answers(services)
            differing = {path: difference(text, there_too[path]) for path, text in pages.items()}
            assert {path: lines for path, lines in differing.items() if lines} == {}
