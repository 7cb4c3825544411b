"""The platform's own pages and forms: how dense they are, and what a person can do in them."""

import re

import pytest
from playwright.async_api import expect

HEIGHT = 44
LISTS = [
    "/jobs",
    "/mail",
    "/people",
    "/jobs/schedules",
    "/organisation",
    "/knowledge",
    "/models",
    "/failures",
    "/mail/suppressions",
    "/reminders/reports",
]


async def test_the_audit_log_begins_near_the_top_in_rows_of_one_height_and_opens_by_key(enter):
    page = await enter(viewport={"width": 1280, "height": 800})
    await page.goto("/audit")
    rows = page.locator(".audit-log summary")
    first = await rows.first.bounding_box()
    assert first["y"] <= 200
    heights = await rows.evaluate_all("rows => rows.map(row => row.getBoundingClientRect().height)")
    assert set(map(round, heights)) == {HEIGHT}
    await expect(page.locator(".audit-facts:visible")).to_have_count(0)
    await rows.first.focus()
    await page.keyboard.press("Enter")
    await expect(page.locator(".audit-facts:visible")).to_have_count(1)
    await expect(page.locator(".audit-facts:visible")).to_contain_text("session.started")


@pytest.mark.parametrize("width", [320, 390])
async def test_the_audit_log_fits_a_phone(enter, width):
    page = await enter(viewport={"width": width, "height": 800})
    await page.goto("/audit")
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    time = await page.locator(".audit-time").first.bounding_box()
    assert time["x"] + time["width"] <= width


async def test_a_time_zone_is_typed_as_a_city_and_a_wrong_one_keeps_its_text_with_the_nearest(enter):
    page = await enter()
    await page.goto("/account")
    field = page.get_by_label("Time zone")
    await expect(page.locator("#time-zones option[data-zone='Asia/Tokyo']")).to_have_attribute("value", "Tokyo, Japan")
    await field.fill("Berlni")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.locator("#error-time_zone")).to_contain_text("did you mean Berlin, Germany?")
    await expect(field).to_have_value("Berlni")
    await expect(page.locator(".error-summary")).to_be_focused()
    await field.fill("New York")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_text("Your account is saved.")).to_be_visible()
    await expect(field).to_have_value("New York, United States")


async def test_a_schedule_is_chosen_in_words_and_its_next_runs_are_told(enter):
    page = await enter()
    await page.goto("/news/tasks/new")
    await page.get_by_label("Name", exact=True).fill("Rivers every Friday")
    await page.get_by_label("What to look for").fill("rivers")
    repeat = page.get_by_label("How often")
    fields = {name: page.locator(f"#field-{name}") for name in ("at", "weekday", "monthday", "schedule")}
    uses = {
        "hourly": (),
        "daily": ("at",),
        "weekly": ("at", "weekday"),
        "monthly": ("at", "monthday"),
        "line": ("schedule",),
    }
    for value, used in uses.items():
        await repeat.select_option(value)
        assert [name for name, field in fields.items() if await field.is_visible()] == [n for n in fields if n in used]
    await repeat.select_option("weekly")
    await fields["weekday"].select_option(label="Friday")
    await fields["at"].fill("07:15")
    await page.get_by_role("button", name="Add task").click()
    await expect(page.get_by_text("Friday at 07:15").first).to_be_visible()
    await page.goto(page.url + "/edit")
    await expect(page.get_by_label("How often")).to_have_value("weekly")
    assert await page.locator(".cron-runs .nowrap").count() == 3


@pytest.mark.parametrize("path", LISTS)
async def test_lists_of_the_platform_begin_within_200_pixels(enter, path):
    page = await enter(viewport={"width": 1280, "height": 800})
    await page.goto(path)
    first = await page.locator("main table, main .empty, main .panel, main .none-yet").first.bounding_box()
    assert first["y"] <= 200


async def test_a_member_of_a_team_is_suggested_by_name(enter):
    page = await enter()
    await page.goto("/teams")
    await page.get_by_label("Name", exact=True).fill("Editors")
    await page.get_by_role("button", name="Make the team").click()
    field = page.get_by_label("Add a person")
    await field.press_sequentially("ada")
    suggestion = page.locator("#field-person-suggestions option").first
    await expect(suggestion).to_have_attribute("value", re.compile(r"@"))
    await field.fill(await suggestion.get_attribute("value"))
    await page.get_by_role("button", name="Add", exact=True).click()
    await expect(page.get_by_text("is in the team.")).to_be_visible()
