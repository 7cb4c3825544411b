"""Step 3 through the API: every edit of the outline, with an exact record of what a person changed."""

import pytest

PATH = "/api/v1/newsletters"


@pytest.fixture
async def code(editor):
    return await editor.begin()


async def add(editor, code, **item):
    answer = await editor.http.post(f"{PATH}/{code}/outline/items", json={"section_id": "section-1", **item})
    assert answer.status_code == 201, answer.text
    return answer.json()


async def items(editor, code, at=0):
    return [item["title"] for item in (await editor.get(f"{code}/outline"))["sections"][at]["items"]]


async def test_an_item_brings_the_usual_sections_with_it(editor, code):
    made = await add(editor, code, title="Welcome")
    outline = await editor.get(f"{code}/outline")
    assert (made["id"], made["source"]) == ("custom-item-1", "custom")
    assert [section["name"] for section in outline["sections"]] == [
        "Introduction",
        "Main Content",
        "Updates & News",
        "Opportunities",
        "Resources",
        "Conclusion",
    ]
    assert [section["order"] for section in outline["sections"]] == [1, 2, 3, 4, 5, 6]
    assert outline["user_modifications"] == {"items_added": ["custom-item-1"], "items_removed": [], "items_edited": []}


async def test_an_item_is_edited_moved_and_removed(editor, code):
    first = await add(editor, code, title="First")
    await add(editor, code, title="Second", position=0)
    assert await items(editor, code) == ["Second", "First"]
    item = f"{code}/outline/items/{first['id']}"
    change = {"title": "Last", "notes": "Keep it short", "included": False, "section_id": "section-6"}
    moved = await editor.send("PATCH", item, change, of=f"{code}/outline")
    assert moved.status_code == 200
    (last,) = moved.json()["sections"][5]["items"]
    assert (last["title"], last["notes"], last["included"]) == ("Last", "Keep it short", False)
    assert await items(editor, code) == ["Second"]
    gone = await editor.send("DELETE", item, of=f"{code}/outline")
    assert gone.json()["user_modifications"]["items_added"] == ["custom-item-2"]


async def test_an_edit_needs_the_version_it_was_made_on(editor, code):
    made = await add(editor, code, title="First")
    item = f"{code}/outline/items/{made['id']}"
    assert (await editor.send("PATCH", item, {"title": "Other"})).status_code == 428
    assert (await editor.send("PATCH", item, {"title": "Other"}, version=7)).status_code == 412
    assert (await editor.send("DELETE", item, version=7)).status_code == 412
    assert await items(editor, code) == ["First"]


async def test_sections_are_added_renamed_moved_excluded_and_removed(editor, code):
    added = await editor.send("POST", f"{code}/outline/sections", {"name": "Letters", "position": 1})
    assert added.json()["sections"][1]["name"] == "Letters"
    section = f"{code}/outline/sections/{added.json()['sections'][1]['id']}"
    change = {"name": "Letters to us", "included": False, "notes": "Two at most", "position": 6}
    changed = (await editor.send("PATCH", section, change, of=f"{code}/outline")).json()["sections"][6]
    assert (changed["name"], changed["included"], changed["notes"]) == ("Letters to us", False, "Two at most")
    assert len((await editor.send("DELETE", section, of=f"{code}/outline")).json()["sections"]) == 6


async def test_a_whole_outline_is_taken_with_account_of_what_differs(editor, code):
    await add(editor, code, title="Stays")
    leaves = await add(editor, code, title="Leaves")
    outline = await editor.get(f"{code}/outline")
    sections = [{key: section[key] for key in ("id", "name", "items")} for section in outline["sections"][:2]]
    sections[0]["items"] = [item for item in sections[0]["items"] if item["id"] != leaves["id"]]
    sections.append({"name": "New", "items": [{"title": "Fresh"}]})
    answer = await editor.send("PUT", f"{code}/outline", {"sections": sections}, of=f"{code}/outline")
    assert answer.status_code == 200, answer.text
    assert [section["name"] for section in answer.json()["sections"]] == ["Introduction", "Main Content", "New"]
    assert answer.json()["user_modifications"] == {
        "items_added": ["custom-item-1", "custom-item-3"],
        "items_removed": [],
        "items_edited": [],
    }


async def test_an_outline_is_pasted_as_text(editor, code):
    text = "# Watch\n\n## What happened\n- Rains failed in Somalia\n- Prices rose\n\n## What next\n1. Forecasts\n"
    answer = await editor.send("PUT", f"{code}/outline", {"text": text}, version=0)
    assert [
        (section["name"], [item["title"] for item in section["items"]]) for section in answer.json()["sections"]
    ] == [("What happened", ["Rains failed in Somalia", "Prices rose"]), ("What next", ["Forecasts"])]


@pytest.mark.parametrize(
    ("wish", "sentence"),
    [
        ({}, "Send either sections or text."),
        ({"text": "a", "sections": []}, "Send either sections or text."),
    ],
)
async def test_one_form_of_an_outline_is_needed(editor, code, wish, sentence):
    answer = await editor.send("PUT", f"{code}/outline", wish, version=0)
    assert answer.json()["fields"] == {"sections": sentence}


async def test_a_pasted_section_keeps_what_was_written_in_it(editor, code):
    await editor.send("PUT", f"{code}/outline", {"text": "## News\n- Rain\n## Outlook"}, version=0)
    await editor.send("PUT", f"{code}/draft/sections/news", {"text": "Dear readers!"}, version=0)
    before = (await editor.get(f"{code}/outline"))["sections"][0]
    answer = await editor.send("PUT", f"{code}/outline", {"text": "## News\n- Rain\n- Dust"}, of=f"{code}/outline")
    (after,) = answer.json()["sections"]
    assert (after["id"], after["items"][0]) == (before["id"], before["items"][0])
    assert (await editor.get(f"{code}/draft"))["sections"][0]["id"] == after["id"]


async def test_an_empty_text_holds_no_outline(editor, code):
    answer = await editor.send("PUT", f"{code}/outline", {"text": " \n--- \n"}, version=0)
    assert answer.status_code == 400
    assert "This text has no outline" in answer.json()["detail"]


async def test_only_retrieved_chunks_can_be_pinned(editor, code):
    answer = await editor.http.post(
        f"{PATH}/{code}/outline/items", json={"section_id": "section-1", "title": "A", "sources": ["made-up"]}
    )
    assert "There is no retrieved chunk made-up" in answer.json()["fields"]["sources"]


async def test_what_is_not_there_is_not_found(editor, code):
    assert (await editor.send("DELETE", f"{code}/outline/items/none", version=0)).status_code == 404
    assert (await editor.send("PATCH", f"{code}/outline/sections/none", {"name": "A"}, version=0)).status_code == 404


async def test_an_outline_needs_sources_and_a_draft_needs_an_outline(editor, code):
    outline = await editor.http.post(f"{PATH}/{code}/outline/generate")
    draft = await editor.http.post(f"{PATH}/{code}/draft/generate")
    assert (outline.status_code, draft.status_code) == (409, 409)
    assert "Retrieve sources first" in outline.json()["detail"]
    assert "Make an outline first" in draft.json()["detail"]
