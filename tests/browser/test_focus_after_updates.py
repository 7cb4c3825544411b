"""When a part of the page is replaced, the focus goes to what took the place of what held it, never to nothing."""

from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.kit.ids import new_id

FOCUSED = "document.activeElement.tagName"
RELOAD = (
    """(query) => htmx.ajax("GET", `/people?q=${query}`, {target: "#results", select: "#results", swap: "outerHTML"})"""
)


async def test_a_live_update_keeps_the_button_and_its_end_leads_to_the_heading(site, enter):
    page = await enter()
    job = await site.services.jobs.defer(site.long_task)
    await page.goto(f"/jobs/{job}")
    await expect(page.get_by_text("feed 1")).to_be_visible()
    cancel = page.get_by_role("button", name="Cancel")
    await cancel.focus()
    site.gate.let_on()
    await expect(page.get_by_text("feed 2")).to_be_visible()
    await expect(cancel).to_be_focused()
    site.gate.let_on(3)
    await expect(cancel).to_have_count(0)
    await expect(page.locator("#job-state :focus, #job-state:focus")).to_have_count(1)


async def test_filtered_rows_keep_the_row_or_lead_to_the_list(site, enter):
    mark = new_id()[-6:]
    names = [f"{word} {mark}" for word in ("Ash", "Birch")]
    for name in names:
        await accounts.create_user(
            site.services.accounts, CONSOLE, email=f"{new_id()}@example.org", name=name, role=Role.MEMBER
        )
    page = await enter()
    await page.goto(f"/people?q={mark}")
    await page.get_by_role("link", name=names[0]).focus()
    await page.evaluate(RELOAD, mark)
    await expect(page.get_by_role("link", name=names[0])).to_be_focused()
    await page.evaluate(RELOAD, names[1])
    await expect(page.get_by_role("link", name=names[0])).to_have_count(0)
    assert await page.evaluate(FOCUSED) != "BODY"
    assert await page.evaluate("document.activeElement.closest('#results') !== null")


async def test_a_removed_row_leads_to_the_row_after_it(enter):
    page = await enter()
    await page.goto("/search?q=mail")
    rows = page.locator("[data-row]")
    after = await rows.nth(1).inner_text()
    await page.keyboard.press("j")
    await rows.first.evaluate("(row) => row.remove()")
    await expect(rows.first).to_be_focused()
    assert await rows.first.inner_text() == after


async def test_a_dismissed_message_gives_the_focus_back(enter):
    page = await enter()
    await page.goto("/account")
    await page.get_by_role("button", name="Save").click()
    await page.get_by_label("Name").focus()
    await page.get_by_role("button", name="Dismiss").press("Enter")
    await expect(page.get_by_role("button", name="Dismiss")).to_have_count(0)
    await expect(page.get_by_label("Name")).to_be_focused()


async def test_who_let_go_of_the_focus_is_not_given_it_again(enter):
    page = await enter()
    await page.goto("/people")
    await page.get_by_role("link", name="Ada Lovelace").first.focus()
    await page.mouse.click(1270, 850)
    await page.evaluate(RELOAD, "")
    await expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
    assert await page.evaluate(FOCUSED) in ("BODY", "MAIN")
