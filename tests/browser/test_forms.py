"""The platform's own pages and forms: how dense they are, and what a person can do in them."""

import pytest
from playwright.async_api import expect

HEIGHT = 44


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
