"""A citizen looks for words and finds who said them: the list of speeches in every size, scheme and both languages."""

import re

import pytest
from playwright.async_api import expect

from almanac.accounts.permissions import Role
from page_measures import measure_overflow

SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}


async def test_from_words_to_the_speech_itself(enter, sittings):
    page = await enter(Role.MEMBER)
    await page.goto("/recap/articles?q=路線バス&lang=ja")
    await page.get_by_role("link", name="この語句を含む発言").click()
    rows = page.locator("li.said")
    await expect(rows.first.locator("mark").first).to_have_text("路線バス")
    meeting, _ = sittings["chiiki-kotsu-iinkai"]
    spoken = next(speech for speech in meeting.spoken if "路線バス" in speech.text and speech.group)
    facet = page.get_by_role("complementary").get_by_role("link", name=re.compile(spoken.speaker))
    await facet.click()
    await expect(page.get_by_role("link", name=re.compile("人名.*外す"))).to_have_count(1)
    names = await rows.locator("h2 a").all_inner_texts()
    assert set(names) == {spoken.speaker}
    await rows.last.locator("h2 a").click()
    await expect(page.locator("li.speech:target")).to_be_in_viewport()


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["ja", "en"])
async def test_the_list_fits(enter, sittings, size, scheme, language):
    page = await enter(Role.MEMBER)
    await page.set_viewport_size(SIZES[size])
    await page.emulate_media(color_scheme=scheme)
    await page.goto(f"/recap/speeches?q=法律案&order=relevance&lang={language}")
    await expect(page.locator("li.said").first).to_be_visible()
    assert await measure_overflow(page) <= 0
    first = await page.locator("li.said").first.bounding_box()
    assert first["y"] < SIZES[size]["height"]
