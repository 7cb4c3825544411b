"""Takes the pictures of docs/images: starts Almanac with its demo content and a folder of its own, and looks at it.

`make pictures` runs it. Chromium comes with the packages of the browser tests.
"""

import asyncio
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

from playwright.async_api import BrowserContext, Page, ViewportSize, async_playwright
from playwright.async_api import Error as PlaywrightError

from debian_packages import program

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SIZE = ViewportSize(width=1280, height=800)
START_SECONDS, DEMO_SECONDS = 60, 150
Look = Callable[[Page], Awaitable[object]]


def open_at(path: str) -> Look:
    """Look at the page of an address."""

    async def look(page: Page) -> None:
        await page.goto(path)

    return look


def follow(path: str, *links: str) -> Look:
    """Look at where the first of these links leads, one after the other."""

    async def look(page: Page) -> None:
        await page.goto(path)
        for link in links:
            target = await page.locator(link).first.get_attribute("href")
            await page.goto(target or path)

    return look


async def ask_why(page: Page) -> None:
    """Look at the palette while it is asked about a customer."""
    await page.goto("/reminders/customers")
    name = (await page.locator("main [data-row] a").first.inner_text()).strip()
    await page.keyboard.press("Control+k")
    await page.keyboard.type(f"why {name}")
    await page.locator("#palette-list [role=option]").first.wait_for()
    await page.wait_for_timeout(400)


PICTURES: dict[str, Look] = {
    "home": open_at("/"),
    "news": open_at("/news"),
    "recap": open_at("/recap"),
    "newsletter": follow("/newsletter", "main a[href$='/draft'], main [data-row] a"),
    "reminders": open_at("/reminders"),
    "habits": open_at("/habits"),
    "reader": follow("/news", "main a[href^='/news/stories/']", "main a[href*='/stories/'][href*='/read']"),
    "why": ask_why,
}


def find_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def wait_until(is_done: Callable[[], Awaitable[bool]], seconds: float, what: str) -> None:
    """Wait for it, or leave with a sentence."""
    ends = time.monotonic() + seconds
    while not await is_done():
        if time.monotonic() > ends:
            sys.exit(f"{what} took more than {seconds:.0f} seconds.")
        await asyncio.sleep(0.3)


async def is_started(context: BrowserContext) -> bool:
    """Whether the home page is there; the visit also starts the session of the single person."""
    try:
        return (await context.request.get("/")).ok
    except PlaywrightError:
        return False


async def is_loaded(context: BrowserContext) -> bool:
    """Whether every step of loading the demo content has ended; each queues the next before it ends."""
    steps = (await (await context.request.get("/api/v1/jobs?task=demo.load&limit=100")).json())["items"]
    return bool(steps) and all(step["status"] == "succeeded" for step in steps)


async def take_pictures(address: str) -> None:
    """Wait for the content, then take one picture after the other."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program("Chromium").find(), args=["--no-sandbox"])
        context = await browser.new_context(
            base_url=address, viewport=SIZE, color_scheme="light", reduced_motion="reduce", service_workers="block"
        )
        await wait_until(lambda: is_started(context), START_SECONDS, "The start")
        await wait_until(lambda: is_loaded(context), DEMO_SECONDS, "Loading the demo content")
        for name, look in PICTURES.items():
            page = await context.new_page()
            await look(page)
            await page.screenshot(path=IMAGES / f"{name}.png")
            await page.close()
            sys.stdout.write(f"docs/images/{name}.png\n")
        await browser.close()


def main() -> None:
    """Start the server, take the pictures, stop it."""
    port = find_port()
    with tempfile.TemporaryDirectory(prefix="almanac-pictures-") as folder:
        settings = {
            "ALMANAC_DATA": folder,
            "ALMANAC_PORT": str(port),
            "ALMANAC_SINGLE_USER": "yes",
            "ALMANAC_LOG_LEVEL": "error",
        }
        command = [sys.executable, "-m", "almanac", "serve"]
        server = subprocess.Popen(command, env={**os.environ, **settings}, stdout=subprocess.DEVNULL)
        try:
            asyncio.run(take_pictures(f"http://127.0.0.1:{port}"))
        finally:
            server.terminate()
            server.wait()


if __name__ == "__main__":
    main()
