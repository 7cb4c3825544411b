"""A newsletter from news and parliament in the browser, and the way from a sentence to its source and back."""

import re

import pytest
from playwright.async_api import expect

from almanac.accounts.model import Principal
from almanac.accounts.permissions import Role
from almanac.bootstrap import DEMO
from almanac.demo import DemoRecord, DemoRun
from almanac.jobs import InlineLedger


@pytest.fixture
async def stories_and_sittings(site):
    """The demo's news and sittings, as an administrator has them."""
    services, ledger = site.services, InlineLedger(site.services.database)
    owner = Principal(user_id="librarian", name="Librarian", email="", role=Role.ADMIN, via="automation")
    for desk in ("news", "recap"):
        loaded = DemoRecord(owner_id=owner.user_id, day=services.clock.now().date())
        run = DemoRun(services=services, desk=desk, owner=owner, loaded=loaded, ledger=ledger)
        for step in DEMO.parts[desk].steps:
            await step(run)


async def configure(page):
    """A newsletter of a year that only news and parliament feed."""
    await page.goto("/newsletter")
    await page.get_by_role("link", name="New newsletter").click()
    await page.get_by_label("Title").fill("Power from water")
    await page.get_by_role("button", name="Create newsletter").click()
    await page.wait_for_url("**/configuration")
    await page.get_by_label(re.compile("^Knowledge base")).uncheck()
    await page.get_by_label(re.compile("^Custom")).check()
    await page.get_by_text("Advanced schedule").click()
    await page.get_by_label("Cron line").fill("0 7 1 1 *")
    await page.get_by_role("button", name="Choose topics").click()


async def write(page):
    await page.get_by_label("Your own topics").fill("hydropower\n小水力")
    await page.get_by_role("button", name="Retrieve sources").click()
    await expect(page.get_by_role("heading", name="Coverage")).to_be_visible()
    await page.get_by_role("link", name="Continue to outline").click()
    await page.get_by_role("button", name="Generate the outline").click()
    await expect(page.get_by_text("Written from").first).to_be_visible()
    await page.get_by_role("link", name="Continue to draft").click()
    await page.get_by_role("button", name="Write the draft").click()
    await expect(page.get_by_text("The rules found nothing to change.")).to_be_visible()


async def follow(page, source, way, path):
    """From a reference to the marked sentence of its item, and back by what uses it."""
    draft = page.url
    await page.get_by_role("link", name=re.compile(source)).first.click()
    sentence = await page.locator("#reader-source mark").inner_text()
    await page.locator("#reader-source").get_by_role("link", name=way).click()
    await page.wait_for_url(re.compile(path))
    await expect(page.locator("mark", has_text=sentence).first).to_be_visible()
    await expect(page.locator("#quoted")).to_be_attached()
    await page.locator("section", has=page.locator("#used-in")).get_by_role("link", name="Power from water").click()
    await page.wait_for_url(f"{draft.partition('#')[0]}*")


async def test_a_sentence_leads_to_its_story_and_its_speech(stories_and_sittings, enter):
    page = await enter(Role.EDITOR)
    await configure(page)
    await write(page)
    await follow(page, "Laos doubles power sales", "Open it here", "/news/stories/")
    await follow(page, "小規模な水力", "Open it here", "/recap/articles/")
    await page.get_by_role("link", name="Continue to export").click()
    await page.get_by_role("button", name="Make Markdown").click()
    await expect(page.get_by_role("link", name="Download")).to_be_visible()
