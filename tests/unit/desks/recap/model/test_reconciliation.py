"""What in a sitting doesn't reconcile, and what a house's own rules allow."""

from datetime import UTC, datetime

import msgspec
import pytest

from almanac.desks.recap.model.meeting import Meeting, Speech
from almanac.desks.recap.model.recap import Recap, RecapProvenance
from almanac.desks.recap.model.reconciliation import find_contradictions
from almanac.desks.recap.model.record import HouseDecision, RecordFacts, Vote


def kinds_of(*decisions, title="会議", description=""):
    recap = Recap(
        title=title,
        description=description,
        categories=(),
        key_points=(),
        summary=(),
        soft_language_summary=(),
        middle_summary=(),
        dialogs=(),
        exchanges=(),
        participants=(),
        keywords=(),
        terms=(),
        facts=RecordFacts(decisions=decisions),
        provenance=RecapProvenance(model="extractive", prompt_version="1", made_at=datetime(2026, 1, 1, tzinfo=UTC)),
    )
    return [finding.kind for finding in find_contradictions(recap)]


def decided(outcome="passed", *counts, subject="図書館法案", text="本案は可決されました。", asked_at=1, order=2):
    vote = Vote(**dict(zip(("total", "in_favour", "against"), counts, strict=False))) if counts else None
    return HouseDecision(order=order, text=text, outcome=outcome, asked_at=asked_at, subject=subject, vote=vote)


def test_counts_that_add_up_reconcile():
    assert kinds_of(decided("passed", 10, 6, 4), decided("rejected", 10, 4, 6, subject="河川法案")) == []


@pytest.mark.parametrize("total", [9, 11])
def test_a_total_that_is_not_the_sum(total):
    assert kinds_of(decided("passed", total, 6, 4)) == ["sum"]


def test_announced_blank_ballots_explain_a_larger_total_and_no_smaller_one():
    text = "投票総数十一、賛成六、反対四、無効一。よって可決されました。"
    assert kinds_of(decided("passed", 11, 6, 4, text=text)) == []
    assert kinds_of(decided("passed", 9, 6, 4, text=text)) == ["sum"]


def test_a_vote_on_names_has_no_sum():
    assert kinds_of(decided("appointed", 242, 146, 90)) == []


def test_a_result_against_its_count():
    assert kinds_of(decided("passed", 10, 4, 6)) == ["majority"]
    assert kinds_of(decided("rejected", 10, 6, 4)) == ["majority"]
    assert kinds_of(decided("passed", 10, 5, 5)) == []
    assert kinds_of(decided("rejected", 10, 6, 4, text="出席議員の三分の二に達しません。よって否決されました。")) == []


def test_an_untold_subject_is_held_only_with_counts():
    assert kinds_of(decided("passed", 10, 6, 4, subject="")) == ["untold"]
    assert kinds_of(decided("other", subject="")) == []


def test_a_counted_result_needs_a_question_where_questions_can_be_followed():
    unasked = decided("passed", 10, 6, 4, asked_at=None, subject="河川法案")
    assert kinds_of(decided(), unasked) == ["unasked"]
    assert kinds_of(unasked) == []


def test_business_that_went_both_ways():
    assert kinds_of(decided("passed"), decided("rejected", order=5, asked_at=4)) == ["contradiction"]
    amendment = "図書館法案に対する修正案"
    assert kinds_of(decided("passed", subject=amendment), decided("rejected", subject=amendment)) == []


def test_a_title_or_description_that_says_otherwise():
    assert kinds_of(decided("passed", 10, 6, 4), title="図書館法案を否決") == ["text"]
    assert kinds_of(decided("passed", 10, 6, 4), description="図書館法案は賛成7、反対3で可決された。") == ["text"]
    assert kinds_of(decided("passed", 10, 6, 4), title="図書館法案を可決") == []


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ({"image_kind": "会議録（未定稿）"}, True),
        ({"issue": "第3号（速報版）"}, True),
        ({"image_kind": "Uncorrected transcript"}, True),
        ({"image_kind": "Vorläufiges Protokoll"}, True),
        ({"header": "第一号　未定稿\n○本日の会議に付した案件"}, True),
        ({"image_kind": "会議録"}, False),
        ({"image_kind": "追録"}, False),
        ({"header": "○本日の会議に付した案件" + "　" * 200 + "速報値に関する件"}, False),
        ({}, False),
    ],
)
def test_a_record_that_says_it_is_preliminary(values, expected):
    header = values.pop("header", "")
    speeches = (Speech(order=0, speaker="会議録情報", text=header), Speech(order=1, speaker="甲", text="未定稿の資料"))
    meeting = Meeting(
        issue_id="1", session=1, house="衆議院", meeting="本会議", date=datetime(2026, 1, 1).date(), speeches=speeches
    )
    assert msgspec.structs.replace(meeting, **values).is_preliminary is expected


def test_a_rejected_amendment_in_the_description_is_no_contradiction():
    decisions = (
        decided("rejected", subject="図書館法案に対する甲野太郎君外二名提出の修正案", order=2),
        decided("passed", subject="図書館法案", order=3),
    )
    text = "図書館法案は、可決されました。図書館法案に対する甲野太郎君外2名提出の修正案は、起立少数で否決されました。"
    assert kinds_of(*decisions, description=text) == []
    assert kinds_of(*decisions, description=text.replace("図書館法案は、可決", "図書館法案は、否決")) == ["text"]
