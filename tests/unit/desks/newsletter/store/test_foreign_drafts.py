"""Drafts of other programs are read as meant: edits in one document, nulls, missing parts."""

import json
from pathlib import Path

import pytest

from almanac.desks.newsletter.model.draft import set_human_text
from almanac.desks.newsletter.model.draft_text import split_by_headings, split_by_names
from almanac.desks.newsletter.model.revisions import EditContext, revisions_to_save
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.desks.newsletter.store import newsletters as newsletter_store
from tablature.wire import to_wire

DOCUMENTED = Path(__file__).parents[4] / "contract" / "seeds" / "items" / "newsletter.json"
CODE = "NL-20260126-A1B2"
EDITED = (
    "# Weekly Research Digest (Edited)\n\nDear readers,\n\n## Introduction\n\nMy own welcome.\n\n"
    "## Research Findings\n\n### Varieties\n\nMy own findings.\n"
)


@pytest.fixture
async def foreign(tables):
    """Stores the documented newsletter, with some attributes of its items changed by the name of the step."""

    async def put(**changes):
        for item in json.loads(DOCUMENTED.read_text("utf-8")):
            changed = {**item, **changes.get(item["SK"].lower(), {})}
            wire = {name: to_wire(value) for name, value in changed.items() if value != "left out"}
            await tables.transport.send_async("PutItem", {"TableName": "newsletter", "Item": wire})

    return put


@pytest.fixture
def edit(tables, clock):
    """Edits a section here, as a person would."""

    async def edit(section, text):
        full = await newsletter_store.get_full_newsletter(tables, CODE)
        before = full.draft.draft
        changed = set_human_text(before, section, text)
        latest = await draft_store.get_latest_revision(tables, CODE, before)
        kept = revisions_to_save(
            before, changed, EditContext(by="me", reason="Edited", at=clock.now(), sitting=section), latest
        )
        await draft_store.save_draft(
            tables, CODE, changed, kept, title="Digest", expected=before.version, status="draft"
        )

    return edit


async def draft_of(tables):
    return (await newsletter_store.get_full_newsletter(tables, CODE)).draft.draft


async def test_a_text_that_was_edited_as_one_document_is_what_the_sections_say(tables, foreign):
    await foreign(draft={"user_edits": EDITED})
    draft = await draft_of(tables)
    assert [(section.key, section.text) for section in draft.sections] == [
        ("introduction", "Dear readers,\n\nMy own welcome."),
        ("research_findings", "### Varieties\n\nMy own findings."),
        ("conclusion", ""),
    ]
    assert draft.has_user_edits


async def test_editing_here_keeps_the_document_of_the_other_program(tables, foreign, edit):
    await foreign(draft={"user_edits": EDITED})
    await edit("conclusion", "Mine.")
    draft = await draft_of(tables)
    assert [section.text for section in draft.sections][1:] == ["### Varieties\n\nMy own findings.", "Mine."]
    revision = (await draft_store.list_revisions(tables, CODE))[-1]
    assert revision.texts["introduction"] == "Dear readers,\n\nMy own welcome."


async def test_a_document_that_names_no_section_stays_among_the_revisions(tables, foreign, edit):
    await foreign()
    assert len((await draft_of(tables)).sections) == 3
    await edit("conclusion", "Mine.")
    revision = (await draft_store.list_revisions(tables, CODE))[-1]
    assert revision.texts["user_edits"] == "# Weekly Research Digest (Edited)\n\n..."
    assert not (await draft_of(tables)).separate_document


async def test_an_edit_of_another_program_after_ours_is_seen_and_kept(tables, foreign, edit):
    await foreign()
    await edit("conclusion", "Mine.")
    theirs = "# Digest\n\n## Conclusion\n\nTheirs.\n"
    key = {"PK": to_wire(f"NEWSLETTER#{CODE}"), "SK": to_wire("DRAFT")}
    await tables.transport.send_async(
        "UpdateItem",
        {
            "TableName": "newsletter",
            "Key": key,
            "UpdateExpression": "SET user_edits = :edits",
            "ExpressionAttributeValues": {":edits": to_wire(theirs)},
        },
    )
    assert (await draft_of(tables)).section("conclusion").text == "Theirs."
    await edit("conclusion", "Mine again.")
    assert (await draft_of(tables)).section("conclusion").text == "Mine again."
    assert "Theirs." in [revision.texts["conclusion"] for revision in await draft_store.list_revisions(tables, CODE)]


async def test_our_own_edits_are_no_ones_else(tables, foreign, edit):
    await foreign()
    await edit("conclusion", "Mine.")
    await edit("conclusion", "Mine, better.")
    assert not (await draft_of(tables)).changed_elsewhere
    assert len(await draft_store.list_revisions(tables, CODE)) == 2


async def test_a_draft_that_is_one_document_has_the_sections_of_its_headings(tables, foreign):
    whole = "# Digest\n\nHello.\n\n## News\n\nOne.\n\n### More\n\nTwo.\n\n## News\n\nThree.\n"
    await foreign(draft={"sections": "left out", "user_edits": None, "generated_content": whole})
    sections = [
        (section.key, section.name, section.text, section.edited) for section in (await draft_of(tables)).sections
    ]
    assert sections == [
        ("text", "Text", "Hello.", False),
        ("news", "News", "One.\n\n### More\n\nTwo.", False),
        ("news_2", "News", "Three.", False),
    ]


async def test_nulls_are_nothing(tables, foreign):
    await foreign(
        metadata={"target_audience": None, "tone_technical": None, "format_type": None, "description": None},
        topics={"selected_types": None, "retrieved_content": None, "total_chunks_retrieved": None},
        outline={"user_modifications": {"items_added": None}},
        draft={"sections": None, "user_edits": None, "generated_content": None, "exports": None, "word_count": None},
    )
    full = await newsletter_store.get_full_newsletter(tables, CODE)
    assert (full.newsletter.configuration.tone_technical, full.newsletter.configuration.format_type) == (50, "email")
    assert (full.topics.selected, full.topics.chunks) == ((), ())
    assert (full.draft.draft.sections, full.draft.exports) == ((), {})


async def test_parts_that_were_left_out_do_not_hide_the_rest(tables, foreign):
    chunk = {"content": "Maize fell.", "metadata": {"url": None, "date": None, "page": 3}, "title": None}
    section = {"name": "News", "items": [{"title": "Maize", "description": None}], "order": 2}
    await foreign(
        topics={"retrieved_content": [chunk]},
        outline={"sections": [section, {"id": "s", "order": 1, "items": None}]},
        draft={"exports": {"pdf": None, "html": {"s3_key": "k", "generated_at": "2026-01-26T11:20:00"}}},
    )
    full = await newsletter_store.get_full_newsletter(tables, CODE)
    (read,) = full.topics.chunks
    assert (read.content, read.title, read.url, read.date, read.score) == ("Maize fell.", "", "", None, 0)
    assert [(part.id, part.name) for part in full.outline.outline.sections] == [
        ("s", "Section 1"),
        ("section-2", "News"),
    ]
    assert full.outline.outline.item("item-2-1").title == "Maize"
    assert {name: part.size for name, part in full.draft.exports.items()} == {"html": 0}


def test_headings_that_name_nothing_known_are_text():
    assert split_by_names("## Other\n\nWords.", ["News"]) is None
    assert split_by_names("## NEWS:\n\nA.\n\n## Other\n\nB.", ["News"]) == {"News": "A.\n\n## Other\n\nB."}


def test_a_document_without_headings_is_one_section():
    assert split_by_headings("Only words.") == [("Text", "Only words.")]
    assert split_by_headings("") == []
