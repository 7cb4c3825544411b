"""Decisions are read from the chair's words, with the count of votes in whatever way it is written."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.record import Vote
from almanac.language.kanji_numerals import parse_kanji_number

LAID = "○榛名委員長　内閣提出、水道事業の広域化に関する法律案を議題といたします。"


@pytest.fixture
def decided(meeting_with):
    return lambda *texts: read_facts(meeting_with(*texts)).decisions


@pytest.mark.parametrize(
    ("ruling", "outcome", "manner"),
    [
        ("起立多数。よって、本案は原案のとおり可決すべきものと決しました。", "passed", "起立多数"),
        ("起立少数。よって、本案は否決すべきものと決しました。", "rejected", "起立少数"),
        ("御異議なしと認めます。よって、本案は委員長報告のとおり可決いたしました。", "passed", "異議なし"),
        ("よって、本件は承認することに決しました。", "approved", ""),
        ("多数と認めます。よって、本案は多数をもって原案どおり可決すべきものと決定いたしました。", "passed", "多数"),
        ("起立総員。よって、本案は同意することに決しました。", "consented", "起立総員"),
        ("御異議なしと認めます。よって、本件は委員長報告のとおり承認することに決まりました。", "approved", "異議なし"),
        ("起立多数。よって、本案は修正議決すべきものと決しました。", "amended", "起立多数"),
    ],
)
def test_what_was_decided_and_how(decided, ruling, outcome, manner):
    (decision,) = decided(LAID, f"○榛名委員長　{ruling}")
    assert (decision.outcome, decision.manner, decision.order) == (outcome, manner, 2)
    assert decision.subject == "水道事業の広域化に関する法律案"


@pytest.mark.parametrize(
    "count",
    [
        "　　投票総数　　　二百三十六　　\r\n　　賛成　　　二百二十九\r\n　　反対　　　　　七　　",
        "　投票総数　二三六\r\n　可とする者（白票）　　二二九\r\n　否とする者（青票）　七",
        "投票総数　２３６\r\n賛成者　２２９\r\n反対者　７",
    ],
)
def test_votes_are_counted_however_they_are_written(decided, count):
    text = f"○議長（浜名徹君）　投票の結果を報告いたします。\r\n{count}\r\n　よって、本案は可決されました。（拍手）"
    (decision,) = decided("○議長（浜名徹君）　日程第一、水道法案を議題といたします。", text)
    assert decision.vote == Vote(total=236, in_favour=229, against=7)


BOTH = (
    "○榛名委員長　内閣提出、水道法の一部を改正する法律案及び河川法の一部を改正する法律案の両案を"
    "一括して議題といたします。"
)


def test_a_decision_about_both_bills_is_one_about_each(decided):
    results = decided(BOTH, "○榛名委員長　起立多数。よって、両案は原案のとおり可決すべきものと決しました。")
    assert [each.subject for each in results] == ["水道法の一部を改正する法律案", "河川法の一部を改正する法律案"]
    assert len({each.bill for each in results}) == 2


def test_of_bills_laid_together_each_decision_is_about_the_one_put_to_the_vote(decided):
    results = decided(
        BOTH,
        "○榛名委員長　まず、水道法の一部を改正する法律案について採決いたします。賛成の諸君の起立を求めます。",
        "○榛名委員長　起立多数。よって、本案は原案のとおり可決すべきものと決しました。",
        "○榛名委員長　次に、河川法の一部を改正する法律案について採決いたします。賛成の諸君の起立を求めます。",
        "○榛名委員長　起立少数。よって、本案は否決すべきものと決しました。",
    )
    assert [(each.subject, each.outcome) for each in results] == [
        ("水道法の一部を改正する法律案", "passed"),
        ("河川法の一部を改正する法律案", "rejected"),
    ]


BILL = "水道事業の広域化に関する法律案"


@pytest.mark.parametrize(
    ("ruling", "subject", "outcome"),
    [
        ("起立少数。よって、本修正案は否決されました。", f"{BILL}に対する修正案", "rejected"),
        (
            "少数と認めます。よって、九重君提出の修正案は否決されました。",
            f"{BILL}に対する九重君提出の修正案",
            "rejected",
        ),
        ("起立多数。よって、修正案（九重由香君提出）は可決されました。", f"{BILL}に対する修正案", "passed"),
        ("起立少数。よって、九重由香君外二名提出の動議は否決されました。", "九重由香君外二名提出の動議", "rejected"),
        ("起立多数。よって、本動議は可決されました。", "動議", "passed"),
    ],
)
def test_what_became_of_an_amendment_or_a_motion_did_not_become_of_the_bill(decided, ruling, subject, outcome):
    (decision,) = decided(LAID, f"○榛名委員長　{ruling}")
    assert (decision.subject, decision.outcome, decision.bill) == (subject, outcome, None)


def test_a_resolution_of_the_other_house_goes_with_its_bill(decided):
    words = "多数と認めます。よって、本附帯決議案は多数をもって本委員会の決議とすることに決定いたしました。"
    (decision,) = decided(LAID, f"○榛名委員長　{words}")
    assert (decision.subject, decision.outcome) == (f"{BILL}に対する附帯決議", "adopted")
    assert decision.bill


BUDGETS = ("令和八年度一般会計予算", "令和八年度特別会計予算", "令和八年度政府関係機関予算")


def test_budgets_that_are_named_one_by_one_are_decided_about_one_by_one(decided):
    laid = f"○榛名委員長　{'、'.join(BUDGETS)}、以上三案を一括して議題といたします。"
    words = f"起立多数。よって、{'、'.join(BUDGETS)}は、いずれも原案のとおり可決すべきものと決しました。"
    results = decided(laid, f"○榛名委員長　{words}")
    assert [each.subject for each in results] == list(BUDGETS)
    assert len({each.bill for each in results}) == 3
    (motion,) = decided(laid, "○榛名委員長　起立少数。よって、九重由香君提出の動議は否決されました。")
    assert motion.bill is None


def test_a_report_about_another_body_is_no_decision_of_this_one(decided):
    report = {"speaker": "仁淀明", "text": "○仁淀明君　採決の結果、本案は可決すべきものと決定いたしました。"}
    assert decided(LAID, report) == ()


def test_letting_officials_attend_is_no_decision(decided):
    assert decided(LAID, "○榛名委員長　御異議なしと認めます。よって、そのように決しました。") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("二百三十六", 236),
        ("十", 10),
        ("千二十", 1020),
        ("一万二千", 12_000),
        ("二三六", 236),
        ("１２，３４５", 12_345),
        ("〇", 0),
        ("なし", None),
        ("", None),
    ],
)
def test_numerals_of_records(text, value):
    assert parse_kanji_number(text) == value
