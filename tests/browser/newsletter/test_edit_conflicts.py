"""Two tabs, a job that ends while a person types, an unavailable worker: what people wrote is kept."""

import asyncio

from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.desks.newsletter.service import drafts as draft_service
from almanac.desks.newsletter.service.access import open_newsletter

DEADLINE = 20


async def test_two_tabs_see_both_versions_of_the_configuration(enter, prepare, look):
    prepared = await prepare(upto="")
    first = await enter(Role.ADMIN)
    second = await first.context.new_page()
    for tab in (first, second):
        await tab.goto(f"{prepared.base}/configuration")
    await first.get_by_label("Title").fill("Written in the first tab")
    await expect(first.locator("#save-line")).to_contain_text("Saved")
    await second.get_by_label("Title").fill("Written in the second tab")
    conflict = second.locator("#configuration-conflict")
    await expect(conflict).to_contain_text("Written in the first tab")
    await expect(conflict).to_contain_text("Written in the second tab")
    await expect(second.locator("#save-line")).to_contain_text("Not saved")
    await look(second, "configuration-conflict-light-desktop")
    await second.get_by_role("button", name="Keep mine").click()
    await expect(second.get_by_role("heading", name="Written in the second tab")).to_be_visible()


async def test_two_tabs_see_both_texts_of_a_section(site, enter, prepare, look):
    prepared = await prepare()
    first = await enter(Role.ADMIN)
    second = await first.context.new_page()
    for tab in (first, second):
        await tab.goto(f"{prepared.base}/draft")
        await tab.get_by_role("link", name="Edit Introduction").click()
    await first.get_by_label("Text of Introduction").fill("Dear readers, from the first tab.")
    await expect(first.locator(".draft-editor .save-line")).to_contain_text("Saved")
    await second.get_by_label("Text of Introduction").fill("Dear readers, from the second tab.")
    both = second.get_by_role("table", name="Both versions").get_by_role("cell")
    await expect(both).to_have_text(["Dear readers, from the second tab.", "Dear readers, from the first tab."])
    await look(second, "section-conflict-light-desktop")
    await second.get_by_role("link", name="Take theirs").click()
    await expect(second.get_by_label("Text of Introduction")).to_have_value("Dear readers, from the first tab.")


async def test_what_is_typed_is_saved_when_the_tab_is_closed(site, enter, prepare):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    await page.get_by_role("link", name="Edit Introduction").click()
    await page.get_by_label("Text of Introduction").fill("Dear readers, typed at the last moment.")
    await page.goto("/")
    async with asyncio.timeout(DEADLINE):
        while True:
            full = await open_newsletter(site.services, prepared.author, prepared.code, consistent=True)
            if "typed at the last moment" in full.draft.draft.sections[0].text:
                break
            await asyncio.sleep(0.05)


async def test_a_section_written_anew_while_it_is_edited_keeps_the_edit(site, enter, prepare):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    full = await open_newsletter(site.services, prepared.author, prepared.code)
    section = full.draft.draft.sections[1]
    await page.get_by_role("link", name=f"Edit {section.name}").click()
    area = page.get_by_label(f"Text of {section.name}")
    await area.fill("Dear readers, these are my own words.")
    await expect(page.locator(f"#line-{section.id}")).to_contain_text("Saved")
    await draft_service.regenerate_section(
        site.services, prepared.author, prepared.code, section.id, instruction="Shorter, please."
    )
    await expect(page.get_by_text("A new text is ready")).to_be_visible()
    await expect(area).to_have_value("Dear readers, these are my own words.")
    await page.get_by_role("button", name="Done").click()
    await expect(page.get_by_role("heading", name="Proposed new text")).to_be_visible()
    await page.get_by_role("button", name="Keep mine").click()
    await expect(page.get_by_text("these are my own words").first).to_be_visible()
    await expect(page.get_by_role("heading", name="Proposed new text")).to_have_count(0)


async def test_a_step_waits_for_a_worker_and_goes_on_by_itself(site, enter, prepare):
    prepared = await prepare("retrieval")
    page = await enter(Role.ADMIN)
    async with site.crew.away():
        await page.goto(f"{prepared.base}/outline")
        await page.get_by_role("button", name="Generate the outline").click()
        await expect(page.get_by_text("Waiting for a worker")).to_be_visible()
        await page.reload()
        await expect(page.get_by_text("Making the outline")).to_be_visible()
    await expect(page.get_by_text("Written from").first).to_be_visible()


async def test_a_step_is_cancelled_and_what_was_there_stays(site, enter, prepare):
    prepared = await prepare("outline")
    page = await enter(Role.ADMIN)
    async with site.crew.away():
        await page.goto(f"{prepared.base}/outline")
        await page.get_by_role("button", name="Generate again").click()
        await page.get_by_role("button", name="Cancel").click()
        await expect(page.get_by_text("Cancelled; nothing was changed.")).to_be_visible()
        await expect(page.get_by_text("Written from").first).to_be_visible()
