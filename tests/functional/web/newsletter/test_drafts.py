"""Step 4 through the API, written by a person: section versions, revisions, counts, and what blocks completion."""

import pytest

from almanac.desks.newsletter.store import drafts as draft_store

PATH = "/api/v1/newsletters"


@pytest.fixture
async def code(editor):
    """A newsletter with an outline of two sections and nothing written."""
    code = await editor.begin()
    await editor.send("PUT", f"{code}/outline", {"text": "## News\n- One\n## Outlook\n- Two"}, version=0)
    return code


async def write(editor, code, section, text, version=None):
    of = f"{code}/draft" if version is None else None
    return await editor.send("PUT", f"{code}/draft/sections/{section}", {"text": text}, version=version, of=of)


async def sections(editor, code):
    return {section["key"]: section for section in (await editor.get(f"{code}/draft"))["sections"]}


async def test_a_draft_is_written_by_hand_along_the_outline(editor, code):
    answer = await write(editor, code, "news", "Welcome to this issue.")
    assert answer.status_code == 200, answer.text
    assert [(section["key"], section["name"], section["edited"]) for section in answer.json()["sections"]] == [
        ("news", "News", True),
        ("outlook", "Outlook", False),
    ]


async def test_words_and_reading_time_are_always_current(editor, code):
    await write(editor, code, "news", "word " * 500)
    body = (await write(editor, code, "outlook", "降雨量が少ない。[@none]")).json()
    assert body["word_count"] == 507
    assert body["estimated_read_time"] == "3 minutes"
    assert (await write(editor, code, "news", "")).json()["word_count"] == 7


async def test_two_tabs_edit_different_sections_at_once(editor, code):
    read = (await write(editor, code, "news", "First.")).headers["etag"]
    assert (await write(editor, code, "news", "First, again.", version=read)).status_code == 200
    assert (await write(editor, code, "outlook", "Second.", version=read)).status_code == 200
    assert {key: section["text"] for key, section in (await sections(editor, code)).items()} == {
        "news": "First, again.",
        "outlook": "Second.",
    }


async def test_a_save_of_another_section_in_the_same_moment_is_no_obstacle(editor, code, monkeypatch):
    read = (await write(editor, code, "news", "First.")).headers["etag"]
    save = draft_store.save_draft

    async def after_another(*args, **options):
        monkeypatch.setattr(draft_store, "save_draft", save)
        assert (await write(editor, code, "outlook", "Second.", version=read)).status_code == 200
        return await save(*args, **options)

    monkeypatch.setattr(draft_store, "save_draft", after_another)
    answer = await write(editor, code, "news", "First, again.", version=read)
    assert answer.status_code == 200, answer.text
    assert {key: section["text"] for key, section in (await sections(editor, code)).items()} == {
        "news": "First, again.",
        "outlook": "Second.",
    }


async def test_two_tabs_do_not_overwrite_one_section(editor, code):
    read = (await write(editor, code, "news", "First.")).headers["etag"]
    second = await write(editor, code, "news", "From one tab.", version=read)
    third = await write(editor, code, "news", "From the other.", version=read)
    assert third.status_code == 412
    assert third.json()["current"] == second.headers["etag"].strip('"')
    assert (await sections(editor, code))["news"]["text"] == "From one tab."
    assert (await editor.send("PUT", f"{code}/draft/sections/news", {"text": "No version"})).status_code == 428


async def test_a_section_that_is_too_long_is_refused(editor, code):
    answer = await write(editor, code, "news", "x" * 30_001)
    assert answer.status_code == 413
    assert "30,000" in answer.json()["detail"]


async def test_saving_while_typing_is_one_revision_and_another_section_is_another(editor, code, clock):
    for text in ("One", "One two", "One two three"):
        await write(editor, code, "news", text)
    await write(editor, code, "outlook", "Later")
    clock.advance(minutes=11)
    await write(editor, code, "outlook", "Much later")
    revisions = await editor.get(f"{code}/draft/revisions")
    assert [(revision["number"], revision["reason"], revision["word_count"]) for revision in revisions] == [
        (3, "Edited Outlook", 5),
        (2, "Edited Outlook", 4),
        (1, "Edited News", 3),
    ]


async def test_revisions_are_compared_sentence_by_sentence(editor, code, clock):
    await write(editor, code, "news", "It rained. Nobody came.")
    clock.advance(hours=1)
    await write(editor, code, "news", "It rained. Everybody came.")
    news, outlook = await editor.get(f"{code}/draft/revisions/1/diff")
    assert news["lines"] == [[" ", "It rained."], ["-", "Nobody came."], ["+", "Everybody came."]]
    assert not outlook["is_changed"]
    assert (await editor.get(f"{code}/draft/revisions/1/diff?against=2"))[0] == news


async def test_a_revision_is_restored_as_a_new_one(editor, code, clock):
    await write(editor, code, "news", "Old.")
    clock.advance(hours=1)
    await write(editor, code, "news", "New.")
    answer = await editor.send("POST", f"{code}/draft/revisions/1/restore", of=f"{code}/draft")
    assert answer.json()["sections"][0]["text"] == "Old."
    reasons = [revision["reason"] for revision in await editor.get(f"{code}/draft/revisions")]
    assert reasons == ["Restored revision 1", "Edited News", "Edited News"]
    assert (await editor.http.get(f"{PATH}/{code}/draft/revisions/9/diff")).status_code == 404


async def test_what_is_not_supported_stands_in_the_way_of_completion(editor, code):
    await write(editor, code, "news", "Rainfall fell by 43 percent in Marsabit.[@nowhere]")
    draft = await editor.get(f"{code}/draft")
    (sentence,) = draft["sections"][0]["sentences"]
    assert sentence["verdict"] == "unsupported"
    assert sentence["findings"][0]["kind"] == "dangling_reference"
    assert [obstacle["section"] for obstacle in draft["obstacles"]] == ["custom-section-1"]
    assert draft["remarks"] == ["“Outlook” is empty and is left out of exports."]
    for path in (f"{code}/complete", f"{code}/exports/pdf"):
        refused = await editor.send("POST", path, of=f"{code}/draft")
        assert refused.status_code == 409
        assert "without support" in refused.json()["detail"]
    assert (await editor.get(code))["status"] == "draft"


async def test_an_issue_that_states_nothing_unsupported_is_completed_and_reopened_by_an_edit(editor, code):
    await write(editor, code, "news", "Welcome to our readers! [@own]")
    await write(editor, code, "outlook", "Thank you for reading! [@own]")
    done = await editor.send("POST", f"{code}/complete", of=f"{code}/draft")
    assert (done.status_code, done.json()["status"]) == (200, "completed")
    await write(editor, code, "outlook", "Thanks for reading! [@own]")
    assert (await editor.get(code))["status"] == "draft"
    completed = (await editor.get(f"{code}/draft/revisions/2/diff"))[1]
    assert completed["lines"] == [["-", "Thank you for reading! [@own]"], ["+", "Thanks for reading! [@own]"]]


async def test_a_changed_outline_is_told_and_deletes_nothing(editor, code):
    await write(editor, code, "news", "Kept.")
    section = (await editor.get(f"{code}/outline"))["sections"][0]["id"]
    await editor.send("PATCH", f"{code}/outline/sections/{section}", {"included": False}, of=f"{code}/outline")
    assert (await sections(editor, code))["news"]["text"] == "Kept."
