"""In a browser: follow a search by feed and mail, decide about what waits, and watch what a webhook was told."""

import re

from playwright.async_api import expect

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.approvals import ApprovalSubject, content_hash
from almanac.kit.ids import new_id

PHONE = {"width": 320, "height": 640}


async def test_a_search_is_saved_fed_and_watched(enter, look_around):
    page = await enter(Role.MEMBER, viewport=PHONE)
    await page.goto("/saved/new?q=river%20-flood")
    await page.get_by_label("Name").fill("Rivers without floods")
    await page.get_by_role("button", name="Save query").click()
    await expect(page.get_by_role("heading", name="Rivers without floods")).to_be_visible()
    await page.get_by_role("button", name="Open a feed").click()
    await expect(page.get_by_text(re.compile(r"/feeds/\S+\.atom"))).to_be_visible()
    await page.get_by_label("How often").select_option("weekly")
    await page.get_by_role("button", name="Set an alert").click()
    await expect(page.get_by_role("button", name="Stop the alert")).to_be_visible()
    await look_around(page, "saved-one")
    await page.goto("/saved")
    await expect(page.get_by_text("Weekly")).to_be_visible()
    await look_around(page, "saved")


async def test_what_waits_is_looked_at_and_approved(enter, site, look_around):
    name = f"Issue {new_id()[-6:]}"
    async with site.services.database.unit() as unit:
        subject = ApprovalSubject("newsletter.draft", new_id())
        await site.services.approvals.ask(unit, subject, content_hash(name), CONSOLE, title=name, link="/newsletter")
    page = await enter(Role.APPROVER, viewport=PHONE)
    await page.goto("/approvals")
    await look_around(page, "approvals")
    await page.get_by_role("link", name=name).click()
    await look_around(page, "approval")
    await page.get_by_role("button", name="Approve").click()
    await expect(page.get_by_text(f"{name} is approved.")).to_be_visible()


async def test_a_webhook_is_added_and_tried(enter, look_around):
    page = await enter(Role.ADMIN, viewport=PHONE)
    await page.goto("/webhooks")
    await page.get_by_label("Address").fill("https://hooks.example.invalid/almanac")
    await page.get_by_label(re.compile("approval.approved")).check()
    await page.get_by_role("button", name="Add endpoint").click()
    await expect(page.get_by_text("Copy the secret now")).to_be_visible()
    await look_around(page, "webhook")
    await page.get_by_role("button", name="Send a test event").click()
    await expect(page.get_by_role("heading", name="ping")).to_be_visible()
    await look_around(page, "webhook-delivery")
    await page.goto("/webhooks")
    await look_around(page, "webhooks")
