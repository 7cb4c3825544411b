"""A running installation that may fetch from a small web on loopback, and ways to let its pipeline run."""

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from almanac.accounts.model import CONSOLE
from almanac.articles import ThreadReader
from almanac.bootstrap import open_services
from almanac.config import Settings
from almanac.desks.news.model.tasks import LinkSource, LinkSourceKind, TaskEdit
from almanac.desks.news.pipeline.context import open_context
from almanac.desks.news.pipeline.discovery import run_task
from almanac.desks.news.pipeline.link_reader import LinkReader
from almanac.desks.news.service import links, tasks
from almanac.services import Services

LOCAL_WEB = Path(__file__).parent / "local_web.py"


@pytest.fixture(scope="session")
def web_pages(module_at):
    """The module that makes the pages: what an article of a number says."""
    return module_at(LOCAL_WEB)


@pytest.fixture
async def web(web_pages):
    served = await web_pages.LocalWeb().start()
    yield served
    await served.stop()


@pytest.fixture
def settings(tmp_path, database_url) -> Settings:
    return Settings(
        data=tmp_path / "data",
        database_url=database_url,
        mail_url="memory:",
        fetch_allow="127.0.0.0/8",
        news_delay_ms=0,
        news_per_site=8,
        fetch_seconds=3,
        fetch_max_mb=2,
    )


@pytest.fixture
async def services(settings, clock) -> AsyncIterator[Services]:
    async with open_services(settings, clock) as services:
        yield services


class Desk:
    """What tests do at the desk, in few words."""

    def __init__(self, services: Services) -> None:
        self.services = services

    async def read(self, lease: str = "test/1"):
        """Read everything that is due now."""
        ctx = open_context(self.services, ThreadReader(), lease)
        return await LinkReader(ctx, max_idle=timedelta(0)).run()

    async def add(self, *urls: str):
        return await links.add_links(self.services, CONSOLE, list(urls))

    async def add_and_read(self, *urls: str):
        await self.add(*urls)
        await self.read()
        return [await self.fate(url) for url in urls]

    async def fate(self, url: str):
        return await links.look_up_url(self.services, url)

    async def task(self, name: str, *addresses: str, kind=LinkSourceKind.FEED, **fields):
        sources = tuple(LinkSource(kind=kind, address=address) for address in addresses)
        edit = TaskEdit(task_name=name, prompt_template=fields.pop("words", name), sources=sources, **fields)
        return await tasks.create_task(self.services, CONSOLE, edit)

    async def run(self, name: str):
        return await run_task(self.services, await tasks.get_task(self.services, name), trigger="by hand")

    async def all(self, sql: str, **params):
        async with self.services.database.unit() as unit:
            return await unit.all(sql, params)

    async def value(self, sql: str, **params):
        async with self.services.database.unit() as unit:
            return await unit.value(sql, params)


@pytest.fixture
def desk(services: Services) -> Desk:
    return Desk(services)
