"""Controls beside each other are of one height, numbers stay whole, and heads of pages leave room for what is read."""

from almanac.accounts.permissions import Role
from page_measures import LAPTOP, find_places, measure_overflow

PHONE, NARROW = {"width": 390, "height": 844}, {"width": 320, "height": 640}


async def test_actions_beside_a_title_are_of_one_height_and_come_before_nothing_that_is_read(enter, sittings):
    meeting, recap = sittings["sangiin-honkaigi"]
    page = await enter(Role.MEMBER, viewport=LAPTOP)
    for path in (f"bills/{recap.facts.bills[0].key}", f"people/{recap.participants[1].name}"):
        await page.goto(f"/recap/{path}?lang=ja")
        actions = await find_places(page, ".page-header .row :is(.button, summary)")
        assert len(actions) == 2
        assert len({round(bottom - top) for top, bottom in actions}) == 1
        assert len({round(top) for top, _ in actions}) == 1
    await page.goto(f"/recap/articles/{meeting.issue_id}?lang=ja")
    ((title, _),) = await find_places(page, "h1")
    ((description, _),) = await find_places(page, ".page-header .lead")
    actions = await find_places(page, ".page-header .row :is(.button, summary)")
    assert all(abs(top - title) < 20 and bottom <= description for top, bottom in actions)


async def test_a_number_beside_a_long_name_stays_on_its_line(enter, sittings):
    page = await enter(Role.MEMBER, viewport=LAPTOP)
    await page.goto("/recap/speeches?lang=ja")
    name = page.locator(".facet-list a > span:first-child").first
    await name.evaluate("node => { node.textContent = '会派の長い名前'.repeat(8); }")
    number = page.locator(".facet-list a > .number").first
    await number.evaluate("node => { node.textContent = '1,239'; }")
    assert await number.evaluate("node => node.getClientRects().length === 1 && node.offsetHeight < 32")


async def test_the_heading_beside_the_text_belongs_to_its_list(enter, sittings):
    _, recap = sittings["sangiin-honkaigi"]
    page = await enter(Role.MEMBER, viewport=LAPTOP)
    await page.goto(f"/recap/bills/{recap.facts.bills[0].key}?lang=ja")
    ((_, heading),) = await find_places(page, "#bill-people")
    ((names, _),) = await find_places(page, "#bill-people + .plain-list")
    assert names - heading <= 12


async def test_public_lists_begin_soon_after_their_names(browse, sittings):
    page = await browse(viewport=LAPTOP)
    for path in ("", "/speeches"):
        await page.goto(f"/public/ja/recap{path}")
        ((title, _),) = await find_places(page, "h1")
        assert (await find_places(page, "main .rows > li"))[0][0] - title <= 144
    for size in (PHONE, NARROW):
        await page.set_viewport_size(size)
        await page.goto("/public/ja/recap")
        controls = await find_places(page, "main .filters :is([type='search'], button, summary)")
        assert len({round(top) for top, _ in controls}) == 1
        assert await measure_overflow(page) == 0


async def test_days_to_collect_are_whole_on_a_phone(enter, sittings):
    page = await enter(Role.ADMIN, viewport=NARROW)
    await page.goto("/recap/tasks?lang=ja")
    widths = await page.eval_on_selector_all("[type='date']", "all => all.map(each => each.offsetWidth)")
    assert min(widths) >= 128
    assert await measure_overflow(page) == 0


async def test_sentences_of_an_excerpt_have_no_gap_between_them(enter, sittings):
    page = await enter(Role.MEMBER)
    await page.goto("/recap/speeches?lang=ja")
    words = await page.locator(".said-words").all_inner_texts()
    assert any("。" in text[:-1] for text in words)
    assert not any("。 " in text for text in words)
