"""A job that ends before the page subscribes to it: the page still shows its result."""

import asyncio
from contextlib import aclosing, asynccontextmanager

import pytest
from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.jobs import JobFilter

DEADLINE = 20


@asynccontextmanager
async def held_back(page, address):
    """What the server answers there reaches the page only when the block ends; the request is answered at once."""
    arrived, let_go = asyncio.Event(), asyncio.Event()

    async def hold(route):
        answer = None if "/live" in route.request.url else await route.fetch()
        arrived.set()
        await let_go.wait()
        await (route.fulfill(response=answer) if answer else route.continue_())

    await page.route(address, hold)
    yield arrived
    let_go.set()
    await page.unroute_all(behavior="wait")


@pytest.fixture
def until_over(site):
    """Waits until the latest job of a task has ended."""

    async def wait(task):
        (latest, *_) = (await site.services.jobs.jobs(JobFilter(task=task))).items
        async with asyncio.timeout(DEADLINE), aclosing(site.services.jobs.watch(latest.id)) as changes:
            assert [job.status async for job in changes][-1] == "succeeded"

    return wait


async def test_before_the_stream_of_the_page_is_open(site, enter, prepare, until_over):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/export")
    async with held_back(page, "**/live*") as asked_for:
        async with site.crew.away():
            await page.get_by_role("button", name="Make Markdown").click()
            await expect(page.get_by_text("Writing the file")).to_be_visible()
            await asked_for.wait()
        await until_over("newsletter.export")
        await expect(page.get_by_text("Writing the file")).to_be_visible()
    await expect(page.get_by_text("from revision 1")).to_be_visible()
    await expect(page.locator("[data-running]")).to_have_count(0)

    await page.goto(f"{prepared.base}/outline")
    async with held_back(page, "**/live*"):
        async with site.crew.away():
            await page.get_by_role("button", name="Generate again").click()
            await expect(page.get_by_text("Making the outline")).to_be_visible()
        await until_over("newsletter.outline")
    await expect(page.get_by_role("button", name="Generate again")).to_be_visible()
    await expect(page.locator("[data-running]")).to_have_count(0)


async def test_before_the_part_of_the_page_that_shows_it(site, enter, prepare, until_over, leave_item_out):
    prepared = await prepare()
    await leave_item_out(prepared)
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    section = page.locator("#section-section-2")
    await section.get_by_text("Rewrite this section").click()
    async with held_back(page, "**/regenerate") as answered:
        async with site.crew.away():
            await section.get_by_role("button", name="Rewrite", exact=True).click()
            await answered.wait()
        await until_over("newsletter.section")
        await expect(page.get_by_text("revision 2")).to_be_visible()
    await expect(page.get_by_text("revision 2")).to_be_visible()
    await expect(page.locator("[data-running]")).to_have_count(0)


async def test_what_somebody_types_meanwhile_stays_when_the_result_arrives(site, enter, prepare, leave_item_out):
    prepared = await prepare()
    await leave_item_out(prepared)
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    async with site.crew.away():
        written = page.locator("#section-section-2")
        await written.get_by_text("Rewrite this section").click()
        await written.get_by_role("button", name="Rewrite", exact=True).press("Enter")
        await expect(page.locator("[data-running]")).to_have_count(1)
        assert await page.evaluate("document.activeElement.closest('#section-section-2') !== null")
        other = page.locator("#section-section-1")
        await other.get_by_text("Rewrite this section").click()
        await other.get_by_label("What to do differently").press_sequentially("Shorter, ple")
    await expect(page.get_by_text("revision 2")).to_be_visible()
    await page.keyboard.type("ase")
    await expect(other.get_by_label("What to do differently")).to_have_value("Shorter, please")


async def test_nothing_is_replaced_between_pressing_and_releasing(enter, prepare):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    await page.wait_for_function("() => stream?.readyState === EventSource.OPEN")
    await page.get_by_role("link", name="Revisions").hover()
    await page.mouse.down()
    await page.evaluate("""stream.onmessage({data: '<div id="step">Replaced.</div>'}); null""")
    await expect(page.get_by_text("revision 1")).to_be_visible()
    await page.mouse.up()
    await page.wait_for_url("**/revisions")
