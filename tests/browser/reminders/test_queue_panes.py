"""The queue as a person sees it: what decides is always in view, the address names the draft, and counts are right."""

import pytest
from playwright.async_api import expect

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service

PHONE = {"width": 390, "height": 844}
# Where an element is, or nothing where it isn't seen.
PLACE = "(e) => { const r = e.getBoundingClientRect(); return {x: r.x, y: r.y, right: r.right, bottom: r.bottom} }"
# Of what a person reads or presses, all that a message lies on.
COVERED = """() => {
  const place = (e) => e.getBoundingClientRect();
  const on = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
  const toasts = [...document.querySelectorAll('.toast')].map(place);
  const seen = document.querySelectorAll('h1, #preview h2, .decide .button, .page-header .button, .queue-bar .button');
  return [...seen].filter((e) => e.checkVisibility() && toasts.some((t) => on(t, place(e)))).map((e) => e.outerHTML);
}"""


async def place(locator):
    return await locator.evaluate(PLACE)


async def names_in(page):
    return await page.locator(".queue-name").all_text_contents()


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1440, 900)])
async def test_panes_scroll_and_what_decides_stays_in_view(a_long_queue, enter, width, height):
    page = await enter(Role.ADMIN, viewport={"width": width, "height": height})
    await page.goto("/reminders")
    approve = page.get_by_role("button", name="Approve and send")
    for key in ("a", "r", "s", "e"):
        bar = await place(page.locator(f'.decide [data-key="{key}"]'))
        assert bar["y"] > 200
        assert bar["bottom"] <= height
    assert await page.evaluate("document.documentElement.scrollHeight") <= height
    for pane in ("#preview", "[data-queue-rows]"):
        assert await page.locator(pane).evaluate("(e) => e.scrollHeight > e.clientHeight")
        await page.locator(pane).evaluate("(e) => e.scrollTo(0, e.scrollHeight)")
    assert (await place(approve))["bottom"] <= height
    hint = page.locator('.decide [data-key="a"] kbd')
    await expect(hint).to_have_text("a")
    await expect(hint).to_be_visible()


async def test_a_wide_screen_gives_the_panes_more_room(a_long_queue, enter):
    page = await enter(Role.ADMIN, viewport={"width": 1800, "height": 900})
    await page.goto("/reminders")
    queue = await place(page.locator("[data-queue]"))
    assert 1300 < queue["right"] - queue["x"] <= 1440
    await page.set_viewport_size({"width": 1280, "height": 800})
    pane = await place(page.locator(".queue-list"))
    assert pane["right"] - pane["x"] >= 360


async def test_a_phone_decides_above_the_navigation(drafted, enter):
    await drafted("Ash and Daughters of Kuala Lumpur", "Birch and Sons of Neustadt an der Aisch")
    page = await enter(Role.ADMIN, viewport=PHONE)
    await page.goto("/reminders")
    first, second = await names_in(page)
    await page.get_by_role("link", name=first).click()
    approve, navigation = page.get_by_role("button", name="Approve and send"), page.locator(".nav")
    for scrolled in (0, 300):
        await page.evaluate(f"scrollTo(0, {scrolled})")
        assert (await place(approve))["bottom"] <= (await place(navigation))["y"]
    await approve.click()
    await expect(page.locator(".mail-head h2")).to_have_text(second)
    await expect(page.locator(".toast")).to_be_visible()
    assert await page.evaluate(COVERED) == []


async def test_more_rows_come_while_their_link_stays_in_its_place(a_long_queue, enter):
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    more = page.get_by_role("link", name="More drafts")
    before = await place(more)
    await page.locator("[data-queue-rows]").evaluate("(e) => e.scrollTo(0, 200)")
    assert await place(more) == before
    await more.click()
    await expect(page.locator("[data-draft]")).to_have_count(30)
    assert await page.locator("[data-queue-rows]").evaluate("(e) => e.scrollTop") == 200
    await expect(more).to_have_count(0)
    await expect(page.locator("#queue-sum")).to_contain_text("30 reminders")
    await expect(page.locator("#queue-sum")).to_contain_text("150.00 EUR")


async def test_the_address_names_the_draft_that_is_shown(drafted, enter):
    await drafted("Ash", "Birch", "Cedar")
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    first, second, third = await names_in(page)
    shown = page.locator(".mail-head h2")
    await page.get_by_role("link", name=second).click()
    await expect(shown).to_have_text(second)
    steps, address = await page.evaluate("history.length"), page.url
    assert "draft=" in address
    await page.keyboard.press("j")
    await expect(shown).to_have_text(third)
    assert page.url != address
    assert await page.evaluate("history.length") == steps
    await page.reload()
    await expect(shown).to_have_text(third)
    await page.go_back()
    await expect(shown).to_have_text(first)
    await page.go_forward()
    await expect(shown).to_have_text(third)
    await expect(page.locator("[aria-current=true] .queue-name")).to_have_text(third)


async def test_a_draft_that_somebody_else_decided_says_so(site, drafted, enter):
    drafts = await drafted("Ash", "Birch")
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    name = (await names_in(page))[1]
    other = next(draft for draft in drafts if draft.customer_name == name)
    services = site.services
    await service.reject_draft(services, CONSOLE, other.id, seen=other.content_hash, note="They called.")
    await page.keyboard.press("j")
    await expect(page.locator("#preview")).to_contain_text("Decided meanwhile")
    await expect(page.locator("#preview")).to_contain_text("This reminder is rejected now")
    await page.goto(f"/reminders?draft={other.id}")
    await expect(page.locator("#preview")).to_contain_text("Decided meanwhile")


async def test_counts_follow_each_decision(drafted, enter):
    await drafted("Ash", "Birch", "Cedar")
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    doubt = int(await page.locator(".chip", has_text="In doubt").locator(".facet").inner_text())
    chip, total, navigation = (
        page.locator(".chip[aria-current]"),
        page.locator("#queue-sum"),
        page.locator("#waiting-reminders"),
    )

    async def counted(number):
        await expect(chip).to_have_text(f"To decide {number}")
        await expect(total).to_contain_text(f"{number} reminder")
        await expect(total).to_contain_text(f"{120 * number}.00 EUR")
        await expect(navigation).to_contain_text(f"{number + doubt}")

    await counted(3)
    await page.keyboard.press("a")
    await counted(2)
    await page.keyboard.press("s")
    await page.keyboard.press("Enter")
    await counted(1)
    await page.keyboard.press("u")
    await counted(2)
    await page.keyboard.press("u")
    await counted(3)
    await page.get_by_label("Select all").check()
    await page.keyboard.press("R")
    await page.keyboard.type("They called.")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("3 reminders rejected.")).to_be_visible()
    await expect(navigation).to_contain_text(f"{doubt}") if doubt else await expect(navigation).to_be_hidden()


async def test_the_bar_of_a_batch_comes_with_the_first_choice(drafted, enter):
    await drafted("Ash", "Birch", "Cedar")
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    bar, rows = page.locator("[data-batch]"), page.locator("[data-draft]")
    await expect(bar).to_be_hidden()
    before = await place(rows.first)
    await page.keyboard.press("x")
    await expect(bar).to_contain_text("1 chosen")
    await expect(bar).to_contain_text("120.00 EUR")
    assert await place(rows.first) == before
    await page.get_by_label("Select all").check()
    await expect(bar).to_contain_text("3 chosen")
    await expect(bar).to_contain_text("360.00 EUR")
    await page.get_by_label("Select all").uncheck()
    await expect(bar).to_be_hidden()


async def test_the_focus_goes_on_to_what_is_decided_next(drafted, enter):
    await drafted("Ash", "Birch", "Cedar", "Dogwood")
    page = await enter(Role.ADMIN)
    await page.goto("/reminders")
    names, current = await names_in(page), page.locator("[data-draft][aria-current]")
    await page.keyboard.press("a")
    await expect(current).to_contain_text(names[1])
    await expect(current).to_be_focused()
    await page.keyboard.press("a")
    await expect(current).to_contain_text(names[2])
    await expect(current).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator(".mail-head h2")).to_be_focused()
    await page.get_by_role("button", name="Approve and send").click()
    await expect(page.locator(".mail-head h2")).to_have_text(names[3])
    await expect(page.locator(".mail-head h2")).to_be_focused()
    assert await page.evaluate(COVERED) == []
    await page.keyboard.press("a")
    await expect(page.locator("[data-queue-end]")).to_be_visible()
    await expect(page.locator("#preview")).to_be_focused()


async def test_names_and_amounts_are_never_cut(drafted, enter):
    name = "The Honourable Society of Bookbinders and Paper Makers of Upper Lower Saxony"
    await drafted(name)
    page = await enter(Role.ADMIN)
    for width in (1280, 390, 320):
        await page.set_viewport_size({"width": width, "height": 800})
        await page.goto("/reminders")
        row = page.locator("[data-draft]")
        assert await row.locator(".queue-name").inner_text() == name
        for part in (".queue-name", ".queue-amount"):
            assert await row.locator(part).evaluate(
                "(e) => e.scrollWidth <= Math.ceil(e.getBoundingClientRect().width)"
            )
        amount = await place(row.locator(".queue-amount"))
        assert amount["bottom"] - amount["y"] < 32
