"""Items of other programs in the same table survive everything done to newsletters."""

import asyncio
import contextlib
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from almanac.desks.newsletter.model.chunks import RetrievalCoverage, RetrievedChunk
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import align_with_outline, set_human_text
from almanac.desks.newsletter.model.newsletter import ExportRecord
from almanac.desks.newsletter.model.outline import NewsletterOutlineSection, empty_outline
from almanac.desks.newsletter.model.revisions import EditContext, revisions_to_save
from almanac.desks.newsletter.model.schedule import IssueSchedule
from almanac.desks.newsletter.model.series import IssueRun, reschedule
from almanac.desks.newsletter.store import drafts as draft_store
from almanac.desks.newsletter.store import newsletters as newsletter_store
from almanac.desks.newsletter.store import outlines as outline_store
from almanac.desks.newsletter.store import series as series_store
from almanac.desks.newsletter.store import steps as step_store
from almanac.desks.newsletter.store import topics as topic_store
from almanac.desks.newsletter.store.table import newsletters
from almanac.errors import AlmanacError
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded
from tablature.wire import to_wire

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
CODES = ("NL-20260302-AAAA", "NL-20260302-BBBB")
RHYTHM = IssueSchedule("0 7 * * 1", "UTC", active=True)
SECTION = (NewsletterOutlineSection(id="s1", name="News"),)
KINDS = ("PROPOSAL#PROP-20260302-AAAA", "PROPOSAL#NL-20260302-AAAA", "NEWSLETTERS#NL-20260302-AAAA", "USER#user123")
FOREIGN = st.lists(
    st.fixed_dictionaries(
        {
            "PK": st.sampled_from(KINDS),
            "SK": st.sampled_from(["METADATA", "TOPICS", "DRAFT", "SERIES", "REVISION#000001"]),
            "GSI1PK": st.sampled_from(["USER#user123", "SCHEDULE#NEWSLETTER"]),
            "GSI1SK": st.sampled_from(
                ["PROPOSAL#2026-01-01T00:00:00Z", "NEWSLETTER#2026-01-01T00:00:00Z", "2026-01-01"]
            ),
            "title": st.text(max_size=20),
        }
    ),
    min_size=1,
    max_size=6,
    unique_by=lambda item: (item["PK"], item["SK"]),
)


async def create(tables, code):
    await newsletter_store.create_newsletter(
        tables, Configuration(title="Digest"), owner_id="user123", now=NOW, make_code=lambda _: code
    )


async def configure(tables, code):
    made = await newsletter_store.get_newsletter(tables, code)
    await newsletter_store.save_configuration(
        tables, code, replace(made.configuration, title="Other"), expected=made.version
    )


async def retrieve(tables, code):
    full = await newsletter_store.get_full_newsletter(tables, code)
    await step_store.mark_step_started(tables, code, "retrieval", run=full.topics.state.run + 1, job=1, now=NOW)
    chunks = [RetrievedChunk(id="c1", topic="Livestock", source="Observer", score=0.5, content="word " * 14_000)]
    coverage = RetrievalCoverage(wanted=25, days=14, found=1, taken=1)
    await topic_store.save_retrieval(
        tables,
        code,
        run=full.topics.state.run + 1,
        chunks=chunks,
        coverage=coverage,
        basis={},
        version=full.topics.version,
        now=NOW,
    )


async def outline(tables, code):
    full = await newsletter_store.get_full_newsletter(tables, code)
    await outline_store.save_outline(tables, code, empty_outline(), expected=full.outline.version)
    await step_store.mark_step_ended(tables, code, "outline", run=9, status="failed", error="No answer.")


async def draft(tables, code):
    before = (await newsletter_store.get_full_newsletter(tables, code)).draft.draft
    changed = set_human_text(align_with_outline(before, SECTION), "s1", f"Text {before.version}.")
    kept = revisions_to_save(before, changed, EditContext(by="me", reason="Edited", at=NOW), None)
    await draft_store.save_draft(tables, code, changed, kept, title="Digest", expected=before.version, status="draft")


async def export(tables, code):
    full = await newsletter_store.get_full_newsletter(tables, code)
    record = ExportRecord(key="k", generated_at=NOW, size=1, revision=full.draft.draft.revision or None)
    await draft_store.save_export(tables, full, "pdf", record)


async def complete(tables, code):
    version = (await newsletter_store.get_full_newsletter(tables, code)).draft.draft.version
    await newsletter_store.complete_newsletter(tables, code, covered=["c1"], version=version, now=NOW)


async def schedule(tables, code):
    await series_store.update_series(tables, code, lambda series: reschedule(series, RHYTHM, NOW))
    await series_store.list_due_series(tables, datetime(2027, 1, 1, tzinfo=UTC), limit=10)


async def prepare(tables, code):
    made, series = await newsletter_store.get_newsletter(tables, code), await series_store.get_series(tables, code)
    run = IssueRun(due=NOW, outcome="preparing", at=NOW)
    await series_store.create_issue(
        tables,
        made,
        made.configuration,
        lambda issue: replace(series, runs=(replace(run, issue=issue),)),
        topics=("Livestock",),
        excluded=(),
        now=NOW,
    )


async def look(tables, code):
    await newsletter_store.list_newsletters(tables, "user123")
    issue = await newsletter_store.get_newsletter(tables, code)
    await newsletter_store.list_covered_chunks(tables, issue, excluding=code)
    await draft_store.list_revisions(tables, code)


async def delete(tables, code):
    await newsletter_store.delete_newsletter(tables, code)


VERBS = (create, configure, retrieve, outline, draft, export, complete, schedule, prepare, look, delete)


@settings(max_examples=25, deadline=None, derandomize=True)
@given(foreign=FOREIGN, deeds=st.lists(st.tuples(st.sampled_from(VERBS), st.sampled_from(CODES)), max_size=10))
def test_nothing_done_to_newsletters_touches_items_of_other_programs(foreign, deeds):
    asyncio.run(_do(foreign, [(create, CODES[0]), *deeds, (delete, CODES[0])]))


async def _do(foreign, deeds):
    wires = [{name: to_wire(value) for name, value in item.items()} for item in foreign]
    with Embedded.memory() as transport:
        tables = AsyncDatabase(transport, objects=MemoryObjects(), clock=lambda: NOW)
        await tables.admin.create_table(newsletters)
        for item in wires:
            transport.send("PutItem", {"TableName": "newsletter", "Item": item})
        for verb, code in deeds:
            with contextlib.suppress(AlmanacError):
                await verb(tables, code)
        for item in wires:
            key = {"PK": item["PK"], "SK": item["SK"]}
            assert transport.send("GetItem", {"TableName": "newsletter", "Key": key})["Item"] == item
