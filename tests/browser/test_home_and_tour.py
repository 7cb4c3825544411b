"""A first visit from beginning to end: the tour, the home page, and finding one's way by keyboard alone."""

import re

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import expect

from almanac.accounts.permissions import Role


async def test_a_newcomer_takes_the_tour_looks_around_and_searches_by_keyboard(enter):
    page = await enter(Role.MEMBER)
    tour = page.locator("#tour-panel")
    await expect(tour.get_by_role("heading")).to_contain_text("Nothing gets lost")
    for number, title in ((2, "Nothing is made up"), (3, "Nothing is sent twice")):
        await tour.get_by_role("link", name="Next").focus()
        await page.keyboard.press("Enter")
        await expect(page).to_have_url(re.compile(rf"tour={number}$"))
        await expect(tour.get_by_role("heading")).to_contain_text(title)
    assert not (await Axe().run(page)).response["violations"]
    await page.go_back()
    await expect(tour.get_by_role("heading")).to_contain_text("Nothing is made up")
    await tour.get_by_role("button", name="Skip the tour").press("Enter")
    await expect(tour).to_be_hidden()
    await page.goto("/")
    await expect(tour).to_be_hidden()
    await expect(page.get_by_role("region", name="Start").get_by_role("link", name="Add a habit")).to_be_visible()

    await page.keyboard.press("/")
    await page.keyboard.type("password")
    await page.keyboard.press("Enter")
    hits = page.locator("[data-row]")
    await expect(hits.first).to_be_visible()
    await page.get_by_label("Search for").focus()
    await page.keyboard.press("ArrowDown")
    await expect(hits.first).to_be_focused()
    await page.keyboard.press("ArrowUp")
    await expect(page.get_by_label("Search for")).to_be_focused()
    await page.keyboard.press("ArrowDown")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/account/password$"))
    await page.get_by_role("button", name="Ada Lovelace").click()
    await page.get_by_role("link", name="Take the tour").click()
    await expect(tour.get_by_role("heading")).to_contain_text("Nothing gets lost")
