"""The whole wizard as an editor uses it: four steps, live progress, sources next to the text, and an exported file."""

import re

import pytest
from playwright.async_api import expect

from almanac.accounts.permissions import Role


async def begin(page, title="Horn of Africa weekly"):
    await page.goto("/newsletter")
    await page.get_by_role("link", name="New newsletter").click()
    await page.get_by_label("Title").fill(title)
    await page.get_by_role("button", name="Create newsletter").click()
    await page.wait_for_url("**/configuration")


async def test_four_steps_on_a_small_knowledge_base(knowledge, enter):
    page = await enter(Role.EDITOR)
    await begin(page)
    await page.get_by_label("Policy makers").check()
    await page.get_by_label(re.compile("Friendly summary")).check()
    await expect(page.locator("#field-tone_professional")).to_have_value("30")
    await page.get_by_label(re.compile("Quick read")).check()
    await expect(page.locator("#outlook")).to_contain_text("400 to 600 words for yourself and policy makers")
    await expect(page.locator("#save-line")).to_contain_text(re.compile(r"Saved (just now|\d+ s ago)"))
    await page.get_by_role("button", name="Choose topics").click()
    await expect(page.get_by_text("Recommended").first).to_be_visible()
    for topic in ("Policy Updates", "Food Security", "Livestock", "Funding Opportunities"):
        await page.get_by_label(topic).check()
    await page.get_by_label("Your own topics").fill("boreholes")
    await page.get_by_role("button", name="Retrieve sources").click()
    await expect(page.get_by_role("heading", name="Coverage")).to_be_visible()
    await expect(page.get_by_text(re.compile(r"(\d+) of \1 included"))).to_be_visible()
    await page.locator(".passage-card input[type=checkbox]").first.uncheck()
    await expect(page.locator("#chunks-line")).to_contain_text("Saved")
    await page.get_by_role("link", name="Continue to outline").click()
    await page.get_by_role("button", name="Generate the outline").click()
    await expect(page.get_by_text("Written from").first).to_be_visible()
    await page.get_by_role("link", name="Continue to draft").click()
    await page.get_by_role("button", name="Write the draft").click()
    await expect(page.get_by_text("The rules found nothing to change.")).to_be_visible()
    await page.get_by_role("link", name=re.compile("Source 1")).first.click()
    await expect(page.locator("#reader-source mark")).to_be_visible()
    await expect(page.locator("#reader-source")).to_be_focused()
    await page.keyboard.press("Escape")
    await expect(page.get_by_role("link", name=re.compile("Source 1")).first).to_be_focused()
    await page.get_by_role("link", name="Continue to export").click()
    await page.get_by_role("button", name="Make PDF").click()
    await expect(page.get_by_text("from revision 1")).to_be_visible()
    async with page.expect_download() as started:
        await page.get_by_role("link", name="Download").click()
    assert (await started.value).suggested_filename.endswith(".pdf")
    await page.get_by_role("link", name="Preview").click()
    await page.get_by_role("button", name="Send a test to myself").click()
    await expect(page.get_by_text("Test mail sent to")).to_be_visible()


async def test_the_arrow_keys_reorder_the_outline(enter, prepare):
    prepared = await prepare("outline")
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/outline")
    sections = page.locator(".outline-section h2")
    await expect(sections.nth(1)).to_have_text("Main Content")
    await page.get_by_role("button", name="Move Main Content down").focus()
    await page.keyboard.press("Alt+ArrowDown")
    await expect(sections.nth(2)).to_have_text("Main Content")
    await expect(page.get_by_role("button", name="Move Main Content down")).to_be_focused()
    await page.keyboard.press("Alt+ArrowUp")
    await expect(sections.nth(1)).to_have_text("Main Content")
    await page.reload()
    await expect(sections.nth(1)).to_have_text("Main Content")


async def test_a_section_is_dragged_and_an_item_removed_and_put_back(enter, prepare):
    prepared = await prepare("outline")
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/outline")
    sections = page.locator(".outline-section h2")
    handle = page.locator(".outline-section").nth(1).locator("[data-handle]").first
    await handle.drag_to(page.locator(".outline-section").first, target_position={"x": 40, "y": 5})
    await expect(sections.first).to_have_text("Main Content")
    title = await page.locator(".outline-item h3").first.inner_text()
    await page.get_by_role("button", name=f"Remove {title}").click()
    await expect(page.locator(".outline-item h3").get_by_text(title)).to_have_count(0)
    await page.get_by_role("button", name="Undo").click()
    await expect(page.locator(".outline-item h3").get_by_text(title)).to_be_visible()


async def test_a_section_is_written_anew_in_its_place(enter, prepare, leave_item_out):
    prepared = await prepare()
    await leave_item_out(prepared)
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    section = page.locator("#section-section-2")
    await section.get_by_text("Rewrite this section").click()
    await section.get_by_label("What to do differently").fill("Shorter")
    await section.get_by_role("button", name="Rewrite", exact=True).click()
    await expect(page.get_by_text("revision 2")).to_be_visible()
    await expect(section.locator("a[data-reference]").first).to_be_visible()
    await page.get_by_role("link", name="Revisions").click()
    await expect(page.get_by_text("Wrote Main Content")).to_be_visible()


async def test_an_unsupported_sentence_stands_in_the_way_until_it_is_mended(enter, prepare, look):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/draft")
    await page.get_by_role("link", name="Edit Conclusion").click()
    area = page.get_by_label("Text of Conclusion")
    await expect(page.locator("#count-section-6")).to_contain_text("min to read")
    await area.fill("Prices rose by 912 percent.[@1]")
    await expect(page.locator("#count-section-6")).to_have_text("5 words, 1 min to read")
    await page.get_by_role("button", name="Done").click()
    await expect(page.locator(".fault")).to_contain_text("912 percent")
    await look(page, "draft-fault-light-desktop")
    await page.get_by_role("button", name="Complete").click()
    alert = page.get_by_role("alert")
    await expect(alert).to_contain_text("It can't be completed yet")
    await alert.get_by_role("link").first.click()
    await expect(page.locator(".fault:target")).to_be_in_viewport()
    await page.get_by_role("link", name="Edit Conclusion").click()
    await area.fill("Thank you for reading.")
    await page.get_by_role("button", name="Done").click()
    await page.get_by_role("button", name="This is my own sentence").press("Enter")
    await expect(page.get_by_text("Marked as your own")).to_be_visible()
    await expect(page.locator("#draft-checks")).to_contain_text("1 your own")
    await look(page, "draft-own-light-desktop")
    await page.get_by_role("button", name="Complete").click()
    await expect(page.get_by_text("Newsletter completed")).to_be_visible()


@pytest.mark.parametrize("viewport", [{"width": 1280, "height": 800}, {"width": 390, "height": 844}])
async def test_the_primary_action_of_each_step_is_in_view(enter, prepare, viewport):
    prepared = await prepare()
    page = await enter(Role.ADMIN, viewport=viewport)
    for step in ("configuration", "topics", "outline", "draft"):
        await page.goto(f"{prepared.base}/{step}")
        action = await page.locator(".step-actions .button-primary").bounding_box()
        assert action["y"] + action["height"] <= viewport["height"], step
    await page.goto(f"{prepared.base}/draft")
    tabs = await page.locator("#step > .tabs").bounding_box()
    assert tabs["y"] + tabs["height"] <= (210 if viewport["width"] > 1000 else 290)


async def test_the_export_page_says_how_much_people_checked(enter, prepare):
    prepared = await prepare()
    page = await enter(Role.ADMIN)
    await page.goto(f"{prepared.base}/read?sentence=1")
    await page.keyboard.press("Space")
    await expect(page.locator("#reader-rail p")).to_have_text(re.compile("^1 of "))
    await page.goto(f"{prepared.base}/export")
    await expect(page.locator("#checked-by-people")).to_contain_text(
        re.compile(r"1 of \d+ sentences checked by a person")
    )
    await expect(page.get_by_role("button", name="Make PDF")).to_be_enabled()
