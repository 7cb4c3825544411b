"""Signing in, finding one's way by mouse and keyboard, and the look of things."""

import re

from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.kit.ids import new_id

PHONE = {"width": 320, "height": 640}
PASSWORD = "violet tramway under snow"
NAME_OF_FOCUSED = """() => {
  const focused = document.activeElement;
  const icon = focused.querySelector("svg[aria-label]");
  return focused.innerText.trim() || focused.id || icon.getAttribute("aria-label");
}"""


async def background(page):
    return await page.evaluate("getComputedStyle(document.body).backgroundColor")


async def test_signing_in_with_a_password_and_out_again(site, browse):
    email = f"{new_id()}@example.org"
    await accounts.create_user(
        site.services.accounts, CONSOLE, email=email, name="Ada Lovelace", role=Role.ADMIN, password=PASSWORD
    )
    page = await browse()
    await page.goto("/people")
    await expect(page).to_have_url(re.compile("/sign-in"))
    await page.get_by_label("E-mail address").fill(email)
    await page.get_by_label("Password").fill(PASSWORD)
    await page.get_by_role("button", name="Sign in").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("People")
    await page.get_by_role("button", name="Ada Lovelace").click()
    await page.get_by_role("button", name="Sign out").click()
    await expect(page.get_by_text("You are signed out.")).to_be_visible()


async def test_the_five_desks_are_one_click_away(enter):
    page = await enter(Role.EDITOR)
    for name in ("News", "Recap", "Newsletter", "Reminders", "Habits"):
        await page.get_by_role("navigation", name="Desks and tools").get_by_role("link", name=name, exact=True).click()
        await expect(page).to_have_url(re.compile(f"/{name.lower()}$"))
        await expect(page.get_by_role("heading", level=1)).to_be_visible()
        await expect(page.locator("nav [aria-current=page]", has_text=name)).to_be_visible()


async def test_a_slash_goes_to_the_search_field(enter):
    page = await enter()
    await page.keyboard.press("/")
    await expect(page.get_by_label("Search everything")).to_be_focused()
    await page.keyboard.type("recap")
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main").get_by_role("link", name="Recap", exact=True)).to_be_visible()


async def test_a_slash_in_a_field_is_just_a_slash(enter):
    page = await enter()
    await page.goto("/people/invite")
    await page.get_by_label("Name").fill("")
    await page.get_by_label("Name").press("/")
    await expect(page.get_by_label("Name")).to_have_value("/")


async def test_the_first_tabs_offer_to_skip_to_each_part(enter):
    page = await enter()
    search = page.get_by_label("Search everything")
    parts = {
        "Skip to content": page.get_by_role("main"),
        "Skip to navigation": page.get_by_role("navigation", name="Desks and tools"),
        "Skip to search": search,
    }
    for place, (name, part) in enumerate(parts.items()):
        await page.goto("/shortcuts")
        for _ in range(place + 1):
            await page.keyboard.press("Tab")
        link = page.get_by_role("link", name=name)
        await expect(link).to_be_focused()
        await expect(link).to_be_in_viewport()
        await page.keyboard.press("Enter")
        await expect(part).to_be_focused()


async def test_each_part_of_the_frame_is_a_landmark_and_says_where_one_is(enter):
    page = await enter()
    await page.goto("/jobs/schedules")
    for role in ("banner", "main", "search"):
        await expect(page.get_by_role(role)).to_have_count(1)
    current = page.locator("[aria-current=page]")
    assert sorted(await current.all_inner_texts()) == ["Jobs", "Schedules"]


async def test_the_tab_order_follows_the_page(enter):
    page = await enter(Role.MEMBER)
    names = []
    for _ in range(14):
        await page.keyboard.press("Tab")
        names.append(await page.evaluate(NAME_OF_FOCUSED))
    assert names == [
        "Skip to content",
        "Skip to navigation",
        "Skip to search",
        "Almanac",
        "News",
        "Recap",
        "Newsletter",
        "Habits",
        "Saved queries",
        "Knowledge",
        "global-search",
        "Go to or do",
        "Help",
        names[-1],
    ]
    assert "Ada Lovelace" in names[-1]


async def test_the_theme_changes_at_once_and_stays(enter):
    page = await enter(color_scheme="light")
    light = await background(page)
    await page.get_by_role("button", name="Ada Lovelace").click()
    async with page.expect_response(lambda response: response.url.endswith("/account/theme")):
        await page.get_by_role("button", name="Dark").click()
    dark = await background(page)
    assert dark != light
    await page.goto("/people")
    assert await background(page) == dark


async def test_the_theme_of_the_device_is_followed(enter):
    page = await enter(color_scheme="dark")
    dark = await background(page)
    await page.emulate_media(color_scheme="light")
    assert await background(page) != dark


async def test_on_a_phone_the_desks_are_at_the_bottom_and_the_rest_in_the_menu(enter):
    page = await enter(viewport=PHONE)
    box = await page.get_by_role("navigation", name="Desks and tools").bounding_box()
    assert box["y"] > 500
    await page.get_by_role("button", name="Ada Lovelace").click()
    await page.locator("#person-menu").get_by_role("link", name="Audit log").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Audit log")


async def test_filters_apply_as_one_types_and_live_in_the_address(enter):
    page = await enter()
    await page.goto("/people")
    await page.get_by_label("Name or e-mail address").fill("nobody has this name")
    await expect(page.get_by_text("Nobody matches")).to_be_visible()
    await expect(page).to_have_url(re.compile("q=nobody"))


async def test_pages_work_without_javascript(site, enter):
    page = await enter(java_script_enabled=False)
    await page.goto("/account")
    await page.get_by_label("Name").fill("Countess of Lovelace")
    await page.get_by_role("button", name="Save").click()
    await expect(page.get_by_text("Your account is saved.")).to_be_visible()
    await page.goto("/people?q=Countess")
    await expect(page.get_by_role("link", name="Countess of Lovelace")).to_be_visible()
    await page.get_by_role("button", name="Countess of Lovelace").click()
    await page.get_by_role("button", name="Dark").click()
    await expect(page.locator("html")).to_have_attribute("data-theme", "dark")


async def test_a_deactivation_asks_once_and_can_be_undone(site, enter):
    page = await enter()
    other = await accounts.create_user(
        site.services.accounts, CONSOLE, email=f"{new_id()}@example.org", name="Grace Hopper", role=Role.EDITOR
    )
    await page.goto(f"/people/{other.id}")
    await page.get_by_role("button", name="Deactivate").click()
    dialog = page.get_by_role("dialog", name="Deactivate Grace Hopper?")
    await expect(dialog).to_be_visible()
    await dialog.get_by_role("button", name="Deactivate").click()
    await expect(page.get_by_text("Grace Hopper is deactivated.")).to_be_visible()
    await page.get_by_role("button", name="Undo").click()
    await expect(page.get_by_text("Grace Hopper can sign in again.")).to_be_visible()
