"""Decisions as sentences that people outside the room can follow."""

import pytest

from almanac.desks.recap.model.record import HouseDecision, Vote
from almanac.desks.recap.writer.extractive.business_names import newspaper_name
from almanac.desks.recap.writer.extractive.decision_sentences import (
    brief_subject,
    decision_sentences,
    plain_decision_sentences,
    readable_subject,
)

PLACE = "参議院本会議"


def decided(subject, outcome="passed", text="よって、本案は可決されました。", **fields):
    return HouseDecision(order=3, text=text, outcome=outcome, subject=subject, **fields)


@pytest.mark.parametrize(
    ("spoken", "written"),
    [
        ("港湾委員長の選挙につきましては、これを延期する", "港湾委員長の選挙を延期する"),
        (
            "港湾規則の一部改正の件につきましては、お手元に配付の案を委員会の成案と決定し、これを委員会提出の規則案とする",
            "港湾規則の一部改正の件を委員会提出の規則案とする",
        ),
        (
            "甲の件、乙の件の両件につきましては、いずれもお手元に配付の案のとおり決定すべきものと議長に答申する",
            "甲の件、乙の件を、案のとおり決定すべきものと議長に答申する",
        ),
        ("会期は本日から十月九日までの九日間とすべきもの", "会期は10月9日までの9日間とすべきもの"),
        ("槍一郎君を、衆議院規則第十八条第二項により、本院において会長に指名すること", "槍一郎君を会長に指名すること"),
        (
            "港湾に関する調査を行うため委員四十人よりなる港湾特別委員会を設置",
            "港湾特別委員会を設置すること",
        ),
    ],
)
def test_what_only_people_in_the_room_can_follow_goes(spoken, written):
    assert readable_subject(spoken) == written


def test_of_many_names_a_brief_sentence_has_the_first():
    subject = (
        "監事に槍一郎君を、理事に剱二郎君を、委員に立山三郎君を、会長に穂高登君を任命することについて、同意を与える"
    )
    assert brief_subject(subject) == "監事に槍一郎君、理事に剱二郎君などを任命することについて、同意を与える"


def test_a_small_majority_is_told_as_such():
    assert decision_sentences(decided("水道法案", manner="過半数"))[0] == "水道法案は、過半数の賛成で可決されました。"


def test_plain_words_tell_who_decided_and_put_bills_together():
    bills = [decided("水道法の一部を改正する法律案"), decided("河川法案")]
    assert plain_decision_sentences(PLACE, bills) == (f"{PLACE}は、水道法改正案、河川法案を可決しました。",)
    counted = decided("水道法案", vote=Vote(total=236, in_favour=229, against=7))
    assert plain_decision_sentences(PLACE, [counted])[0] == f"{PLACE}は、水道法案を賛成229、反対7で可決しました。"


def test_plain_words_for_what_a_committee_recommends_and_amends():
    amended = decided("水道法案", "amended", "よって、本案は修正議決すべきものと決しました。", manner="起立多数")
    assert plain_decision_sentences("衆議院環境委員会", [amended])[0] == (
        "衆議院環境委員会は、水道法案を賛成多数で内容を直して議決すべきだと決めました。"
    )


def test_a_decision_that_is_a_clause_comes_before_its_verb():
    session = decided("会期は十二日間とすること", "other", "よって、そのように決まりました。", manner="起立多数")
    assert plain_decision_sentences(PLACE, [session])[0] == (
        f"{PLACE}で、会期は12日間とすることが賛成多数で決まりました。"
    )


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("水道法等の一部を改正する法律案", "水道法等改正案"),
        ("令和九年度一般会計予算", "令和9年度一般会計予算"),
        ("水道の整備に関する法律案", "水道の整備に関する法律案"),
    ],
)
def test_bills_are_named_as_newspapers_do(title, name):
    assert newspaper_name(title) == name
