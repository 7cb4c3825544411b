"""The store: documented items, one query each, conditional writes, and a complete deletion."""

import itertools
import json
import re
import string
from dataclasses import replace
from pathlib import Path

import pytest

from almanac.desks.newsletter.model.chunks import RetrievalCoverage, RetrievedChunk
from almanac.desks.newsletter.model.draft import NewsletterDraft, align_with_outline, set_human_text
from almanac.desks.newsletter.model.newsletter import ExportRecord
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection, empty_outline
from almanac.desks.newsletter.model.revisions import MAX_REVISIONS, EditContext, revisions_to_save
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import outlines as outline_store
from almanac.desks.newsletter.store import steps as step_store
from almanac.desks.newsletter.store import topics as topic_store
from almanac.errors import NotFound, StaleEdit, Unavailable
from tablature.wire import to_wire

DOCUMENTED = Path(__file__).parents[4] / "contract" / "seeds" / "items" / "newsletter.json"
CODE = "NL-20260126-A1B2"
FOREIGN = {
    "PK": "PROPOSAL#PROP-20260101-ZZZZ",
    "SK": "METADATA",
    "GSI1PK": "USER#user123",
    "GSI1SK": "PROPOSAL#2026-01-01T00:00:00Z",
    "title": "Not ours",
}


@pytest.fixture
async def put(tables):
    async def put(item):
        wire = {name: to_wire(value) for name, value in item.items()}
        await tables.transport.send_async("PutItem", {"TableName": "newsletter", "Item": wire})

    return put


@pytest.fixture
async def documented(put):
    for item in json.loads(DOCUMENTED.read_text("utf-8")):
        await put(item)


async def saved_draft(tables, clock, code, text, before=None, section="s1"):
    before = before or NewsletterDraft()
    draft = set_human_text(align_with_outline(before, (NewsletterOutlineSection(id="s1", name="News"),)), section, text)
    kept = revisions_to_save(before, draft, EditContext(by="me", reason="Edited", at=clock.now()), None)
    return await draft_store.save_draft(
        tables, code, draft, kept, title="Digest", expected=before.version, status="draft"
    )


def test_generate_newsletter_code_makes_codes_of_the_documented_form(clock):
    codes = {newsletter_store.generate_newsletter_code(clock.now()) for _ in range(300)}
    assert all(re.fullmatch(r"NL-20260302-[A-Z0-9]{4}", code) for code in codes)
    assert len(codes) > 290
    assert set("".join(code[-4:] for code in codes)) == set(string.ascii_uppercase + string.digits)


async def test_a_code_that_is_taken_leads_to_another(tables, begin):
    codes = itertools.chain([CODE, CODE, CODE], ["NL-20260302-FREE"])
    first = await begin(make_code=lambda _: next(codes))
    second = await begin(make_code=lambda _: next(codes))
    assert (first.code, second.code) == (CODE, "NL-20260302-FREE")


async def test_a_day_without_free_codes_is_told(tables, begin):
    await begin(make_code=lambda _: CODE)
    with pytest.raises(Unavailable, match="try again"):
        await begin(make_code=lambda _: CODE)


async def test_a_new_newsletter_is_the_documented_item(begin, stored_items, clock):
    made = await begin()
    ((key, item),) = (await stored_items()).items()
    assert key == (f"NEWSLETTER#{made.code}", "METADATA")
    assert item["GSI1PK"] == {"S": "USER#user123"}
    assert item["GSI1SK"] == {"S": "NEWSLETTER#2026-03-02T09:00:00Z"}
    assert item["newsletterCode"] == {"S": made.code}
    assert (item["status"], item["current_step"]) == ({"S": "draft"}, {"N": "1"})


async def test_what_another_program_wrote_is_read_in_one_query(tables, documented):
    with tables.measure() as spent:
        full = await newsletter_store.get_full_newsletter(tables, CODE)
    assert spent.total.calls == 1
    assert full.newsletter.configuration.length_preference == "mixed"
    assert full.topics.chunks[0].id.startswith("chunk-")
    assert full.topics.chunks[0].included
    assert full.outline.outline.item("item-2-1").sources == ("chunk-123",)
    assert full.outline.outline.modifications.added == ("custom-item-1",)
    assert [section.key for section in full.draft.draft.sections] == [
        "introduction",
        "research_findings",
        "conclusion",
    ]
    assert full.draft.exports["pdf"].size == 245000
    assert full.changes == ()


async def test_a_text_of_another_program_stays_among_the_revisions(tables, documented, clock):
    full = await newsletter_store.get_full_newsletter(tables, CODE)
    before = full.draft.draft
    changed = set_human_text(before, "conclusion", "Mine.")
    kept = revisions_to_save(before, changed, EditContext(by="me", reason="Edited", at=clock.now()), None)
    await draft_store.save_draft(tables, CODE, changed, kept, title="Digest", expected=0, status="draft")
    revisions = await draft_store.list_revisions(tables, CODE)
    assert [(revision.number, revision.reason) for revision in revisions] == [(2, "Edited"), (1, "As it was found")]
    assert revisions[1].texts["conclusion"].startswith("## Conclusion")


async def test_our_steps_are_readable_under_the_documented_names(tables, begin, stored_items, clock):
    code = (await begin()).code
    await topic_store.save_topics(tables, code, expected=0, selected=["Livestock"])
    await outline_store.save_outline(tables, code, empty_outline(), expected=0)
    await saved_draft(tables, clock, code, "One two three.")
    items = {sk: item for (_, sk), item in (await stored_items()).items()}
    assert items["TOPICS"]["selected_types"] == {"L": [{"S": "Livestock"}]}
    assert items["OUTLINE"]["sections"]["L"][0]["M"]["order"] == {"N": "1"}
    assert items["OUTLINE"]["user_modifications"]["M"].keys() == {"items_added", "items_removed", "items_edited"}
    assert items["DRAFT"]["sections"] == {"M": {"news": {"S": "One two three."}}}
    assert items["DRAFT"]["user_edits"] == {"S": "# Digest\n\n## News\n\nOne two three.\n"}
    assert (items["DRAFT"]["word_count"], items["DRAFT"]["has_user_edits"]) == ({"N": "3"}, {"BOOL": True})


async def test_two_megabytes_of_retrieved_text_are_read_as_if_they_were_in_the_item(tables, begin, objects, clock):
    code = (await begin()).code
    chunks = [
        RetrievedChunk(id=f"c{n}", topic="Livestock", source="Observer", score=0.5, content=f"{n} " + "word " * 10_000)
        for n in range(40)
    ]
    coverage = RetrievalCoverage(wanted=40, days=14, found=40, taken=40)
    await topic_store.save_retrieval(
        tables, code, run=1, chunks=chunks, coverage=coverage, basis={"topics": "x"}, version=0, now=clock.now()
    )
    with tables.measure() as spent:
        full = await newsletter_store.get_full_newsletter(tables, code)
    assert spent.total.calls == 1
    assert [chunk.content for chunk in full.topics.chunks] == [chunk.content for chunk in chunks]
    assert (full.topics.state.status, full.topics.coverage) == ("completed", coverage)
    await newsletter_store.delete_newsletter(tables, code)
    assert objects.stored == {}


async def test_a_persons_newsletters_come_in_one_query_without_foreign_items(tables, begin, put, clock):
    await put(FOREIGN)
    for number in range(3):
        await begin(title=f"Issue {number}")
        clock.advance(minutes=1)
    await begin(owner="somebody else")
    with tables.measure() as spent:
        page = await newsletter_store.list_newsletters(tables, "user123", limit=10)
    assert spent.total.calls == 1
    assert [newsletter.title for newsletter in page.items] == ["Issue 2", "Issue 1", "Issue 0"]


async def test_deleting_takes_revisions_along_and_leaves_everything_else(tables, begin, put, stored_items, clock):
    await put(FOREIGN)
    other = await begin(title="Other")
    code = (await begin()).code
    await topic_store.save_topics(tables, code, expected=0, selected=["Livestock"])
    draft = NewsletterDraft()
    for number in range(3):
        draft = await saved_draft(tables, clock, code, f"Text {number}.", draft)
    await put({"PK": f"NEWSLETTER#{code}", "SK": "ADDED_BY_OTHERS", "note": "of this newsletter"})
    assert await newsletter_store.delete_newsletter(tables, code) == 7
    assert set(await stored_items()) == {(FOREIGN["PK"], "METADATA"), (f"NEWSLETTER#{other.code}", "METADATA")}


async def test_the_oldest_revision_gives_way_so_that_a_deletion_is_one_transaction(tables, begin, stored_items, clock):
    code = (await begin()).code
    draft = NewsletterDraft()
    for number in range(MAX_REVISIONS + 3):
        draft = await saved_draft(tables, clock, code, f"Text {number}.", draft)
    numbers = [revision.number for revision in await draft_store.list_revisions(tables, code)]
    assert numbers == list(range(MAX_REVISIONS + 3, 3, -1))
    with tables.measure() as spent:
        await newsletter_store.delete_newsletter(tables, code)
    assert spent.by_name["FullNewsletterRecord.delete_partition"].calls == 1
    assert await stored_items() == {}


async def test_an_edit_on_an_older_version_is_refused_with_the_current_one(tables, begin, clock):
    made = await begin()
    await newsletter_store.save_configuration(tables, made.code, replace(made.configuration, title="New"), expected=1)
    with pytest.raises(StaleEdit) as refused:
        await newsletter_store.save_configuration(tables, made.code, made.configuration, expected=1)
    assert refused.value.current == "2"
    draft = await saved_draft(tables, clock, made.code, "One.")
    with pytest.raises(StaleEdit):
        await saved_draft(tables, clock, made.code, "Two.")
    assert (await newsletter_store.get_full_newsletter(tables, made.code)).draft.draft == draft


async def test_a_file_of_a_draft_that_was_changed_meanwhile_makes_nothing_exported(tables, begin, clock):
    code = (await begin()).code
    draft = await saved_draft(tables, clock, code, "One.")
    await newsletter_store.complete_newsletter(tables, code, covered=[], version=draft.version, now=clock.now())
    seen = await newsletter_store.get_full_newsletter(tables, code)
    await saved_draft(tables, clock, code, "Two.", draft)
    record = ExportRecord(key="k", generated_at=clock.now(), size=1, revision=draft.revision)
    await draft_store.save_export(tables, seen, "pdf", record)
    after = await newsletter_store.get_full_newsletter(tables, code)
    assert (after.newsletter.status, after.draft.exports["pdf"].revision) == ("draft", 1)
    await newsletter_store.delete_newsletter(tables, code)
    with pytest.raises(NotFound):
        await draft_store.save_export(tables, seen, "pdf", record)


async def test_a_section_of_another_program_can_be_written_anew(tables, documented):
    await draft_store.save_section_job(tables, CODE, "conclusion", 7)
    (section,) = [
        section
        for section in (await newsletter_store.get_full_newsletter(tables, CODE)).draft.draft.sections
        if section.key == "conclusion"
    ]
    assert (section.text[:13], section.job) == ("## Conclusion", None)


async def test_a_run_that_has_its_result_is_not_begun_again(tables, begin, clock):
    code, now = (await begin()).code, clock.now()
    assert await step_store.mark_step_started(tables, code, "outline", run=1, job=7, now=now)
    await step_store.mark_step_ended(tables, code, "outline", run=1, status="failed", error="No answer.")
    assert await step_store.mark_step_started(tables, code, "outline", run=1, job=7, now=now)
    await outline_store.save_outline(tables, code, empty_outline(), expected=0, run=1, basis={}, now=now)
    assert not await step_store.mark_step_started(tables, code, "outline", run=1, job=8, now=now)
    await step_store.mark_step_ended(tables, code, "outline", run=1, status="failed", error="Too late.")
    assert (await newsletter_store.get_full_newsletter(tables, code)).outline.state.status == "completed"


async def test_a_deleted_newsletter_is_not_brought_back_by_a_late_job(tables, begin, stored_items, clock):
    code = (await begin()).code
    await newsletter_store.delete_newsletter(tables, code)
    with pytest.raises(NotFound):
        await step_store.mark_step_started(tables, code, "retrieval", run=1, job=1, now=clock.now())
    with pytest.raises(NotFound):
        await saved_draft(tables, clock, code, "Late.")
    assert await stored_items() == {}
