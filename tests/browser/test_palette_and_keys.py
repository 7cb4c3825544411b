"""The command palette and the keys of a page, by keyboard alone; single keys can be switched off."""

import re

from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.kit.ids import new_id


async def test_the_palette_opens_goes_and_gives_focus_back(enter, look):
    page = await enter(Role.ADMIN)
    await page.get_by_label("Search everything").focus()
    await page.keyboard.press("Control+k")
    field = page.get_by_role("combobox", name="Page, action or words")
    await expect(field).to_be_focused()
    await expect(page.get_by_role("option", name="Collect meetings")).to_be_visible()
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
    await page.goto("/search?q=mail")
    await page.get_by_role("heading", level=1).click()
    await page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys of this page")
    await expect(dialog.get_by_text("also leads from the search field")).to_be_visible()
    await expect(dialog.get_by_text("Approve", exact=True)).to_have_count(0)
    await look(page, "keys_open")
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await page.get_by_label("Search for").fill("")
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


async def test_rows_are_walked_from_anywhere_and_opened(enter):
    page = await enter()
    await page.goto("/styleguide")
    rows = page.locator("[data-row]")
    await rows.first.scroll_into_view_if_needed()
    await page.keyboard.press("j")
    await expect(rows.nth(0)).to_be_focused()
    assert await rows.nth(0).evaluate("(row) => getComputedStyle(row).outlineStyle") == "solid"
    await page.keyboard.press("j")
    await page.keyboard.press("ArrowDown")
    await expect(rows.nth(2)).to_be_focused()
    await page.keyboard.press("k")
    await expect(rows.nth(1)).to_be_focused()
    await expect(page.locator('[data-row][tabindex="0"]')).to_have_count(1)
    await page.keyboard.press("Tab")
    await page.keyboard.press("Shift+Tab")
    await expect(rows.nth(1)).to_be_focused()
    await page.goto("/search?q=mail")
    hits = page.locator("[data-row]")
    address = await hits.nth(1).get_by_role("link").first.get_attribute("href")
    await page.keyboard.press("j")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await expect(page).to_have_url(re.compile(re.escape(address) + "$"))


async def test_a_row_stays_clear_of_what_sticks_and_x_chooses_it(enter, site):
    async with site.crew.away():
        for _ in range(30):
            await site.services.jobs.cancel(await site.services.jobs.defer(site.failing_task))
    page = await enter()
    await page.goto("/jobs?status=cancelled")
    for _ in range(25):
        await page.keyboard.press("j")
    for _ in range(24):
        await page.keyboard.press("k")
    row = page.locator("[data-row]").first
    await expect(row).to_be_focused()
    covering = await row.evaluate(
        "(row) => { const box = row.getBoundingClientRect();"
        " return row.contains(document.elementFromPoint(box.left + 60, box.top + 4)); }"
    )
    assert covering
    box = row.get_by_role("checkbox")
    await page.keyboard.press("x")
    await expect(box).to_be_checked()
    await page.keyboard.press("x")
    await expect(box).not_to_be_checked()
    await box.focus()
    await page.keyboard.press("j")
    await expect(page.locator("[data-row]").nth(1)).to_be_focused()


async def test_arrows_scroll_where_no_row_is_in_view(enter):
    page = await enter(viewport={"width": 1280, "height": 500})
    await page.goto("/styleguide")
    await page.keyboard.press("ArrowDown")
    await expect(page.locator("[data-row]:focus")).to_have_count(0)
    await page.wait_for_function("() => scrollY > 0")


async def test_g_and_a_letter_go_to_a_place(enter, site):
    page = await enter()
    letters = page.locator("body[data-going] [data-go]")
    for letter, path in (("n", "/news"), ("j", "/jobs"), ("h", "/")):
        await page.keyboard.press("g")
        await expect(letters.first).to_be_visible()
        await page.keyboard.press(letter)
        await expect(page).to_have_url(site.address + path)
    await page.keyboard.press("g")
    await page.keyboard.press("Escape")
    await expect(letters).to_have_count(0)
    await page.keyboard.press("n")
    await expect(page).to_have_url(site.address + "/")


async def test_a_slash_prefers_the_search_field_of_the_page(enter):
    page = await enter()
    await page.goto("/people")
    await page.keyboard.press("/")
    await expect(page.get_by_label("Name or e-mail address")).to_be_focused()


async def test_u_undoes_and_the_button_says_so(enter, site):
    page = await enter()
    person = await accounts.create_user(
        site.services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Grace Hopper", role=Role.EDITOR
    )
    await page.goto(f"/people/{person.id}")
    await page.get_by_role("button", name="Deactivate").click()
    await page.get_by_role("dialog").get_by_role("button", name="Deactivate").click()
    hint = page.get_by_role("button", name="Undo").locator("kbd")
    await expect(hint).to_have_text("u")
    await page.keyboard.press("u")
    await expect(page.get_by_text("Grace Hopper can sign in again.")).to_be_visible()
