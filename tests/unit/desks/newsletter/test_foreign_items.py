"""Items of other programs in the same table: whatever is done to newsletters, in whatever order, they stay."""

import asyncio
import contextlib
from dataclasses import replace
from datetime import UTC, datetime

from hypothesis import given, settings
from hypothesis import strategies as st

from almanac.desks.newsletter import series_store, store
from almanac.desks.newsletter.model.chunks import Chunk, Coverage
from almanac.desks.newsletter.model.configuration import Configuration
from almanac.desks.newsletter.model.draft import following, with_human_text
from almanac.desks.newsletter.model.newsletter import ExportRecord
from almanac.desks.newsletter.model.outline import Section, empty_outline
from almanac.desks.newsletter.model.revisions import Occasion, revisions_of
from almanac.desks.newsletter.model.schedule import Rhythm
from almanac.desks.newsletter.model.series import IssueRun, rescheduled
from almanac.desks.newsletter.table import newsletters
from almanac.errors import AlmanacError
from tablature import MemoryObjects
from tablature.async_database import AsyncDatabase
from tablature.transport.embedded import Embedded
from tablature.wire import to_wire

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
CODES = ("NL-20260302-AAAA", "NL-20260302-BBBB")
RHYTHM = Rhythm("0 7 * * 1", "UTC", active=True)
SECTION = (Section(id="s1", name="News"),)
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
    await store.create_newsletter(
        tables, Configuration(title="Digest"), owner_id="user123", now=NOW, make_code=lambda _: code
    )


async def configure(tables, code):
    made = await store.get_newsletter(tables, code)
    await store.save_configuration(tables, code, replace(made.configuration, title="Other"), expected=made.version)


async def retrieve(tables, code):
    full = await store.get_newsletter_full(tables, code)
    await store.begin_step(tables, code, "retrieval", run=full.topics.state.run + 1, job=1, now=NOW)
    chunks = [Chunk(id="c1", topic="Livestock", source="Observer", score=0.5, content="word " * 14_000)]
    coverage = Coverage(wanted=25, days=14, found=1, taken=1)
    await store.save_retrieval(
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
    full = await store.get_newsletter_full(tables, code)
    await store.save_outline(tables, code, empty_outline(), expected=full.outline.version)
    await store.end_step(tables, code, "outline", run=9, status="failed", error="No answer.")


async def draft(tables, code):
    before = (await store.get_newsletter_full(tables, code)).draft.draft
    changed = with_human_text(following(before, SECTION), "s1", f"Text {before.version}.")
    kept = revisions_of(before, changed, Occasion(by="me", reason="Edited", at=NOW), None)
    await store.save_draft(tables, code, changed, kept, title="Digest", expected=before.version, status="draft")


async def export(tables, code):
    full = await store.get_newsletter_full(tables, code)
    record = ExportRecord(key="k", generated_at=NOW, size=1, revision=full.draft.draft.revision or None)
    await store.save_export(tables, full, "pdf", record)


async def complete(tables, code):
    version = (await store.get_newsletter_full(tables, code)).draft.draft.version
    await store.complete_newsletter(tables, code, covered=["c1"], version=version, now=NOW)


async def schedule(tables, code):
    await series_store.save_series(tables, code, lambda series: rescheduled(series, RHYTHM, NOW))
    await series_store.list_due(tables, datetime(2027, 1, 1, tzinfo=UTC), limit=10)


async def prepare(tables, code):
    made, series = await store.get_newsletter(tables, code), await series_store.get_series(tables, code)
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
    await store.list_newsletters(tables, "user123")
    await store.chunks_covered_before(tables, "user123", besides=code)
    await store.list_revisions(tables, code)


async def delete(tables, code):
    await store.delete_newsletter(tables, code)


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
