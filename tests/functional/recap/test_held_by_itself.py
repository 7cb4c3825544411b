"""A sitting whose votes and subjects don't reconcile waits for a person; whoever releases it is named."""

import msgspec
import pytest

from almanac.accounts.model import CONSOLE
from almanac.desks.recap.model.identity import task_pk
from almanac.desks.recap.pipeline.publish import publish_recap
from almanac.desks.recap.service import articles, editorial
from almanac.desks.recap.store import articles as store
from almanac.desks.recap.store import tasks
from almanac.kit.messages import gettext, translate

LAID = "○議長（青木春子君）　日程第一、図書館整備法案を議題といたします。"
ASKED = "○議長（青木春子君）　これより採決をいたします。図書館整備法案の賛否について、投票ボタンをお押し願います。"


def announced(total, in_favour, against, result="可決"):
    return (
        "○議長（青木春子君）　投票の結果を報告いたします。\n"
        f"　　投票総数　　　　　{total}\n　　賛成　　　　　　　{in_favour}\n　　反対　　　　　　　{against}\n"
        f"　よって、本案は{result}されました。"
    )


def vote(sitting, number, *texts):
    record = sitting(number, meeting="本会議", texts=(LAID, ASKED, *texts))
    for speech in record["speechRecord"][1:]:
        speech["speaker"] = "青木春子"
        speech["speakerPosition"] = "議長"
    return record


async def held_findings(desk, services, record):
    (meeting,) = await desk.publish(record)
    listed = (await editorial.list_held(services, limit=100)).items
    return meeting, [
        finding.kind for status in listed if status.article_id == meeting.issue_id for finding in status.findings
    ]


async def test_votes_that_add_up_are_published(desk, services, sitting):
    meeting, kinds = await held_findings(
        desk, services, vote(sitting, 1, announced("二百四十二", "百四十六", "九十六"))
    )
    assert kinds == []
    full = await articles.open_article(services, meeting.issue_id)
    assert full.recap.facts.decisions[0].vote.total == 242
    assert (full.recap.provenance.coverage.decisions, full.recap.provenance.coverage.decisions_shown) == (1, 1)


@pytest.mark.parametrize(
    ("number", "result", "expected"),
    [
        (2, announced("二百四十二", "百四十六", "九十"), "sum"),
        (3, announced("二百四十二", "九十六", "百四十六"), "majority"),
        (4, announced("二百四十二", "百四十六", "九十六", "否決"), "majority"),
    ],
)
async def test_a_count_that_does_not_reconcile_is_held(desk, services, sitting, number, result, expected):
    meeting, kinds = await held_findings(desk, services, vote(sitting, number, result))
    assert expected in kinds
    assert await store.find_article(services.tables, meeting.issue_id) is None


async def test_a_title_against_the_procedure_is_held(desk, services, sitting):
    meeting, kinds = await held_findings(
        desk, services, vote(sitting, 9, announced("二百四十二", "百四十六", "九十六"))
    )
    assert kinds == []
    article = await articles.open_article(services, meeting.issue_id)
    lying = msgspec.structs.replace(article.recap, title="図書館整備法案を否決（衆議院本会議）")
    published = await publish_recap(services, meeting, lying, record_url="")
    assert not published.is_shown
    status = await editorial.get_status(services, meeting.issue_id)
    assert [finding.kind for finding in status.findings] == ["text"]


async def test_a_released_sitting_stays_released_when_it_is_made_again(desk, services, sitting):
    meeting, kinds = await held_findings(desk, services, vote(sitting, 5, announced("二百四十二", "百四十六", "九十")))
    assert kinds == ["sum"]
    status = await editorial.get_status(services, meeting.issue_id)
    assert (status.state, status.by) == ("held", "")
    released = await editorial.decide_state(
        services, CONSOLE, meeting.issue_id, "published", "", revision=status.revision
    )
    assert released.by == CONSOLE.name
    await tasks.remake_task(services.tables, task_pk(meeting))
    await desk.work()
    assert (await editorial.get_status(services, meeting.issue_id)).state == "published"
    assert (await articles.open_article(services, meeting.issue_id)).meeting == meeting


async def test_a_record_that_changes_so_that_it_does_not_reconcile_is_held_then(desk, services, sitting):
    meeting, _ = await held_findings(desk, services, vote(sitting, 6, announced("二百四十二", "百四十六", "九十六")))
    _, kinds = await held_findings(desk, services, vote(sitting, 6, announced("二百四十二", "百四十六", "九十")))
    assert kinds == ["sum"]
    assert await store.find_article(services.tables, meeting.issue_id) is None


async def test_a_final_record_takes_the_place_of_a_preliminary_one(desk, services, site, sitting):
    record = sitting(7, imageKind="会議録（未定稿）")
    (meeting,) = await desk.publish(record)
    assert (await articles.open_article(services, meeting.issue_id)).card.record_stage == "preliminary"
    feed = (await site.get("/api/v1/recap/feeds/articles.json")).json()
    item = next(each for each in feed["items"] if each["id"].endswith(meeting.issue_id))
    assert item["summary"].splitlines()[1] == translate(gettext("Preliminary record"), "ja")
    await desk.publish(sitting(7))
    full = await articles.open_article(services, meeting.issue_id)
    assert full.card.record_stage is None
    assert (await articles.list_versions(services, meeting.issue_id))[0].reason == (
        "The final record took the place of the preliminary one."
    )
    assert [each.part for each in await articles.compare_versions(services, meeting.issue_id, 1, 2)] == ["record"]


async def test_a_feed_has_the_day_of_publication_and_that_of_the_sitting(desk, services, site, sitting):
    (meeting,) = await desk.publish(sitting(8))
    feed = (await site.get("/api/v1/recap/feeds/articles.json")).json()
    item = next(each for each in feed["items"] if each["id"].endswith(meeting.issue_id))
    assert item["date_published"] == "2026-03-02T09:00:00Z"
    assert item["_event"] == {"day": "2026-02-10"}
    assert item["summary"].startswith("2026-02-10 衆議院 文教委員会")
