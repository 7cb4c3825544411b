"""What the shared components do, measured: heads that stay, dialogs, messages, menus, errors and the head of a page."""

import pytest
from playwright.async_api import expect

PHONE = {"width": 390, "height": 844}
LONG_TABLE = """() => {
  const body = document.querySelector("main .table tbody");
  for (let at = 0; at < 60; at++) body.append(body.rows[0].cloneNode(true));
}"""
BOX = "(element) => { const box = element.getBoundingClientRect(); return [box.top, box.bottom, box.left, box.right]; }"
IS_ON_TOP = """(element) => {
  const box = element.getBoundingClientRect();
  return element.contains(document.elementFromPoint(box.left + 20, box.top + 10));
}"""
COVERED = """() => {
  const toast = document.querySelector(".toast").getBoundingClientRect();
  const isApart = (box) =>
    box.left >= toast.right || toast.left >= box.right || box.top >= toast.bottom || toast.top >= box.bottom;
  return [...document.querySelectorAll("main h1, main h2, main a, main button, main td, .top *")]
    .filter((element) => element.getClientRects().length && !isApart(element.getBoundingClientRect()))
    .map((element) => element.outerHTML.slice(0, 80));
}"""
END_OF_LAST_LINK = """() => {
  const last = [...document.querySelectorAll(".nav a")].filter((link) => link.getClientRects().length).at(-1);
  last.scrollIntoView();
  return last.getBoundingClientRect().bottom;
}"""
END_OF_A_BAR_AT_THE_FOOT = """() => {
  const bar = document.createElement("div");
  bar.style = "position: fixed; bottom: var(--foot)";
  document.body.append(bar);
  return bar.getBoundingClientRect().bottom;
}"""


async def test_the_head_of_a_table_stays_below_the_top_bar(enter):
    page = await enter()
    await page.goto("/styleguide")
    await page.evaluate(LONG_TABLE)
    head = page.locator("main .table th").first
    await page.evaluate("document.querySelector('main .table tbody').rows[40].scrollIntoView({block: 'center'})")
    top, *_ = await head.evaluate(BOX)
    _, bar, *_ = await page.locator(".top").evaluate(BOX)
    assert abs(top - bar) <= 1
    assert await head.evaluate(IS_ON_TOP), "a row passes above the head"


async def test_a_confirmation_is_modal_and_offers_the_safe_choice_first(enter):
    page = await enter()
    await page.goto("/styleguide")
    opener = page.locator("[popovertarget=sg-confirm]").first
    dialog = page.locator("#sg-confirm")
    await opener.focus()
    await page.keyboard.press("Enter")
    assert await dialog.evaluate("(dialog) => dialog.matches(':modal')")
    await expect(dialog.get_by_role("button", name="Keep as it is")).to_be_focused()
    for _ in range(4):
        await page.keyboard.press("Tab")
        inside = "document.activeElement === document.body || document.activeElement.closest('#sg-confirm') !== null"
        assert await page.evaluate(inside), "the focus has left the dialog"
    await page.keyboard.press("Escape")
    await expect(dialog).to_be_hidden()
    await expect(opener).to_be_focused()
    await opener.click()
    await dialog.get_by_role("button", name="Keep as it is").click()
    await expect(dialog).to_be_hidden()


async def test_without_scripts_a_confirmation_is_a_popover(enter):
    page = await enter(java_script_enabled=False)
    await page.goto("/styleguide")
    await page.locator("[popovertarget=sg-confirm]").first.click()
    await expect(page.locator("#sg-confirm")).to_be_visible()
    await page.locator("#sg-confirm").get_by_role("button", name="Keep as it is").click()
    await expect(page.locator("#sg-confirm")).to_be_hidden()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, {"width": 1280, "height": 560}])
async def test_a_message_covers_nothing(enter, viewport):
    page = await enter(viewport=viewport)
    await page.goto("/people")
    await page.evaluate("say('The invitation to somebody with quite a long name was sent.', 'done')")
    await expect(page.locator(".toast")).to_be_visible()
    assert await page.evaluate(COVERED) == []
    top, *_ = await page.locator(".toast").evaluate(BOX)
    assert await page.evaluate(END_OF_LAST_LINK) <= top, "a link of the navigation can't be reached"


async def test_on_a_phone_a_message_stands_between_the_page_and_its_bar(enter):
    page = await enter(viewport=PHONE)
    await page.goto("/people")
    await page.evaluate("say('Saved.', 'done')")
    top, bottom, *_ = await page.locator(".toast").evaluate(BOX)
    bar, *_ = await page.locator(".nav").evaluate(BOX)
    assert bottom <= bar
    assert await page.evaluate(END_OF_A_BAR_AT_THE_FOOT) <= top, "what stays at the foot of the window is covered"


async def test_a_menu_of_languages_closes_by_escape_and_by_a_click_elsewhere(enter):
    page = await enter()
    await page.goto("/styleguide")
    menu, button = page.locator(".read-in"), page.locator(".read-in summary")
    await button.click()
    await expect(menu.get_by_role("link", name="日本語")).to_be_visible()
    await menu.get_by_role("link", name="日本語").focus()
    await page.keyboard.press("Escape")
    await expect(menu.get_by_role("link", name="日本語")).to_be_hidden()
    await expect(button).to_be_focused()
    await button.click()
    await page.get_by_role("heading", level=1).click()
    await expect(menu.get_by_role("link", name="日本語")).to_be_hidden()


@pytest.mark.parametrize("scripts", [True, False])
async def test_the_errors_of_a_form_take_the_focus_and_lead_to_their_fields(enter, scripts):
    page = await enter(java_script_enabled=scripts)
    await page.goto("/people/invite")
    await page.evaluate("document.querySelector('main form').noValidate = true")
    await page.get_by_label("Name").fill("")
    await page.get_by_label("E-mail address").fill("nowhere")
    await page.locator("main form button[type=submit]").first.click()
    summary = page.locator(".error-summary")
    await expect(summary).to_be_focused()
    await summary.locator("a[href='#field-email']").click()
    await expect(page.get_by_label("E-mail address")).to_be_focused()
    await expect(page.get_by_label("E-mail address")).to_have_value("nowhere")


async def test_the_actions_of_a_page_are_on_the_line_of_its_title(enter):
    page = await enter()
    for path in ("/people", "/people/invite", "/saved", "/webhooks"):
        await page.goto(path)
        top, bottom, *_ = await page.locator(".page-header h1").evaluate(BOX)
        for action in await page.locator(".page-header .row > *").all():
            above, below, *_ = await action.evaluate(BOX)
            assert above < (top + bottom) / 2 < below, path


async def test_search_shows_what_it_found_near_the_top(enter):
    page = await enter()
    await page.goto("/search?q=recap")
    top, *_ = await page.locator("#results h2, #results li").first.evaluate(BOX)
    assert top <= 240
