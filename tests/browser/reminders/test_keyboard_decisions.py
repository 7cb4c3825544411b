"""Keyboard shortcuts of the queue: each decision shows the next draft, and the last one can be undone."""

import asyncio

from playwright.async_api import expect

from almanac.accounts.model import CONSOLE
from almanac.accounts.permissions import Role
from almanac.desks.reminders import service, store

DEADLINE = 15


async def in_order(page, drafts):
    """Drafts as the queue lists them; those of one second have no order of their own."""
    await page.goto("/reminders")
    ids = [await row.get_attribute("data-draft") for row in await page.locator("[data-draft]").all()]
    return [next(draft for draft in drafts if draft.id == draft_id) for draft_id in ids]


async def becomes(site, draft, state):
    async with asyncio.timeout(DEADLINE):
        while (await store.get_draft(site.services.tables, draft.id)).state != state:  # noqa: ASYNC110 - the table tells nobody
            await asyncio.sleep(0.02)


async def test_four_drafts_by_keys_alone(site, drafted, enter):
    drafts, page = await drafted("Ash", "Birch", "Cedar", "Dogwood"), await enter(Role.ADMIN)
    first, second, third, fourth = await in_order(page, drafts)
    shown = page.locator(".mail-head h2")
    await page.keyboard.press("j")
    await expect(shown).to_have_text(second.customer_name)
    await page.keyboard.press("k")
    await expect(shown).to_have_text(first.customer_name)

    waiting = page.locator("#waiting-reminders")
    before = int(await waiting.get_attribute("data-waiting"))
    elsewhere = await enter(Role.ADMIN)
    await expect(elsewhere.locator("#waiting-reminders")).to_have_attribute("data-waiting", str(before))
    await page.keyboard.press("a")
    await expect(shown).to_have_text(second.customer_name)
    await expect(page.locator("[data-draft]")).to_have_count(3)
    await expect(waiting).to_have_attribute("data-waiting", str(before - 1))
    await expect(waiting).to_contain_text(f"{before - 1}")
    await expect(elsewhere.locator("#waiting-reminders")).to_have_attribute("data-waiting", str(before - 1))
    await expect(page.get_by_text(f"The reminder to {first.customer_name} goes out in 30 seconds.")).to_be_visible()
    await becomes(site, first, "approved")

    await page.keyboard.press("r")
    await page.keyboard.type("They called; they pay on Friday.")
    await page.keyboard.press("Enter")
    await expect(shown).to_have_text(third.customer_name)
    await becomes(site, second, "rejected")

    await page.keyboard.press("s")
    await page.keyboard.press("Enter")
    await expect(shown).to_have_text(fourth.customer_name)
    await becomes(site, third, "snoozed")

    await page.keyboard.press("e")
    text = page.get_by_label("Text")
    await expect(text).to_be_focused()
    await text.fill(f"Please pay 120.00 EUR for I-{fourth.customer_id}.")
    await page.keyboard.press("Control+Enter")
    await expect(page.get_by_text("Your changes are saved.")).to_be_visible()
    await expect(page.locator(".mail-text")).to_contain_text("Please pay 120.00 EUR")

    await page.keyboard.press("u")
    await expect(shown).to_have_text(third.customer_name)
    await expect(page.locator("[data-draft]")).to_have_count(2)
    await becomes(site, third, "draft")


async def test_a_draft_that_changed_says_so_and_stays(site, drafted, enter):
    drafts, page = await drafted("Ash", "Birch"), await enter(Role.ADMIN)
    first, second = await in_order(page, drafts)
    text = f"Please pay 120.00 EUR for I-{first.customer_id}."
    await service.edit_draft(site.services, CONSOLE, first.id, subject="Somebody else's words", text=text)
    await page.keyboard.press("a")
    await expect(page.get_by_text("This changed after you opened it")).to_be_visible()
    await expect(page.locator("#preview")).to_contain_text("Somebody else's words")
    await page.keyboard.press("a")
    await expect(page.locator(".mail-head h2")).to_have_text(second.customer_name)
    await becomes(site, first, "approved")


async def test_a_batch_is_chosen_by_keys_summed_up_and_undone(site, drafted, enter, look):
    drafts, page = await drafted("Ash", "Birch", "Cedar"), await enter(Role.ADMIN)
    first, second, third = await in_order(page, drafts)
    await page.keyboard.press("x")
    await page.keyboard.press("j")
    await expect(page.locator(".mail-head h2")).to_have_text(second.customer_name)
    await page.keyboard.press("x")
    await page.keyboard.press("j")
    await expect(page.locator(".mail-head h2")).to_have_text(third.customer_name)
    await page.get_by_role("button", name="Review selected").click()
    await expect(page.get_by_text("240.00 EUR")).to_be_visible()
    await look(page, "review-light-desktop")
    await page.get_by_role("button", name="Approve and send 2").click()
    await expect(page.get_by_text("2 reminders approved.")).to_be_visible()
    await look(page, "approved-light-desktop")
    await becomes(site, second, "approved")
    await page.get_by_role("button", name="Undo", exact=True).click()
    await expect(page.get_by_text("2 reminders back in the queue.")).to_be_visible()
    await becomes(site, first, "draft")


async def test_chosen_drafts_are_rejected_by_keys_with_one_note(site, drafted, enter, look):
    drafts, page = await drafted("Ash", "Birch"), await enter(Role.ADMIN)
    first, second = await in_order(page, drafts)
    await page.get_by_label("Select all").check()
    await page.keyboard.press("S")
    await expect(page.locator(".queue-bar").get_by_role("button", name="Until tomorrow")).to_be_focused()
    await page.keyboard.press("Escape")
    await page.keyboard.press("R")
    await expect(page.get_by_label("Why, for their authors")).to_be_focused()
    await page.keyboard.type("They called.")
    await look(page, "reject-chosen-light-desktop")
    await page.keyboard.press("Enter")
    await expect(page.get_by_text("2 reminders rejected.")).to_be_visible()
    await becomes(site, first, "rejected")
    await becomes(site, second, "rejected")


async def test_what_was_undone_is_said_before_older_messages(site, drafted, enter):
    drafts, page = await drafted("Ash", "Birch", "Cedar"), await enter(Role.ADMIN)
    first, second, third = await in_order(page, drafts)
    for following in (second, third):
        await page.keyboard.press("s")
        await page.keyboard.press("Enter")
        await expect(page.locator(".mail-head h2")).to_have_text(following.customer_name)
    await page.keyboard.press("u")
    await expect(page.get_by_text(f"The reminder to {second.customer_name} is back in the queue.")).to_be_visible()
    await becomes(site, first, "snoozed")
    await becomes(site, second, "draft")


async def test_an_edit_is_not_left_by_accident(drafted, enter):
    drafts, page = await drafted("Ash", "Birch"), await enter(Role.ADMIN)
    await in_order(page, drafts)
    await page.keyboard.press("e")
    await page.get_by_label("Text").fill("Half a sentence")
    await page.keyboard.press("Escape")
    await page.keyboard.press("j")
    await expect(page.get_by_text("Save your words first")).to_be_visible()
    await expect(page.get_by_label("Text")).to_have_value("Half a sentence")


async def test_the_queue_without_scripts(site, drafted, enter):
    drafts, page = await drafted("Ash", "Birch"), await enter(Role.ADMIN, java_script_enabled=False)
    first, second = await in_order(page, drafts)
    await page.get_by_role("button", name="Approve and send").click()
    await expect(page.locator(".mail-head h2")).to_have_text(second.customer_name)
    await becomes(site, first, "approved")
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".mail-head h2")).to_have_text(first.customer_name)


async def test_keys_go_on_past_the_end_of_a_page(a_long_queue, enter):
    page = await enter(Role.APPROVER)
    await page.goto("/reminders")
    for number in range(1, 30):
        await page.keyboard.press("j")
        await expect(page.locator(".mail-head h2")).to_have_text(f"Long {number:02}")
    await expect(page.locator("[data-draft][aria-current]")).to_have_count(1)
    await page.get_by_label("Select all").check()
    await expect(page.locator("input[name=chosen]:checked")).to_have_count(30)


async def test_a_decision_keeps_the_focus_in_the_mail(drafted, enter):
    drafts, page = await drafted("Ash", "Birch"), await enter(Role.ADMIN)
    _, second = await in_order(page, drafts)
    await page.locator("#preview [data-key=a]").press("Enter")
    await expect(page.locator(".mail-head h2")).to_have_text(second.customer_name)
    await expect(page.locator("#preview :focus, #preview:focus")).to_have_count(1)
    await page.keyboard.press("r")
    await page.keyboard.type("They called.")
    await page.keyboard.press("Enter")
    await expect(page.locator("[data-draft]")).to_have_count(0)
    await expect(page.locator("body:focus")).to_have_count(0)
    assert await page.evaluate("document.activeElement !== document.body")
