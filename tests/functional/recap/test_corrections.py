"""Corrections: readers see what it said before and why; they outlive a remake; what they say holds to the record."""

import msgspec
import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.editorial import CorrectionWish
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.pipeline.write import write_recap
from almanac.desks.recap.service import articles, corrections, reports
from almanac.desks.recap.store import tasks
from almanac.desks.recap.store.objects import load_asset
from almanac.desks.recap.writer.packs import NoPackStore
from almanac.errors import FieldErrors
from almanac.llm.extractive.writer import ExtractiveWriter

SUPPORTED = "三億円の予算で五十館を整備する計画であります。"
NOTE = "The sentence left out how many libraries."


async def published(desk, sitting, number):
    (meeting,) = await desk.publish(sitting(number))
    return meeting


def wish_for(recap, **changes):
    first = recap.key_points[0]
    values = {"kind": "replaced", "part": "sentence", "before": first.text, "after": SUPPORTED, "orders": (2,)}
    return CorrectionWish(**{**values, "note": NOTE, **changes})


async def correct(services, meeting, **changes):
    recap = (await articles.open_article(services, meeting.issue_id)).recap
    wish = wish_for(recap, **changes)
    return wish, await corrections.correct_article(services, CONSOLE, meeting.issue_id, wish)


async def test_a_correction_is_a_new_version_with_its_note(desk, services, sitting):
    meeting = await published(desk, sitting, 1)
    wish, _ = await correct(services, meeting)
    full = await articles.open_article(services, meeting.issue_id)
    assert full.version == 2
    assert full.recap.key_points[0].text == SUPPORTED
    assert full.recap.key_points[0].based_on_orders == (2,)
    assert wish.before not in [point.text for point in full.recap.key_points]
    (noted,) = full.recap.corrections
    assert (noted.note, noted.before, noted.after) == (NOTE, wish.before, SUPPORTED)
    versions = await articles.list_versions(services, meeting.issue_id)
    assert versions[0].reason == f"Corrected: {NOTE}"
    asset = await load_asset(services, (await articles.get_published(services, meeting.issue_id)).asset_url)
    assert asset.recap.key_points[0].text == SUPPORTED


async def test_a_sentence_that_the_record_does_not_support_is_refused_and_a_note_is_possible(desk, services, sitting):
    meeting = await published(desk, sitting, 2)
    with pytest.raises(FieldErrors) as refused:
        await correct(services, meeting, after="九億円の予算で二百館を整備する計画であります。")
    assert "doesn't support" in refused.value.fields["after"]
    assert (await articles.open_article(services, meeting.issue_id)).version == 1
    await correct(services, meeting, kind="note", after="")
    full = await articles.open_article(services, meeting.issue_id)
    assert [each.kind for each in full.recap.corrections] == ["note"]


async def test_what_is_wrong_with_a_correction_is_said_beside_its_field(desk, services, sitting):
    meeting = await published(desk, sitting, 3)
    for changes, field in (
        ({"note": " "}, "note"),
        ({"before": "nowhere"}, "before"),
        ({"after": ""}, "after"),
        ({"orders": (99,)}, "after"),
        ({"part": "title", "kind": "removed", "before": ""}, "before"),
    ):
        with pytest.raises(FieldErrors) as refused:
            await correct(services, meeting, **changes)
        assert field in refused.value.fields


async def test_a_sentence_is_removed_from_every_level_and_comes_back_when_that_is_undone(desk, services, sitting):
    meeting = await published(desk, sitting, 4)
    before = (await articles.open_article(services, meeting.issue_id)).recap
    wish, made = await correct(services, meeting, kind="removed", after="")
    after = (await articles.open_article(services, meeting.issue_id)).recap
    assert wish.before not in msgspec.json.encode((after.key_points, after.summary, after.middle_summary)).decode()
    await corrections.undo_correction(services, CONSOLE, meeting.issue_id, made.correction_id)
    assert msgspec.structs.replace((await articles.open_article(services, meeting.issue_id)).recap) == before
    listed = await corrections.list_article_corrections(services, meeting.issue_id)
    assert [each.status for each in listed.corrections] == ["undone"]
    assert made.correction_id not in [
        each.correction_id for each in (await corrections.list_corrections(services, limit=100)).items
    ]


async def test_a_remake_keeps_corrections_and_further_ones_build_on_it(desk, services, sitting):
    meeting = await published(desk, sitting, 5)
    await correct(services, meeting)
    await tasks.remake_task(services.tables, task_pk(meeting))
    await desk.work()
    full = await articles.open_article(services, meeting.issue_id)
    assert full.recap.key_points[0].text == SUPPORTED
    title = full.recap.title
    await corrections.correct_article(
        services,
        CONSOLE,
        meeting.issue_id,
        CorrectionWish(kind="replaced", part="title", before=title, after="図書館整備法案に賛成", note="Shorter."),
    )
    full = await articles.open_article(services, meeting.issue_id)
    assert (full.recap.title, full.card.title) == ("図書館整備法案に賛成", "図書館整備法案に賛成")
    assert full.recap.key_points[0].text == SUPPORTED
    assert len(full.recap.corrections) == 2


async def test_a_correction_that_no_longer_matches_is_shown_to_the_editor(desk, services, sitting):
    meeting = await published(desk, sitting, 6)
    wish, made = await correct(services, meeting)
    writer = ExtractiveWriter(services.clock)
    recap = await write_recap(meeting, writer=writer, clock=services.clock, pack_store=NoPackStore())
    others = tuple(msgspec.structs.replace(point, text="大野空君は賛成しました。") for point in recap.key_points[1:2])
    other = msgspec.structs.replace(recap, key_points=others, summary=(), soft_language_summary=(), middle_summary=())
    await publish_recap(services, meeting, other, record_url="")
    (listed,) = (await corrections.list_article_corrections(services, meeting.issue_id)).corrections
    assert (listed.correction_id, listed.status) == (made.correction_id, "unmatched")
    await publish_recap(services, meeting, recap, record_url="")
    (listed,) = (await corrections.list_article_corrections(services, meeting.issue_id)).corrections
    assert listed.status == "applied"
    assert wish.before == listed.before


async def test_a_report_that_leads_to_a_correction_is_closed_by_it(desk, services, site, sitting):
    meeting = await published(desk, sitting, 7)
    report = await reports.report_error(services, CONSOLE, meeting.issue_id, "How many libraries?")
    recap = (await articles.open_article(services, meeting.issue_id)).recap
    body = {
        "kind": "replaced",
        "before": recap.key_points[0].text,
        "after": SUPPORTED,
        "orders": [2],
        "note": NOTE,
        "report_id": report.report_id,
    }
    path = f"/api/v1/recap/articles/{meeting.issue_id}/corrections"
    first = await site.post(path, json=body, headers={"Idempotency-Key": "once"})
    again = await site.post(path, json=body, headers={"Idempotency-Key": "once"})
    assert first.status_code == again.status_code == 201
    assert first.json()["correction_id"] == again.json()["correction_id"]
    listed = (await site.get(path)).json()
    assert [each["note"] for each in listed["corrections"]] == [NOTE]
    assert [(each["status"], each["answer"]) for each in listed["answered"]] == [("closed", NOTE)]
    feed = (await site.get("/api/v1/recap/feeds/corrections.atom")).text
    assert SUPPORTED in feed
    assert "<dcterms:temporal>2026-02-10</dcterms:temporal>" in feed
    undone = await site.post(f"{path}/{first.json()['correction_id']}/undo")
    assert undone.json()["status"] == "undone"
