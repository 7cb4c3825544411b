"""Outline and draft in jobs: consistent, supported, resumable, and never overwriting a person's text."""

import re

import pytest

PATH = "/api/v1/newsletters"
MARKER = re.compile(r"\[@([^\]]+)\]")


@pytest.fixture
async def outlined(editor, retrieved):
    code = await retrieved()
    await editor.start(f"{code}/outline/generate")
    assert (await editor.ends(code, "outline"))["status"] == "completed"
    return code


async def generate(editor, code, step):
    await editor.start(f"{code}/{step}/generate")
    return await editor.ends(code, step)


def included(outline):
    return [section for section in outline["sections"] if section["included"]]


async def test_an_outline_has_the_usual_sections_with_sources_pinned(editor, outlined):
    outline = await editor.get(f"{outlined}/outline")
    chunks = {chunk["id"] for chunk in (await editor.get(f"{outlined}/topics"))["retrieved_content"]}
    assert [section["name"] for section in outline["sections"]] == [
        "Introduction",
        "Main Content",
        "Updates & News",
        "Opportunities",
        "Resources",
        "Conclusion",
    ]
    items = [item for section in outline["sections"] for item in section["items"]]
    assert {source for item in items for source in item["sources"]} <= chunks
    assert all(item["rag_reference_id"] == item["sources"][0] for item in items if item["sources"])
    assert outline["user_modifications"] == {"items_added": [], "items_removed": [], "items_edited": []}


async def test_generating_again_keeps_added_and_edited_items_and_removed_ones_stay_away(editor, outlined):
    outline = await editor.get(f"{outlined}/outline")
    edited, removed = outline["sections"][1]["items"][:2]
    items = f"{outlined}/outline/items"
    await editor.send("PATCH", f"{items}/{edited['id']}", {"title": "My own words"}, of=f"{outlined}/outline")
    await editor.send("DELETE", f"{items}/{removed['id']}", of=f"{outlined}/outline")
    added = await editor.send("POST", items, {"section_id": "section-2", "title": "Mine"})
    assert (await generate(editor, outlined, "outline"))["status"] == "completed"
    again = await editor.get(f"{outlined}/outline")
    titles = [item["title"] for section in again["sections"] for item in section["items"]]
    assert {"My own words", "Mine"} <= set(titles)
    assert removed["title"] not in [item["title"] for item in again["sections"][1]["items"]]
    assert again["user_modifications"] == {
        "items_added": [added.json()["id"]],
        "items_removed": [removed["id"]],
        "items_edited": [edited["id"]],
    }


async def test_the_draft_follows_the_outline_one_to_one(editor, outlined):
    outline = await editor.get(f"{outlined}/outline")
    section = outline["sections"][3]
    await editor.send(
        "PATCH", f"{outlined}/outline/sections/{section['id']}", {"included": False}, of=f"{outlined}/outline"
    )
    dropped = outline["sections"][1]["items"][0]
    await editor.send(
        "PATCH", f"{outlined}/outline/items/{dropped['id']}", {"included": False}, of=f"{outlined}/outline"
    )
    assert (await generate(editor, outlined, "draft"))["status"] == "completed"
    draft = await editor.get(f"{outlined}/draft")
    planned = included(await editor.get(f"{outlined}/outline"))
    assert [section["id"] for section in draft["sections"]] == [section["id"] for section in planned]
    assert [section["name"] for section in draft["sections"]] == [section["name"] for section in planned]
    assert dropped["title"] not in draft["sections"][1]["text"]


async def test_every_sentence_is_supported_by_the_chunk_it_cites(editor, drafted):
    code = await drafted()
    draft = await editor.get(f"{code}/draft")
    chunks = {chunk["id"]: chunk["content"] for chunk in (await editor.get(f"{code}/topics"))["retrieved_content"]}
    sentences = [sentence for section in draft["sections"] for sentence in section["sentences"]]
    assert len(sentences) > 20
    assert {sentence["verdict"] for sentence in sentences} == {"supported"}
    for section in draft["sections"]:
        for paragraph in section["text"].split("\n\n"):
            for words, source in re.findall(r"\s*([^\[\]#]+)\[@([^\]]+)\]", paragraph):
                assert words.strip() in " ".join(chunks[source].split())
    assert draft["obstacles"] == []
    assert (await editor.get(code))["status"] == "completed"


async def test_excluded_chunks_are_not_cited(editor, retrieved):
    code = await retrieved("livestock", "climate_smart")
    out = (await editor.get(f"{code}/topics"))["retrieved_content"][0]["id"]
    await editor.send("PATCH", f"{code}/topics/chunks", {"excluded": [out]}, of=f"{code}/topics")
    for step in ("outline", "draft"):
        assert (await generate(editor, code, step))["status"] == "completed"
    draft = await editor.get(f"{code}/draft")
    assert out not in {marker for section in draft["sections"] for marker in MARKER.findall(section["text"])}


async def test_a_persons_text_survives_a_new_generation_with_a_proposal_beside_it(editor, drafted):
    code = await drafted()
    draft = await editor.get(f"{code}/draft")
    mine, other = draft["sections"][1], draft["sections"][2]
    await editor.send("PUT", f"{code}/draft/sections/{mine['id']}", {"text": "My words."}, of=f"{code}/draft")
    assert (await generate(editor, code, "draft"))["status"] == "completed"
    after = {item["id"]: item for item in (await editor.get(f"{code}/draft"))["sections"]}
    assert after[mine["id"]]["text"] == "My words."
    assert after[mine["id"]]["proposal"]
    assert after[other["id"]]["proposal"] is None
    taken = await editor.send(
        "POST", f"{code}/draft/sections/{mine['id']}/proposal", {"accepted": True}, of=f"{code}/draft"
    )
    (section,) = [item for item in taken.json()["sections"] if item["id"] == mine["id"]]
    assert section["text"] == after[mine["id"]]["proposal"]
    assert section["proposal"] is None


async def test_one_section_is_written_anew(editor, drafted, job_ends):
    code = await drafted()
    before = (await editor.get(f"{code}/draft"))["sections"]
    started = await editor.start(
        f"{code}/draft/sections/{before[1]['id']}/regenerate", {"instruction": "Shorter,\0 please."}
    )
    assert await job_ends(started["job_id"]) == "succeeded"
    after = (await editor.get(f"{code}/draft"))["sections"]
    assert [section["text"] for section in after if section["id"] != before[1]["id"]] == [
        section["text"] for section in before if section["id"] != before[1]["id"]
    ]
    assert after[1]["text"]


async def test_a_section_that_comes_out_the_same_stays_completed_without_a_revision(editor, drafted, job_ends):
    code = await drafted()
    assert (await editor.get(code))["status"] == "completed"
    before = await editor.get(f"{code}/draft")
    section = before["sections"][1]["id"]
    started = await editor.start(f"{code}/draft/sections/{section}/regenerate", {"instruction": "Shorter, please."})
    assert await job_ends(started["job_id"]) == "succeeded"
    assert (await editor.get(code))["status"] == "completed"
    assert (await editor.get(f"{code}/draft"))["revision"] == before["revision"]


async def test_a_changed_outline_is_told_beside_the_draft(editor, drafted):
    code = await drafted("livestock")
    item = (await editor.get(f"{code}/outline"))["sections"][1]["items"][0]
    await editor.send("PATCH", f"{code}/outline/items/{item['id']}", {"notes": "Shorter"}, of=f"{code}/outline")
    draft = await editor.get(f"{code}/draft")
    assert draft["changes"] == ["The outline changed since the draft was generated."]
    assert draft["word_count"] > 0


async def test_an_export_is_a_real_file_with_its_revision(editor, drafted, job_ends):
    code = await drafted()
    revision = (await editor.get(f"{code}/draft"))["revision"]
    assert (await editor.http.get(f"{PATH}/{code}/exports/pdf")).status_code == 404
    for name, opening in (("pdf", b"%PDF-"), ("docx", b"PK"), ("html", b"<!"), ("md", b"#")):
        assert await job_ends((await editor.start(f"{code}/exports/{name}"))["job_id"]) == "succeeded"
        file = await editor.http.get(f"{PATH}/{code}/exports/{name}")
        assert file.status_code == 200, file.text
        assert file.content.lstrip().lower().startswith(opening.lower())
        assert f'filename="{code}.' in file.headers["content-disposition"]
    exports = (await editor.get(f"{code}/draft"))["exports"]
    assert exports["pdf"]["s3_key"] == f"newsletters/{code}/export.pdf"
    assert {export["revision"] for export in exports.values()} == {revision}
    assert (await editor.get(code))["status"] == "exported"
    assert (await editor.http.post(f"{PATH}/{code}/exports/fax")).status_code == 404
