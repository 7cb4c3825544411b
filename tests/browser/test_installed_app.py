"""Almanac as an app: manifest, service worker, offline page, new versions, and nothing private left behind."""

import re
from contextlib import asynccontextmanager
from urllib.parse import urlsplit

import pytest
from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks import DESKS
from almanac.kit.ids import new_id
from almanac.web.app import create_app

KEPT = """async () => {
  const kept = [];
  for (const name of await caches.keys())
    for (const request of await (await caches.open(name)).keys()) kept.push(new URL(request.url).pathname);
  return kept;
}"""
CONTROLLED = """async () => {
  if (navigator.serviceWorker.controller) return;
  await new Promise((done) => navigator.serviceWorker.addEventListener("controllerchange", done, { once: true }));
}"""


class Server:
    """The application at one address, which can go down and come back."""

    def __init__(self, services, serve_app):
        self._app = create_app(services, DESKS)
        self._serve = serve_app
        self.address, self._running = "", None

    async def come_up(self):
        self._running = self._serve(self._app, urlsplit(self.address).port or 0)
        self.address = await self._running.__aenter__()

    async def go_down(self):
        if self._running is not None:
            running, self._running = self._running, None
            await running.__aexit__(None, None, None)


@pytest.fixture
async def server(site, serve_app):
    server = Server(site.services, serve_app)
    await server.come_up()
    yield server
    await server.go_down()


@pytest.fixture
async def open_app(site, server, chromium):
    """Opens a page of somebody signed in, with the service worker in charge of it."""

    @asynccontextmanager
    async def open_page(path="/account"):
        user = await accounts.create_user(
            site.services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Ada Lovelace", role=Role.MEMBER
        )
        link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, user.id)
        context = await chromium.new_context(base_url=server.address, service_workers="allow")
        page = await context.new_page()
        await context.request.post(link.path)
        await page.goto(path)
        await page.evaluate(CONTROLLED)
        yield page
        await context.close()

    return open_page


async def test_the_manifest_has_no_errors_and_names_every_desk(open_app):
    async with open_app() as page:
        session = await page.context.new_cdp_session(page)
        manifest = await session.send("Page.getAppManifest")
        assert manifest["errors"] == []
        assert manifest["url"].endswith("/manifest.webmanifest")
        content = await (await page.request.get("/manifest.webmanifest")).json()
        assert [shortcut["url"] for shortcut in content["shortcuts"]] == [desk.path for desk in DESKS]
        for icon in content["icons"]:
            size = await page.evaluate(
                "async (src) => { const image = new Image(); image.src = src; await image.decode();"
                " return `${image.width}x${image.height}`; }",
                icon["src"],
            )
            assert size == icon["sizes"]


async def test_only_assets_and_the_offline_page_are_kept_and_nothing_after_signing_out(open_app):
    async with open_app() as page:
        for path in ("/", "/news", "/account/sessions"):
            await page.goto(path)
            await page.evaluate("fetch('/api/v1/me').then((answer) => answer.text())")
        kept = await page.evaluate(KEPT)
        assert "/offline" in kept
        assert [path for path in kept if path != "/offline" and not path.startswith("/static/")] == []
        offline = await page.evaluate("caches.match('/offline').then((answer) => answer.text())")
        assert "Ada" not in offline

        await page.goto("/account")
        await page.get_by_role("button", name="Ada Lovelace").click()
        await page.get_by_role("button", name="Sign out").click()
        await expect(page.get_by_text("You are signed out.")).to_be_visible()
        assert [path for path in await page.evaluate(KEPT) if not re.match("/static/|/offline$", path)] == []
        assert await page.evaluate("localStorage.length") == 0


async def test_a_page_without_a_connection_says_so_and_comes_back_by_itself(open_app, server, look_around):
    async with open_app() as page:
        await server.go_down()
        await page.goto("/news")
        await expect(page.get_by_role("heading", level=1)).to_have_text("Almanac can't be reached")
        await expect(page.get_by_text("We try again every few seconds.")).to_be_visible()
        await look_around(page, "offline")
        await server.come_up()
        await expect(page.get_by_role("heading", level=1)).to_have_text("News")
        assert urlsplit(page.url).path == "/news"


async def test_a_form_that_did_not_arrive_is_still_there(open_app, server):
    async with open_app() as page:
        await page.get_by_label("Name", exact=True).fill("Ada King")
        await server.go_down()
        await page.get_by_role("button", name="Save").click()
        await expect(page.get_by_text("What you were sending did not arrive.")).to_be_visible()
        await server.come_up()
        await expect(page.get_by_text("The connection is back.")).to_be_visible()
        await page.get_by_role("link", name="Back to the form").click()
        await expect(page.get_by_label("Name", exact=True)).to_have_value("Ada King")


async def test_a_new_version_waits_and_takes_no_form_away(open_app, monkeypatch):
    async with open_app() as page:
        await page.get_by_label("Name", exact=True).fill("Ada King")
        monkeypatch.setattr("almanac.web.pages.installation.__version__", "99.0")
        await page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.update())")
        await expect(page.get_by_text("A new version is ready.")).to_be_visible()
        await page.get_by_role("button", name="Reload").click()
        await expect(page.get_by_text("used from the next page you open")).to_be_visible()
        await expect(page.get_by_label("Name", exact=True)).to_have_value("Ada King")

        await page.reload()
        monkeypatch.setattr("almanac.web.pages.installation.__version__", "99.1")
        await page.evaluate("navigator.serviceWorker.ready.then((registration) => registration.update())")
        async with page.expect_navigation():
            await page.get_by_role("button", name="Reload").click()
        names = await page.evaluate("caches.keys()")
        assert len(names) == 1
        assert names[0].startswith("almanac-99.1-")


async def test_installing_is_offered_when_the_browser_offers_it(open_app):
    async with open_app() as page:
        entry = page.get_by_role("button", name="Install Almanac")
        await page.get_by_role("button", name="Ada Lovelace").click()
        await expect(entry).to_be_hidden()
        await page.evaluate(
            "window.dispatchEvent(Object.assign(new Event('beforeinstallprompt', { cancelable: true }),"
            " { prompt() { window.asked = true; } }))"
        )
        await entry.click()
        assert await page.evaluate("window.asked")
        await page.evaluate("window.dispatchEvent(new Event('appinstalled'))")
        await expect(entry).to_be_hidden()
