"""The news desk: 1,000 pages of 20 feeds from a small web on loopback, and a million addresses told apart."""

import asyncio
import gc
import json
import subprocess
import sys
import time
import urllib.request
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

from almanac.accounts.model import CONSOLE
from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks.news.model.links import FoundLink
from almanac.desks.news.model.tasks import LinkSource, LinkSourceKind, TaskEdit
from almanac.desks.news.pipeline.new_links import add_found_links
from almanac.desks.news.service import links, tasks
from almanac.services import Services
from measure import Line

LOCAL_WEB = Path(__file__).parent.parent / "functional" / "news" / "local_web.py"
PAGES, FEEDS, ADDRESSES = 1000, 20, 1_000_000
DIFFERENT = ADDRESSES // 2


def lines(folder: Path) -> list[Line]:
    # As `almanac` does once its modules are loaded: what stays for ever is not looked through again and again.
    gc.freeze()
    return asyncio.run(_measured(folder))


async def _measured(folder: Path) -> list[Line]:
    with local_web() as port:
        async with installation(folder / "reading") as services:
            reading = await read_everything(services, port)
    async with installation(folder / "adding") as services:
        adding = await add_a_million(services)
    return [*reading, adding]


@contextmanager
def local_web() -> Iterator[int]:
    command = [sys.executable, str(LOCAL_WEB), str(PAGES), str(FEEDS)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield int(process.stdout.readline())
        process.kill()


@asynccontextmanager
async def installation(folder: Path) -> AsyncIterator[Services]:
    settings = Settings(
        data=folder,
        mail_url="memory:",
        demo=False,
        fetch_allow="127.0.0.0/8",
        news_delay_ms=0,
        news_per_site=4,
        news_at_a_time=24,
        news_readers=2,
    )
    async with open_services(settings) as services:
        yield services


async def read_everything(services: Services, port: int) -> list[Line]:
    """Ask the feeds and read what they name, by the jobs that a worker runs."""
    sources = tuple(
        LinkSource(kind=LinkSourceKind.FEED, address=f"http://127.0.0.{1 + number}:{port}/feed/{number}")
        for number in range(FEEDS)
    )
    await tasks.create_task(services, CONSOLE, TaskEdit(task_name="All", prompt_template="all", sources=sources))
    await tasks.run_task_now(services, CONSOLE, "All")
    begun = time.perf_counter()
    await make_worker(services).drain()
    seconds = time.perf_counter() - begun
    stats = await links.count_links_by_status(services)
    hits = await asyncio.to_thread(hits_of_pages, port)
    once = sum(count == 1 for count in hits.values())
    figures = f"{stats.completed:,} of {stats.total_links:,} in {seconds:.1f} s"
    return [
        Line("links read a second", figures, stats.completed / seconds, 50),
        Line("pages fetched exactly once", f"{once:,} of {len(hits):,}", once, PAGES),
    ]


def hits_of_pages(port: int) -> dict[str, int]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/hits", timeout=30) as answer:
        return {path: count for path, count in json.load(answer).items() if "/a/" in path}


def addresses() -> Iterator[FoundLink]:
    """Each page by two addresses, far apart from each other."""
    for number in range(DIFFERENT):
        yield FoundLink(url=f"http://www.site{number % 997}.example/news/{number}/title-of-it?utm_source=a", title="T")
    for number in range(DIFFERENT):
        yield FoundLink(url=f"https://m.site{number % 997}.example/news/{number}/title-of-it/#top", title="T")


async def add_a_million(services: Services) -> Line:
    begun = time.perf_counter()
    tally = await add_found_links(services.database, services.clock, addresses())
    seconds = time.perf_counter() - begun
    assert (tally.found, tally.added, tally.duplicate) == (ADDRESSES, DIFFERENT, DIFFERENT)
    figures = f"{ADDRESSES:,} in {seconds:.1f} s, {tally.added:,} different"
    return Line("addresses told apart a second", figures, ADDRESSES / seconds, 20_000)
