"""The source reader: sentences walked by keys, their words in view, verdicts by Space, a sheet on phones."""

import asyncio
import contextlib
import re

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import expect

from almanac.accounts.permissions import Role
from almanac.desks.recap.model.identity import article_id_for

PHONE = {"width": 390, "height": 844}
RAIL = re.compile(r"\d+ of \d+ checked")
# Animations that follow scrolling never end.
MOTION_IS_OVER = """() => Promise.all(
  document.getAnimations().filter((each) => each.timeline === document.timeline).map((each) => each.finished)
).then(() => {})"""


@pytest.fixture
def address(sittings):
    """The reader of a sitting at its key points."""
    meeting, _ = sittings["sangiin-honkaigi"]
    return f"/recap/articles/{article_id_for(meeting)}/read"


async def place_of_words(page):
    """How far below the upper edge of the source the marked words begin, and how high the source is."""
    return await page.evaluate(
        """() => {
          const source = document.getElementById("reader-source").getBoundingClientRect();
          const words = document.getElementById("words").getBoundingClientRect();
          return [words.top - source.top, source.height];
        }"""
    )


async def settled(page, number):
    """Wait until a sentence is the chosen one and its source is there."""
    await expect(page.locator(f"#s-{number}")).to_have_attribute("aria-current", "true")
    text = await page.locator(f"#s-{number} a").inner_text()
    await expect(page.locator(".reader-quote")).to_have_text(text)


async def test_keys_walk_the_sentences_and_space_is_the_verdict(enter, address):
    page = await enter(Role.EDITOR)
    await page.goto(f"{address}?part=points&sentence=1")
    rail = page.locator("#reader-rail p")
    await expect(rail).to_have_text(re.compile("^0 of "))
    for number in (2, 3):
        await page.keyboard.press("j")
        await settled(page, number)
        await expect(page).to_have_url(re.compile(f"sentence={number}$"))
        top, height = await place_of_words(page)
        assert 0 <= top < height * 0.7
    await page.keyboard.press("k")
    await settled(page, 2)
    await page.keyboard.press("Space")
    await expect(rail).to_have_text(re.compile("^1 of "))
    await expect(page.locator("#s-2")).to_have_class(re.compile("is-checked"))
    await expect(page.locator("#s-2")).to_have_attribute("aria-current", "true")
    await expect(page.locator("#s-2")).to_be_focused()
    await expect(page.get_by_text("Checked by Ada Lovelace")).to_be_visible()
    await page.keyboard.press("j")
    await settled(page, 3)
    await page.keyboard.press("k")
    await settled(page, 2)
    await page.keyboard.press("Space")
    await expect(rail).to_have_text(re.compile("^0 of "))


async def test_marked_words_far_down_a_long_speech_are_in_view(enter, address):
    page = await enter(Role.EDITOR, viewport={"width": 1280, "height": 520})
    await page.goto(f"{address}?part=speeches")
    rows = await page.locator(".reader-sentence").count()
    scrolled = []
    for number in range(1, min(rows, 14) + 1):
        await page.locator(f"#s-{number} a").click()
        await settled(page, number)
        if await page.locator("#words").count():
            top, height = await place_of_words(page)
            assert -1 <= top < height, (number, top, height)
        scrolled.append(await page.evaluate("document.getElementById('reader-source').scrollTop"))
    assert max(scrolled) > 0


async def test_the_last_sentence_asked_for_is_the_one_shown(enter, address):
    """The answer for the first sentence comes after the second one was asked for, and shows nothing."""
    page = await enter(Role.EDITOR)
    await page.goto(f"{address}?part=points&sentence=3")
    asked, release = asyncio.Event(), asyncio.Event()

    async def answer_late(route):
        asked.set()
        await release.wait()
        with contextlib.suppress(PlaywrightError):  # the page has let go of the request
            await route.continue_()

    await page.route(re.compile("sentence=1$"), answer_late)
    await page.locator("#s-1 a").click()
    await asked.wait()
    await page.locator("#s-2 a").click()
    release.set()
    await settled(page, 2)
    await expect(page).to_have_url(re.compile("sentence=2$"))
    await page.locator("#s-1 a").click()
    await settled(page, 1)


async def test_the_button_of_the_article_counts_what_is_checked(enter, address):
    page = await enter(Role.EDITOR)
    await page.goto(f"{address}?part=plain&sentence=1")
    await page.get_by_role("button", name="I checked this").click()
    await expect(page.locator("#s-1")).to_have_class(re.compile("is-checked"))
    checked = await page.locator("#reader-rail strong").inner_text()
    await page.goto(address.removesuffix("/read") + "?level=plain")
    await page.get_by_role("link", name=f"Check against the sources ({checked})").click()
    await page.wait_for_url("**/read?part=plain")
    await expect(page.locator("#s-1")).to_have_class(re.compile("is-checked"))
    first = page.locator(".reader-sentence:not(.is-checked)").first
    await expect(first).to_have_attribute("aria-current", "true")


async def test_on_a_phone_the_source_rises_from_below(enter, address, look):
    page = await enter(Role.EDITOR, viewport=PHONE)
    await page.goto(address)
    pane = page.locator("#reader-pane")
    await expect(pane).to_be_hidden()
    await page.locator("#s-4 a").click()
    await expect(pane).to_be_visible()
    await settled(page, 4)
    await page.evaluate(MOTION_IS_OVER)
    box = await pane.bounding_box()
    assert abs(box["y"] + box["height"] - PHONE["height"]) <= 1
    assert box["height"] <= PHONE["height"] * 0.63
    sentence = await page.locator("#s-4").bounding_box()
    assert 0 < sentence["y"] < sentence["y"] + sentence["height"] <= box["y"]
    top, height = await place_of_words(page)
    assert 0 <= top < height
    await look(page, "reader-phone")
    await page.get_by_role("link", name="Close the source").click()
    await expect(pane).to_be_hidden()
    await expect(page.locator("#s-4 a")).to_be_focused()


async def test_without_scripts_a_sentence_opens_its_source(enter, address):
    page = await enter(Role.EDITOR, java_script_enabled=False)
    await page.goto(f"{address}?part=detailed")
    await page.locator("#s-3 a").click()
    await page.wait_for_url("**sentence=3#words")
    assert await page.locator("#s-3").get_attribute("aria-current") == "true"
    await page.get_by_role("button", name="I checked this").click()
    await page.wait_for_url("**sentence=3")
    assert RAIL.fullmatch(" ".join((await page.locator("#reader-rail p").inner_text()).split()))
    await page.get_by_role("button", name="Take back").click()
    assert await page.get_by_role("button", name="I checked this").is_visible()


async def test_a_wide_screen_shows_text_and_source_side_by_side(enter, address, look):
    page = await enter(Role.EDITOR, viewport={"width": 1600, "height": 900})
    await page.goto(f"{address}?sentence=1")
    await expect(page.locator("#reader-pane")).to_be_visible()
    text, pane = [await page.locator(name).bounding_box() for name in (".reader-text", "#reader-pane")]
    assert text["x"] + text["width"] <= pane["x"]
    assert pane["x"] + pane["width"] > 1400
    assert pane["y"] + pane["height"] <= 900
    assert await page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    check = await page.get_by_role("button", name="I checked this").bounding_box()
    assert check["y"] + check["height"] <= 900
    await look(page, "reader-wide")
