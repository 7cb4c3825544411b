"""The command palette and the keys of a page, by keyboard alone; single keys can be switched off."""

import re

from playwright.async_api import expect

from almanac.accounts.permissions import Role


async def test_the_palette_opens_goes_and_gives_focus_back(enter, look):
    page = await enter(Role.ADMIN)
    await page.get_by_label("Search everything").focus()
    await page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Page, action or words")
    await expect(field).to_be_focused()
    await expect(page.get_by_role("option", name="New newsletter")).to_be_visible()
    await look(page, "palette_open")
    await page.keyboard.press("Escape")
    await expect(page.get_by_label("Search everything")).to_be_focused()
    await page.keyboard.press("Control+k")
    await page.keyboard.type("add a custmer")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile("/reminders/customers/new"))
    await page.get_by_role("link", name="Go to or do").click()
    await expect(page.get_by_role("listbox").get_by_role("option").first).to_have_text("Add a customer")


async def test_arrows_walk_the_palette_and_an_action_is_done(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/habits")
    await page.keyboard.press("Control+k")
    await page.keyboard.type("switch")
    options = page.get_by_role("listbox").get_by_role("option")
    await expect(options.first).to_have_text("Switch to dark")
    await expect(options.first).to_have_attribute("aria-selected", "true")
    await page.keyboard.press("ArrowDown")
    await expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    chosen = await page.get_by_label("Page, action or words").get_attribute("aria-activedescendant")
    assert chosen == await options.nth(1).get_attribute("id")
    await page.keyboard.press("ArrowUp")
    await page.keyboard.press("Enter")
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    await expect(page).to_have_url(re.compile("/habits$"))


async def test_a_question_mark_shows_the_keys_of_the_page(enter, look):
    page = await enter(Role.ADMIN)
    await page.goto("/search")
    await page.get_by_role("heading", level=1).click()
    await page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys of this page")
    await expect(dialog.get_by_text("Next result, from the field too")).to_be_visible()
    await expect(dialog.get_by_text("Approve", exact=True)).to_have_count(0)
    await look(page, "keys_open")
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await page.get_by_label("Search for").press("?")
    await expect(page.get_by_label("Search for")).to_have_value("?")


async def test_single_keys_can_be_switched_off(enter):
    page = await enter(Role.MEMBER)
    await page.goto("/shortcuts")
    await page.get_by_role("button", name="Switch single keys off in this browser").click()
    await expect(page.get_by_text("Single keys are off in this browser.")).to_be_visible()
    await page.get_by_role("heading", level=1).click()
    await page.keyboard.press("?")
    await page.keyboard.press("/")
    await expect(page.get_by_label("Search everything")).not_to_be_focused()
    await expect(page.get_by_role("dialog")).to_have_count(0)
    await page.keyboard.press("Control+k")
    await expect(page.get_by_role("combobox", name="Page, action or words")).to_be_focused()
