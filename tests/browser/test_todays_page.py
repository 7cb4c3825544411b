"""The page of the day: turned by keys, ticked in its place, printed on a sheet, and used without scripts."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.async_api import expect

from almanac.accounts import service as accounts
from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.habits.model.habit import HabitInput
from almanac.desks.habits.service import habits
from almanac.kit.ids import new_id

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def with_habits(site, browse):
    """Somebody who has ended the tour and has two habits for today."""

    async def enter(**options):
        page = await browse(**options)
        user = await accounts.create_user(
            site.services.accounts,
            CONSOLE,
            email=f"{new_id()}@example.org",
            name="Ada Lovelace",
            role=Role.MEMBER,
            password="violet tramway under snow",
        )
        principal = user.as_principal("session")
        await accounts.end_tour(site.services.accounts, principal)
        for name in ("Walk", "Read"):
            await habits.create_habit(site.services, principal, HabitInput(name=name))
        link = await accounts.issue_sign_in_link(site.services.accounts, CONSOLE, user.id)
        await page.context.request.post(link.path)
        await page.goto("/")
        return page

    return enter


def day_address(ago):
    return re.compile(rf"/\?day={(datetime.now(UTC) - timedelta(days=ago)).date()}$")


async def test_keys_turn_the_days_and_walk_the_rows(with_habits):
    page = await with_habits()
    first = await page.locator(".day-part-content").first.bounding_box()
    assert first["y"] < 200
    await page.keyboard.press("ArrowLeft")
    await expect(page).to_have_url(day_address(1))
    await page.keyboard.press("ArrowLeft")
    await expect(page).to_have_url(day_address(2))
    await page.keyboard.press("ArrowRight")
    await expect(page).to_have_url(day_address(1))
    await page.keyboard.press("ArrowRight")
    await expect(page).to_have_url(re.compile("/$"))
    await page.get_by_role("link", name=re.compile("The day after")).click()
    await expect(page).to_have_url(day_address(-1))
    await expect(page.get_by_role("region", name="Planned")).to_be_visible()
    await page.get_by_role("link", name="Today", exact=True).click()
    await expect(page).to_have_url(re.compile("/$"))
    await page.get_by_label("Search everything").focus()
    await page.keyboard.press("ArrowLeft")
    await expect(page).to_have_url(re.compile("/$"))


async def test_a_tick_counts_at_once_and_keeps_the_focus(with_habits):
    page = await with_habits()
    tasks = page.get_by_role("region", name="Do")
    await expect(tasks).to_contain_text("0 of 2 done")
    tick = tasks.get_by_role("button", name=re.compile("^Walk"))
    box = await tick.bounding_box()
    assert min(box["width"], box["height"]) >= 36
    await tick.focus()
    await page.keyboard.press("Enter")
    await expect(tasks).to_contain_text("1 of 2 done")
    await expect(tick).to_have_attribute("aria-pressed", "true")
    await expect(tick).to_be_focused()
    assert (await tick.bounding_box())["y"] == box["y"], "a tick moves no row"
    await page.keyboard.press("j")
    await page.keyboard.press("x")
    await expect(tasks).to_contain_text("2 of 2 done")
    await tick.click()
    await expect(tasks).to_contain_text("1 of 2 done")


async def test_x_ticks_a_row_and_takes_it_back_and_the_walk_goes_on(with_habits):
    page = await with_habits()
    tasks = page.get_by_role("region", name="Do")
    row = tasks.locator("[data-row]").filter(has_text="Walk")
    await tasks.locator("[data-row]").first.focus()
    for done in ("1 of 2 done", "0 of 2 done", "1 of 2 done"):
        await page.keyboard.press("x")
        await expect(tasks).to_contain_text(done)
        await expect(page.locator(".htmx-request, .htmx-settling")).to_have_count(0)
        await expect(row).to_be_focused()
    await page.keyboard.press("j")
    await expect(tasks.locator("[data-row]").filter(has_text="Read")).to_be_focused()
    await page.keyboard.press("x")
    await expect(tasks).to_contain_text("2 of 2 done")
    await page.keyboard.press("k")
    await expect(row).to_be_focused()


async def test_without_scripts_days_are_turned_and_habits_ticked(with_habits):
    page = await with_habits(java_script_enabled=False)
    await page.get_by_role("button", name="Walk: done").click()
    await expect(page.get_by_role("region", name="Do")).to_contain_text("1 of 2 done")
    await page.get_by_role("link", name=re.compile("The day before")).click()
    await expect(page).to_have_url(day_address(1))


async def test_a_day_is_one_sheet_of_paper_without_navigation(with_habits):
    page = await with_habits()
    await page.emulate_media(media="print")
    for name in (".nav", ".top", ".day-turn"):
        await expect(page.locator(name)).to_be_hidden()
    await expect(page.get_by_text("0 of 2 done")).to_be_visible()
    sheet = await page.pdf(format="A4")
    assert sheet.count(b"/Type /Page\n") == 1


async def test_a_phone_has_one_column_and_targets_for_a_thumb(with_habits, look):
    page = await with_habits(viewport=PHONE)
    heading = await page.get_by_role("heading", level=1).bounding_box()
    turn = await page.locator("[data-turn=ArrowLeft]").bounding_box()
    assert abs((turn["y"] + turn["height"] / 2) - (heading["y"] + heading["height"] / 2)) < 12, "on the title's line"
    lefts = {(await part.bounding_box())["x"] for part in await page.locator(".day-part > h2, .day-part-content").all()}
    assert len(lefts) == 1
    for target in await page.locator(".day button, .day .button").all():
        if await target.is_visible():
            box = await target.bounding_box()
            assert min(box["width"], box["height"]) >= 36, await target.inner_text()
    await look(page, "day-phone")
    await page.goto("/?day=2026-01-02")
    await look(page, "day-past-phone")
