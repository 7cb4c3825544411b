"""A citizen finds a meeting, reads it, follows references and reports an error, with scripts and without."""

import re

import pytest
from playwright.async_api import expect

from almanac.accounts.permissions import Role
from page_measures import LAPTOP, count_longest_line, find_places, measure_overflow

SIZES = {"desktop": {"width": 1280, "height": 860}, "phone": {"width": 320, "height": 640}}


async def find_meeting(page, title):
    """From the first page by words and a facet to the article."""
    await page.goto("/recap?lang=ja")
    await page.get_by_role("searchbox", name="会議を検索").fill("交通")
    await page.get_by_role("button", name="検索").click()
    facet = page.get_by_role("complementary").get_by_role("link", name=re.compile("衆議院"))
    await facet.click()
    await expect(page.get_by_role("link", name="この条件を外す")).to_have_count(2)
    await page.get_by_role("link", name=title).click()
    await expect(page.get_by_role("heading", level=1)).to_have_text(title)


async def test_from_the_first_page_to_the_words_of_a_speech(enter, sittings):
    meeting, recap = sittings["chiiki-kotsu-iinkai"]
    page = await enter(Role.MEMBER)
    await find_meeting(page, recap.title)

    await page.get_by_role("link", name="くわしく").click()
    await expect(page.get_by_role("link", name="くわしく")).to_have_attribute("aria-current", "page")
    assert "level=detailed" in page.url
    reference = page.locator("#reading a.reference").first
    order = await reference.get_attribute("data-speech")
    await reference.click()
    speech = page.locator(f"#speech-{order}")
    await expect(speech).to_be_in_viewport()
    if await speech.locator("details").count():
        await expect(speech.locator("details")).to_have_attribute("open", "")

    await page.get_by_role("searchbox", name="この会議の中を検索").fill("路線バス")
    await expect(page.locator("#speeches mark").first).to_have_text("路線バス")
    assert "within=" in page.url
    assert "level=detailed" in page.url
    hidden = next(candidate.order for candidate in meeting.spoken if "路線バス" not in candidate.text)
    await expect(page.locator(f"#speech-{hidden}")).to_have_count(0)
    shown = page.locator("#reading a.reference")
    orders = {int(await shown.nth(at).get_attribute("data-speech")): at for at in range(await shown.count())}
    gone = next((order for order in orders if "路線バス" not in meeting.by_order[order].text), None)
    if gone is not None:
        await shown.nth(orders[gone]).click()
        await expect(page.locator(f"#speech-{gone}")).to_be_in_viewport()


async def test_names_are_offered_while_they_are_typed(enter, sittings):
    _, recap = sittings["chiiki-kotsu-iinkai"]
    name = recap.participants[1].name
    page = await enter(Role.MEMBER)
    await page.goto("/recap/articles?lang=ja")
    await page.get_by_text("条件", exact=True).click()
    await page.get_by_label("人名").fill(name[:2])
    await expect(page.locator(f'datalist option[value="{name}"]')).to_have_count(1)


async def test_an_explained_word_is_reached_by_keyboard(enter, sittings):
    page = await enter(Role.MEMBER)
    for meeting, _ in sittings.values():
        for level in ("points", "plain", "detailed"):
            await page.goto(f"/recap/articles/{meeting.issue_id}?lang=ja&level={level}")
            if await page.locator("button.term").count():
                await page.locator("button.term").first.focus()
                await page.keyboard.press("Enter")
                await expect(page.locator("[popover].term-note:popover-open")).to_be_visible()
                await page.keyboard.press("Escape")
                await expect(page.locator("[popover].term-note:popover-open")).to_have_count(0)
                return
    pytest.fail("No sitting explains a word.")


async def test_everything_works_without_scripts(enter, sittings):
    _, recap = sittings["chiiki-kotsu-iinkai"]
    page = await enter(Role.MEMBER, java_script_enabled=False)
    await find_meeting(page, recap.title)
    await page.get_by_role("link", name="やさしく").click()
    await expect(page.get_by_role("link", name="やさしく")).to_have_attribute("aria-current", "page")
    reference = page.locator("#reading a.reference").first
    order = await reference.get_attribute("data-speech")
    await reference.click()
    assert page.url.endswith(f"#speech-{order}")
    await expect(page.locator(f"#speech-{order}")).to_be_in_viewport()
    await page.get_by_label("発言の種類").select_option("答弁")
    await page.get_by_role("search", name="発言を絞り込む").get_by_role("button").click()
    answers = [candidate for candidate in recap.dialogs if candidate.reaction == "答弁"]
    await expect(page.locator(".speech")).to_have_count(len(answers))
    await page.locator(".speech").first.get_by_role("link", name="誤りを報告").click()
    await page.get_by_label("どこが違いますか").fill("金額が違います。")
    await page.get_by_role("button", name="報告を送る").click()
    await expect(page.get_by_role("status").filter(has_text="ありがとうございます")).to_be_visible()


@pytest.mark.parametrize(
    ("theme", "size", "lang", "pages"), [("light", "desktop", "ja", 12), ("dark", "phone", "en", 6)]
)
async def test_pages_look_right(enter, sittings, look, theme, size, lang, pages):
    """Fewer pages the second time: the rest differ from these in nothing that colours or widths could spoil."""
    meeting, recap = sittings["sangiin-honkaigi"]
    page = await enter(Role.ADMIN, color_scheme=theme, viewport=SIZES[size])
    article = f"/recap/articles/{meeting.issue_id}"
    paths = {
        "home": "/recap",
        "list": "/recap/articles?house=参議院&q=交通",
        "points": article,
        "person": f"/recap/people/{recap.participants[1].name}",
        "tasks": "/recap/tasks",
        "bill": f"/recap/bills/{recap.facts.bills[0].key}",
        "detailed": f"{article}?level=detailed&within=予算",
        "report": f"{article}/report?order=2",
        "reports": "/recap/reports",
        "versions": f"{article}/versions",
        "people": "/recap/people",
        "bills": "/recap/bills",
    }
    for name, path in list(paths.items())[:pages]:
        await page.goto(f"{path}{'&' if '?' in path else '?'}lang={lang}")
        await look(page, f"recap-{name}-{theme}-{size}")


@pytest.mark.parametrize("path", ["", "/articles", "/people", "/bills", "/tasks", "/reports"])
async def test_every_list_begins_near_the_top(site, enter, sittings, path):
    """Where nothing needs a person: a source that another test could not reach is told above the list."""
    async with site.services.database.unit() as unit:
        await unit.execute("DELETE FROM recap_sources")
    page = await enter(Role.ADMIN, viewport=LAPTOP)
    await page.goto(f"/recap{path}?lang=en")
    content = await find_places(page, "main :is(.rows, .meetings, .people-list, .table-scroll, .empty)")
    assert content[0][0] <= 200


async def test_a_meeting_takes_two_lines_of_a_list(enter, sittings):
    page = await enter(Role.MEMBER, viewport=LAPTOP)
    await page.goto("/recap/articles?lang=en")
    row = page.locator("main .rows > [data-row]").first
    await expect(row).to_contain_text("House of Councillors")
    await expect(row.locator("time")).to_contain_text("2026")
    heights = sorted(bottom - top for top, bottom in await find_places(page, "main .rows > [data-row]"))
    # A title that is longer than a line takes one more.
    assert heights[0] <= 64
    assert heights[-1] <= 90
    await page.keyboard.press("j")
    await expect(row).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.locator("#reading")).to_be_visible()


async def test_the_language_is_chosen_in_one_menu_of_own_names(enter, sittings):
    page = await enter(Role.MEMBER, viewport=LAPTOP, locale="en-GB")
    await page.goto("/recap/people")
    menu = page.locator("details.read-in")
    await menu.get_by_text("Read in English").click()
    assert await menu.get_by_role("link").all_inner_texts() == [
        "English",
        "日本語",
        "简体中文",
        "Bahasa Melayu",
        "Deutsch",
    ]
    await menu.get_by_role("link", name="日本語").click()
    await page.goto("/recap")
    await expect(menu.locator("summary")).to_contain_text("日本語")


async def test_decisions_are_in_view_and_the_sides_come_last_on_a_phone(enter, sittings):
    meeting, _ = sittings["sangiin-honkaigi"]
    page = await enter(Role.MEMBER, viewport=LAPTOP)
    await page.goto(f"/recap/articles/{meeting.issue_id}?lang=en")
    ((_, bottom),) = await find_places(page, ".decided")
    assert bottom <= LAPTOP["height"]
    (about, reading) = await find_places(page, "#reading, .article-side")
    assert about[0] == reading[0]
    await page.set_viewport_size(SIZES["phone"])
    (minutes,) = await find_places(page, ".article-minutes")
    (side,) = await find_places(page, ".article-side")
    assert side[0] >= minutes[1]
    assert await measure_overflow(page) == 0


async def test_a_wide_screen_gives_room_but_no_longer_lines(enter, sittings):
    meeting, _ = sittings["sangiin-honkaigi"]
    page = await enter(Role.MEMBER, viewport={"width": 1720, "height": 900})
    await page.goto(f"/recap/articles/{meeting.issue_id}?lang=en&level=plain")
    assert await page.evaluate("document.querySelector('main').getBoundingClientRect().width") == 1440
    assert await count_longest_line(page, ".reading > p") <= 70
