"""An editor corrects a sentence in the browser; a reader sees the note, what it said before, and what it says now."""

from playwright.async_api import expect

from almanac.accounts.permissions import Role
from page_measures import measure_overflow

NOTE = "この文は別の発言についてのものでした。"


async def test_a_correction_from_the_article_to_the_reader_and_back(enter, sittings):
    meeting, recap = sittings["sangiin-honkaigi"]
    point = recap.key_points[-1].text
    editor = await enter(Role.EDITOR)
    await editor.goto(f"/recap/articles/{meeting.issue_id}")
    await editor.get_by_role("link", name="Correct or withdraw").click()
    choices = editor.get_by_label("What to correct")
    values = await choices.locator("option").evaluate_all("all => all.map(each => [each.value, each.textContent])")
    await choices.select_option(next(value for value, words in values if point[:20] in words))
    await editor.get_by_label("How").select_option("removed")
    await editor.get_by_label("Note for readers").fill(NOTE)
    await editor.get_by_role("button", name="Correct", exact=True).click()
    await expect(editor.locator("del", has_text=point)).to_be_visible()

    reader = await enter(Role.MEMBER, viewport={"width": 320, "height": 640})
    await reader.goto(f"/recap/articles/{meeting.issue_id}")
    await expect(reader.get_by_text(NOTE)).to_be_visible()
    assert await measure_overflow(reader) == 0
    await reader.get_by_role("link", name="What it said before, and what it says now").click()
    await expect(reader.locator("del", has_text=point)).to_be_visible()
    await expect(reader.get_by_role("button", name="Withdraw")).to_have_count(0)
    assert await measure_overflow(reader) == 0

    await editor.get_by_role("button", name="Take back").click()
    await expect(editor.get_by_text("Taken back", exact=True)).to_be_visible()
    await reader.goto(f"/recap/articles/{meeting.issue_id}")
    await expect(reader.get_by_text(NOTE)).to_have_count(0)
