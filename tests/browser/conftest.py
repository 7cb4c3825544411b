"""A real browser in front of the real application: served by uvicorn on a free port, with a worker beside it."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize, async_playwright, expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE, User
from almanac.accounts.permissions import Role
from almanac.bootstrap import make_worker, open_services
from almanac.config import Settings
from almanac.desks import DESKS
from almanac.errors import AlmanacError
from almanac.jobs import JobType
from almanac.kit.ids import new_id
from almanac.services import Services
from almanac.web.app import create_app
from debian_packages import program

CHROMIUM = program("Chromium")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]
expect.set_options(timeout=15_000)
Scheme = Literal["light", "dark"]
DESKTOP, PHONE = ViewportSize(width=1280, height=860), ViewportSize(width=320, height=640)
# Colours and widths each have their look; the other two pairings are made when a person wants pictures of them.
LOOKS: dict[str, tuple[Scheme, ViewportSize]] = {"light-desktop": ("light", DESKTOP), "dark-phone": ("dark", PHONE)}
if os.environ.get("SCREENSHOTS"):
    LOOKS |= {"dark-desktop": ("dark", DESKTOP), "light-phone": ("light", PHONE)}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = [item for item in items if Path(__file__).parent in item.path.parents]
    is_missing = bool(here) and CHROMIUM.find() is None
    for item in here:
        item.add_marker(pytest.mark.browser)
        item.add_marker(pytest.mark.skipif(is_missing, reason=CHROMIUM.missing()))


@dataclass
class Gate:
    """Lets a test hold a job where it wants it."""

    steps: asyncio.Queue[None]

    def let_on(self, steps: int = 1) -> None:
        for _ in range(steps):
            self.steps.put_nowait(None)


class Crew:
    """The worker beside the application; a test may send it away for a while."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def come(self) -> None:
        self._worker = make_worker(self._services)
        self._task = asyncio.create_task(self._worker.run())

    async def leave(self) -> None:
        self._worker.stop()
        await self._task

    @asynccontextmanager
    async def away(self) -> AsyncIterator[None]:
        await self.leave()
        yield
        await self.come()


@dataclass
class Site:
    """The running application."""

    address: str
    services: Services
    gate: Gate
    long_task: JobType
    failing_task: JobType
    crew: Crew


def make_tasks(gate: Gate) -> tuple[JobType, JobType]:
    async def read_feeds(job) -> None:
        for step in range(4):
            await job.progress(step, 4, f"feed {step + 1}")
            await gate.steps.get()

    async def fail(job) -> None:
        raise AlmanacError("The feed at example.org answered with an error page.")

    reading = JobType("demo.read_feeds", read_feeds, title="Read feeds")
    return reading, JobType("demo.read_one_feed", fail, title="Read the feed of example.org")


@pytest.fixture(scope="session")
async def site_database(databases) -> AsyncIterator[str]:
    async with databases.lend() as address:
        yield address


@pytest.fixture(scope="session")
def open_site(
    serve_app: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str], AbstractAsyncContextManager[Site]]:
    """Serves a site on a database; most tests share one."""

    @asynccontextmanager
    async def serve(database_url: str) -> AsyncIterator[Site]:
        settings = Settings(
            data=tmp_path_factory.mktemp("data"),
            database_url=database_url,
            mail_url="memory:",
            port=0,
            development=True,
            public="recap,newsletter,feeds,status",
            rate_limit_per_minute=100_000,
            public_rate_limit_per_minute=100_000,
        )
        gate = Gate(asyncio.Queue())
        tasks = make_tasks(gate)
        async with open_services(settings) as services:
            services.jobs.registry.add(*tasks)
            crew = Crew(services)
            async with serve_app(create_app(services, DESKS)) as address:
                await crew.come()
                yield Site(address, services, gate, *tasks, crew)
                await crew.leave()

    return serve


@pytest.fixture(scope="session")
async def site(
    site_database: str, open_site: Callable[[str], AbstractAsyncContextManager[Site]]
) -> AsyncIterator[Site]:
    async with open_site(site_database) as site:
        yield site


@pytest.fixture(scope="session")
async def chromium() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM.find(), args=ARGUMENTS)
        yield browser
        await browser.close()


def is_fault(message: ConsoleMessage) -> bool:
    """Whether a page should not have said this.

    Chromium also reports a form that was sent back to be corrected, and htmx a request that a later one replaced (one
    that failed has a second message, `htmx:sendError` or `htmx:responseError`).
    """
    is_expected = "status of 422" in message.text or message.text.startswith(("htmx:afterRequest", "htmx:sendAbort"))
    return message.type == "error" and not is_expected


@pytest.fixture
async def browse(chromium: Browser, site: Site) -> AsyncIterator[Callable[..., Awaitable[Page]]]:
    """Opens pages in a fresh profile; a page that reports an error in its console fails the test.

    Without a service worker, unless the test wants it: pages must work as well, and tests hold requests back.
    """
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    async def open_page(**options: object) -> Page:
        options.setdefault("service_workers", "block")
        context = await chromium.new_context(
            base_url=site.address, viewport=options.pop("viewport", DESKTOP), **options
        )
        contexts.append(context)
        page = await context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if is_fault(message) else None)
        return page

    yield open_page
    for context in contexts:
        await context.close()
    assert not complaints


@pytest.fixture
def enter(site: Site, browse: Callable[..., Awaitable[Page]]) -> Callable[..., Awaitable[Page]]:
    """A page signed in as somebody new of a role."""

    async def open_signed_in(role: Role = Role.ADMIN, **options: object) -> Page:
        page = await browse(**options)
        user = await new_person(site.services, role)
        link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, user.id)
        await page.context.request.post(link.path)
        await page.goto("/")
        return page

    return open_signed_in


async def new_person(services: Services, role: Role = Role.ADMIN, password: str | None = None) -> User:
    return await accounts.create_user(
        services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Ada Lovelace", role=role, password=password
    )


@pytest.fixture(scope="session")
def screenshots() -> Path | None:
    """Where to leave pictures for a person to look at, if SCREENSHOTS names a folder."""
    folder = os.environ.get("SCREENSHOTS")
    if not folder:
        return None
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)


async def violations(page: Page) -> list[dict[str, Any]]:
    """What axe-core has to say. It stays in the page for the next look, and what it passed stays there too."""
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE_SCRIPT)
    results: list[dict[str, Any]] = await page.evaluate(
        "axe.run({resultTypes: ['violations']}).then((results) => results.violations)"
    )
    return results


@pytest.fixture
def axe() -> Callable[[Page], Awaitable[list[dict[str, Any]]]]:
    """For tests that judge themselves what axe-core says."""
    return violations


@pytest.fixture
def look(screenshots: Path | None) -> Iterator[Callable[[Page, str], Awaitable[None]]]:
    """Looks at a page as it stands: axe-core has nothing to say, nothing is too wide, no id is there twice."""
    results: list[str] = []

    async def check(page: Page, name: str) -> None:
        text = await violations(page)
        results.extend(f"{name}: {item['id']} {[node['html'][:200] for node in item['nodes']]}" for item in text)
        wider = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wider > 0:
            results.append(f"{name} is {wider} px wider than the screen")
        # Two fields of one id share the label of the first, and axe-core takes that for a label of each.
        twice = await page.evaluate(
            "[...document.querySelectorAll('[id]')].map((e) => e.id).filter((id, at, all) => all.indexOf(id) < at)"
        )
        if twice:
            results.append(f"{name} has these ids twice: {sorted(set(twice))}")
        if screenshots:
            await page.screenshot(path=screenshots / f"{name}.png", full_page=True)

    yield check
    assert not results, "\n".join(results)


@pytest.fixture
def look_around(look: Callable[[Page, str], Awaitable[None]]) -> Callable[[Page, str], Awaitable[None]]:
    """Looks at a page in every look, then gives it its size back; motion would show colours half-way."""

    async def check(page: Page, name: str) -> None:
        size_before = page.viewport_size
        assert size_before is not None
        for look_name, (scheme, size) in LOOKS.items():
            await take_on(page, scheme, size)
            await look(page, f"{name}-{look_name}")
        await take_on(page, "light", size_before)

    return check


async def take_on(page: Page, scheme: Scheme, size: ViewportSize) -> None:
    await page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
    await page.set_viewport_size(size)
