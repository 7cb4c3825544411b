"""Step 3 as a page: every edit of the outline by a plain form, and undo."""

import re

import pytest

SECTION = re.compile(r'data-arrange="section"\s+data-id="([^"]*)"')
ITEM = re.compile(r'data-arrange="item"\s+data-id="([^"]*)"')


@pytest.fixture
async def desk(begin):
    desk = await begin()
    await desk.send("outline/paste", {"text": "# Rain\n- Forecast\n- Boreholes\n# Markets\n- Maize"}, page="outline")
    return desk


def names(page):
    return re.findall(r"<h2>([^<]*)</h2>", page)


def titles(page):
    return re.findall(r"<h3>([^<]*)</h3>", page)


async def test_an_outline_is_pasted(desk):
    page = await desk.see("outline")
    assert names(page) == ["Rain", "Markets"]
    assert titles(page) == ["Forecast", "Boreholes", "Maize"]


async def test_a_text_without_an_outline_is_refused_and_kept(desk):
    answer = await desk.send("outline/paste", {"text": "---"}, page="outline")
    assert answer.status_code == 400
    assert "This text has no outline" in answer.text
    assert "---</textarea>" in answer.text


async def test_sections_and_items_are_added_and_renamed(desk):
    await desk.send("outline/sections", {"name": "Events"}, page="outline")
    section = SECTION.findall(await desk.see("outline"))[2]
    await desk.send("outline/items", {"section_id": section, "title": "Forum in Kampala"}, page="outline")
    await desk.send(f"outline/sections/{section}", {"name": "Dates", "notes": "Soonest first"}, page="outline")
    page = await desk.see("outline")
    assert names(page) == ["Rain", "Markets", "Dates"]
    assert "Forum in Kampala" in titles(page)
    assert "Soonest first" in page


async def test_pieces_move_by_one_and_to_a_place(desk):
    page = await desk.see("outline")
    rain, markets = SECTION.findall(page)
    maize = ITEM.findall(page)[2]
    await desk.send("outline/move", {"item_id": maize, "to": "up"}, page="outline")
    assert titles(await desk.see("outline")) == ["Forecast", "Boreholes", "Maize"]
    await desk.send("outline/move", {"item_id": maize, "section_id": rain, "position": "0"}, page="outline")
    assert titles(await desk.see("outline")) == ["Maize", "Forecast", "Boreholes"]
    await desk.send("outline/move", {"section_id": markets, "to": "up"}, page="outline")
    assert names(await desk.see("outline")) == ["Markets", "Rain"]
    await desk.send("outline/move", {"section_id": markets, "to": "up"}, page="outline")
    assert names(await desk.see("outline")) == ["Markets", "Rain"]


async def test_what_was_removed_is_put_back_exactly(desk):
    before = await desk.see("outline")
    section = SECTION.findall(before)[0]
    answer = await desk.send("outline/remove", {"section_id": section}, page="outline")
    assert f'action="{desk.base}/outline/undo"' in answer.text
    assert names(await desk.see("outline")) == ["Markets"]
    await desk.send("outline/undo")
    page = await desk.see("outline")
    assert names(page) == names(before)
    assert ITEM.findall(page) == ITEM.findall(before)


async def test_nothing_is_put_back_over_a_later_change(desk):
    item = ITEM.findall(await desk.see("outline"))[0]
    await desk.send("outline/remove", {"item_id": item}, page="outline")
    await desk.send("outline/sections", {"name": "Later"}, page="outline")
    answer = await desk.send("outline/undo")
    assert answer.status_code == 409
    assert "there is nothing to undo" in answer.text


async def test_a_piece_is_left_out_and_included_again(desk):
    item = ITEM.findall(await desk.see("outline"))[0]
    await desk.send("outline/include", {"item_id": item, "included": ""}, page="outline")
    assert "2 items" in await desk.see("outline")
    await desk.send("outline/include", {"item_id": item, "included": "yes"}, page="outline")
    assert "3 items" in await desk.see("outline")


async def test_a_stale_change_is_refused_in_words(desk):
    answer = await desk.send("outline/sections", {"name": "Late", "version": "0"})
    assert answer.status_code == 412
    assert "Someone else changed this" in answer.text
    in_place = await desk.send_in_place("outline/sections", {"name": "Late", "version": "0"})
    assert in_place.status_code == 412
    assert in_place.json()["detail"].startswith("Someone else changed this")


async def test_sources_are_pinned_to_an_item_and_survive_a_generation(outlined_desk):
    page = await outlined_desk.see("outline")
    item = ITEM.findall(page)[1]
    opened = await outlined_desk.see(f"outline?edit={item}")
    sources = re.findall(r'name="sources" value="([^"]*)"', opened)
    fields = {"title": "My own words", "notes": "Begin with figures", "sources": sources[:2]}
    await outlined_desk.send(f"outline/items/{item}", fields, page="outline")
    await outlined_desk.send("outline/generate")
    page = await outlined_desk.until_done("outline")
    assert "My own words" in titles(page)
    assert "Begin with figures" in page
