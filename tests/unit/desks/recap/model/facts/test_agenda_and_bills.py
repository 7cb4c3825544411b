"""Agenda, bills and attendance come from the header and from what is laid before the house."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.facts.titles import bare_title, bill_key, bill_kind, split_titles


@pytest.fixture
def facts_of(sample_of):
    return lambda name: read_facts(sample_of(name))


def test_a_bill_has_one_key_in_both_houses_and_all_meetings(facts_of):
    names = ("chiiki-kotsu-iinkai", "shugiin-honkaigi", "sangiin-kokkou", "sangiin-honkaigi")
    keys = [{bill.title: bill.key for bill in facts_of(name).bills} for name in names]
    assert len({each["地域生活交通の維持に関する法律案"] for each in keys}) == 1


@pytest.mark.parametrize(
    "written",
    [
        "　第一　水道法の一部を改正する法律案（内閣提出）",
        "日程第二　水道法の一部を改正する法律案（内閣提出、衆議院送付）",
        "内閣提出、水道法の一部を改正する法律案",
        "○水道法の一部を改正する法律案（第二百五十回国会、内閣提出第三号）",
    ],
)
def test_numbers_origins_and_notes_are_no_part_of_a_title(written):
    assert bare_title(written) == "水道法の一部を改正する法律案"
    assert bill_key(written, 251) == bill_key("水道法の一部を改正する法律案", 251)
    assert bill_key(written, 251) != bill_key(written, 252)


@pytest.mark.parametrize(
    "lead_in",
    [
        "",
        "次に、",
        "続いて、",
        "まず、",
        "これより",
        "それでは、ただいまから",
        "この際、",
        "前回に引き続き、",
        "休憩前に引き続き、",
        "本日は、お手元に配付の議事日程のとおり、",
        "次に、内閣提出、衆議院送付、",
        "続いて、日程第二、",
        "お諮りしました内閣提出、",
    ],
)
def test_a_bill_is_the_one_of_the_header_however_the_chair_lays_it(meeting_with, lead_in):
    meeting = meeting_with(
        ("榛名一成", "○委員長（榛名一成君）　これより会議を開きます。"),
        ("榛名一成", f"○委員長（榛名一成君）　{lead_in}水道法の一部を改正する法律案を議題といたします。"),
        ("九重由香", "○九重由香君　水道について伺います。"),
        header="○本日の会議に付した案件\n　水道法の一部を改正する法律案（内閣提出第三号）\n",
    )
    (bill,) = read_facts(meeting).bills
    assert (bill.title, bill.orders) == ("水道法の一部を改正する法律案", (2, 3))


@pytest.mark.parametrize(
    "words",
    [
        "この際、内閣提出、防災法案について、趣旨の説明を求めます。",
        "この際、日程に追加して、防災法案について、提出者の趣旨説明を求めたいと存じますが、御異議ございませんか。",
    ],
)
def test_a_bill_that_is_only_explained_is_the_same_and_has_its_own_speeches(meeting_with, words):
    meeting = meeting_with(
        ("榛名一成", "○議長（榛名一成君）　日程第一、水道法案を議題といたします。"),
        ("榛名一成", f"○議長（榛名一成君）　{words}"),
        ("穂高律子", "○国務大臣（穂高律子君）　防災について、趣旨を御説明いたします。"),
        header="○本日の会議に付した案件\n　日程第一　水道法案（内閣提出）\n　防災法案（内閣提出）の趣旨説明及び質疑\n",
    )
    water, disasters = read_facts(meeting).bills
    assert (water.title, water.orders) == ("水道法案", (1,))
    assert (disasters.title, disasters.orders) == ("防災法案", (2, 3))
    assert disasters.key == bill_key("防災法案", 251)


@pytest.mark.parametrize(
    ("matter", "words"),
    [
        ("国土交通行政の基本施策に関する件", "国土交通行政の基本施策に関する件について調査を進めます。"),
        ("国土の整備、交通政策の推進等に関する調査", "国土の整備、交通政策の推進等に関する調査を議題といたします。"),
    ],
)
def test_what_is_looked_into_after_a_bill_is_not_about_the_bill(meeting_with, matter, words):
    meeting = meeting_with(
        ("榛名一成", "○榛名委員長　水道法案を議題といたします。"),
        ("榛名一成", f"○榛名委員長　次に、{words}"),
        ("九重由香", "○九重委員　鉄道について伺います。"),
        header=f"○本日の会議に付した案件\n　水道法案（内閣提出第三号）\n　{matter}\n",
    )
    bill, other = read_facts(meeting).agenda
    assert (bill.orders, other.title, other.orders) == ((1,), matter, (2, 3))


def test_without_a_header_a_bill_is_called_as_everywhere(meeting_with):
    words = "次に、前回に引き続き、内閣提出、水道法の一部を改正する法律案を議題といたします。"
    (bill,) = read_facts(meeting_with(("榛名一成", f"○委員長（榛名一成君）　{words}"))).bills
    assert bill.key == bill_key("水道法の一部を改正する法律案", 251)


@pytest.mark.parametrize(
    "title",
    [
        "放送法第七十条第二項の規定に基づき、承認を求めるの件",
        "国家公務員法、地方公務員法等の一部を改正する法律案",
        "前払式証票の規制に関する法律案",
        "今後の水道に関する法律案",
    ],
)
def test_what_only_looks_like_a_lead_in_belongs_to_the_title(title):
    assert bare_title(title) == title


@pytest.mark.parametrize(
    ("title", "kind"),
    [
        ("令和八年度一般会計予算", "budget"),
        ("航空業務に関する日本国とサラーン共和国との間の協定の締結について承認を求めるの件", "treaty"),
        ("放送法第七十条第二項の規定に基づき、承認を求めるの件", "approval"),
        ("水道法案", "bill"),
        ("検査官任命につき同意を求めるの件", "personnel"),
        ("政府参考人出頭要求に関する件", "other"),
    ],
)
def test_business_is_told_apart(title, kind):
    assert bill_kind(title) == kind


def test_several_things_laid_together_are_several_items():
    assert split_titles("甲法の一部を改正する法律案（内閣提出）及び乙法案") == [
        "甲法の一部を改正する法律案（内閣提出）",
        "乙法案",
    ]


def test_the_items_of_a_plenary_have_their_own_speeches(facts_of):
    first, second = facts_of("shugiin-honkaigi").agenda
    assert (first.number, second.number) == (1, 2)
    assert (first.orders, second.orders) == ((2, 3, 4, 5), (6, 7, 8, 9))


def test_a_budget_laid_as_three_is_three_bills(facts_of):
    assert [bill.kind for bill in facts_of("yosan-iinkai").bills] == ["budget"] * 3


def test_everybody_the_header_lists_is_there_with_their_office(facts_of):
    listed = {each.name: each.office for each in facts_of("chiiki-kotsu-iinkai").attendance}
    assert listed["榛名一成"] == "委員長"
    assert listed["雲仙太一"] == "理事"
    assert listed["穂高律子"] == "国土交通大臣"
    assert listed["蔵王健"] == "国土交通省総合政策局長"
    assert "石狩順子" in {each.name for each in facts_of("kyushoku-sankounin").attendance}


def test_the_times_are_those_of_the_record(facts_of):
    facts = facts_of("shugiin-honkaigi")
    assert (facts.opened, facts.closed) == ("午後一時二分開議", "午後一時二十一分散会")


def test_a_sitting_without_a_header_has_no_agenda_of_its_own(meeting_with):
    facts = read_facts(meeting_with("○九重委員　水道について伺います。"))
    assert (facts.agenda, facts.bills, facts.attendance, facts.opened) == ((), (), (), "")


def test_only_those_who_spoke_while_a_bill_was_discussed_spoke_about_it(meeting_with):
    meeting = meeting_with(
        ("浜名徹", "○議長（浜名徹君）　日程第一　水道法案を議題といたします。"),
        ("榛名一成", "○榛名一成君　水道法案につきまして、審査の経過を御報告申し上げます。"),
        ("浜名徹", "○議長（浜名徹君）　本案に賛成の諸君の起立を求めます。"),
        (
            "浜名徹",
            "○議長（浜名徹君）　起立多数。よって、本案は可決いたしました。\r\n　　――――◇―――――\r\n　国務大臣の演説",
        ),
        ("十勝修平", "○内閣総理大臣（十勝修平君）　先ほど可決された水道法案のほか、三つの改革を進めます。"),
    )
    (bill,) = read_facts(meeting).bills
    assert bill.orders == (1, 2, 3, 4)


def test_two_bills_of_one_title_stay_two(meeting_with):
    title = "衆議院規則の一部を改正する規則案"
    meeting = meeting_with(
        ("浜名徹", "○議長（浜名徹君）　日程第二を議題といたします。本案に賛成の諸君の起立を求めます。"),
        ("浜名徹", "○議長（浜名徹君）　起立少数。よって、本案は否決されました。"),
        header=f"　議事日程\r\n　第一　{title}（雲仙太一君外三名提出）\r\n　第二　{title}（九重由香君外五名提出）",
    )
    facts = read_facts(meeting)
    first, second = facts.bills
    assert first.key != second.key
    (decision,) = facts.decisions
    assert (decision.subject, decision.bill) == (f"{title}（九重由香君外五名提出）", second.key)
