"""Decisions of the upper house's plenary, in every construction that its president uses."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts

PRESIDENT = "○議長（浜名徹君）　"
WATER, RIVER, FOREST = "水道法の一部を改正する法律案", "河川法の一部を改正する法律案", "森林経営法案"
COUNT = (
    "投票の結果を報告いたします。\r\n　　投票総数　　　　　{}　　\r\n　　賛成　　　　　　　{}　　\r\n　"
    "　反対　　　　　　　{}　　\r\n　よって、{}（拍手）"
)
OPENS_VOTE = "これより採決をいたします。\r\n　"
BUTTON = "投票ボタンをお押し願います。\r\n　　　〔投票開始〕"
ENDS_VOTE = "間もなく投票を終了いたします。──これにて投票を終了いたします。\r\n　　　〔投票終了〕"


@pytest.fixture
def decided(decisions_of):
    """The decisions of a plenary of the upper house; each text is a speech of its president."""

    def read(*texts, header=""):
        speeches = [text if isinstance(text, tuple) else PRESIDENT + text for text in texts]
        return decisions_of(*speeches, header=header)

    return read


def test_the_budget_is_put_to_the_vote_with_all_three_parts(decided):
    titles = ("令和八年度一般会計予算", "令和八年度特別会計予算", "令和八年度政府関係機関予算")
    results = decided(
        f"日程第一　{titles[0]}\r\n　日程第二　{titles[1]}\r\n　日程第三　{titles[2]}\r\n　　（衆議院送付）\r\n"
        "　以上三案を一括して議題といたします。\r\n　まず、委員長の報告を求めます。予算委員長榛名一成君。",
        ("榛名一成", "○榛名一成君　三案の審査の経過と結果を御報告申し上げます。"),
        "三案に対し、討論の通告がございます。順次発言を許します。九重由香君。",
        ("九重由香", "○九重由香君　三案に反対の立場から討論いたします。"),
        "これにて討論は終局いたしました。",
        f"{OPENS_VOTE}表決は記名投票をもって行います。三案に賛成の諸君は白色票を、反対の諸君は青色票を、"
        "御登壇の上、投票を願います。"
        "\r\n　議場の閉鎖を命じます。氏名点呼を行います。",
        "投票の結果を報告いたします。\r\n　　投票総数　　　　二百四十票\r\n　　白色票　　　　　百三十七票\r"
        "\n　　青色票　　　　　　百三票\r\n"
        "　よって、三案は可決されました。（拍手）",
    )
    assert results == [(title, "passed", 137, 103) for title in titles]


def test_an_amended_budget_goes_back_to_the_other_house(decided):
    titles = ("令和八年度一般会計予算", "令和八年度特別会計予算")
    results = decided(
        (
            f"日程第一　{titles[0]}\r\n　日程第二　{titles[1]}\r\n　　（衆議院送付）\r\n　以上両案を一括して議題"
            "といたします。"
        ),
        "両案の委員長の報告は、令和八年度一般会計予算は修正議決、令和八年度特別会計予算は可決でございます。\r\n"
        "　まず、令和八年度一般会計予算の採決をいたします。\r\n　本案を委員長報告のとおり修正議決することの"
        "賛否について、" + BUTTON,
        COUNT.format("二百四十", "百三十", "百十", "本案は委員長報告のとおり修正議決されました。"),
        "次に、令和八年度特別会計予算の採決をいたします。\r\n　本案の賛否について、" + BUTTON,
        COUNT.format("二百四十", "百三十五", "百五", "本案は可決されました。"),
    )
    assert results == [(titles[0], "amended", 130, 110), (titles[1], "passed", 135, 105)]


def test_joined_bills_are_voted_on_by_title_and_the_rest_together(decided):
    laid = (
        f"日程第一　{WATER}\r\n　日程第二　{RIVER}\r\n　　（いずれも内閣提出、衆議院送付）\r\n　日程第三　{FOREST}"
        "（内閣提出）\r\n"
        "　以上三案を一括して議題といたします。"
    )
    results = decided(
        laid,
        (
            f"{OPENS_VOTE}まず、{WATER}及び{FOREST}を一括して採決いたします。\r\n　両案に賛成の諸君の起立を求め"
            "ます。\r\n　　　〔賛成者起立〕"
        ),
        "総員起立と認めます。\r\n　よって、両案は全会一致をもって可決されました。（拍手）\r\n　次に、"
        f"{RIVER}の採決をいたします。\r\n"
        "　本案に賛成の諸君の起立を求めます。",
        "過半数と認めます。\r\n　よって、本案は可決されました。（拍手）",
    )
    assert results == [(WATER, "passed"), (FOREST, "passed"), (RIVER, "passed")]


def test_a_bill_reported_as_amended_is_decided_in_two_steps(decided):
    results = decided(
        f"日程第一　{WATER}（内閣提出、衆議院送付）を議題といたします。",
        (
            f"{OPENS_VOTE}本案の委員長の報告は修正議決報告でございます。\r\n　まず、委員会の修正案の賛否について"
            f"、{BUTTON}"
        ),
        COUNT.format("二百三十", "百二十", "百十", "委員会の修正案は可決されました。"),
        f"次に、ただいま可決されました修正部分を除いた原案の賛否について、{BUTTON}",
        COUNT.format(
            "二百三十",
            "二百",
            "三十",
            "修正部分を除いた原案は可決されました。\r\n　これにて本案は委員長報告のとおり修正議決されました。",
        ),
    )
    assert (f"{WATER}に対する委員会の修正案", "passed", 120, 110) in results
    assert results[-1][0] == WATER
    assert results[-1][2:] == (200, 30)


def test_a_bill_reported_as_rejected_is_put_to_the_vote_as_it_was(decided):
    results = decided(
        f"日程第一　{WATER}（衆議院提出）を議題といたします。",
        (
            f"{OPENS_VOTE}本案の委員長の報告は否決報告でございます。\r\n　本案を原案どおり可決することの賛否につ"
            f"いて、{BUTTON}"
        ),
        COUNT.format("二百三十", "百", "百三十", "本案は否決されました。"),
    )
    assert results == [(WATER, "rejected", 100, 130)]


def test_accounts_are_approved_and_the_cabinet_is_warned(decided):
    accounts = (
        "令和五年度一般会計歳入歳出決算、令和五年度特別会計歳入歳出決算、令和五年度国税収納金整理資金受払計"
        "算書、令和五年度政府関係機関決算書"
    )
    growth, loans = "令和五年度国有財産増減及び現在額総計算書", "令和五年度国有財産無償貸付状況総計算書"
    results = decided(
        (
            f"日程第一　{accounts}\r\n　日程第二　{growth}\r\n　日程第三　{loans}\r\n　以上三件を一括して議題と"
            "いたします。\r\n　まず、委員長の報告を求めます。"
        ),
        f"{OPENS_VOTE}まず、日程第一の{accounts}について採決をいたします。\r\n"
        "　本件の委員長報告は、本件決算を是認すること及び内閣に対し警告することから成っております。\r\n"
        f"　まず、本件決算を委員長報告のとおり是認することの賛否について、{BUTTON}",
        COUNT.format("二百二十一", "百三十九", "八十二", "本件決算は委員長報告のとおり是認することに決しました。"),
        f"次に、委員長報告のとおり内閣に対し警告することの賛否について、{BUTTON}",
        COUNT.format(
            "二百二十一", "二百二十一", "〇", "委員長報告のとおり内閣に対し警告することに全会一致をもって決しました。"
        ),
        (
            f"次に、日程第二の{growth}について採決をいたします。\r\n　本件を委員長報告のとおり是認することの賛否"
            f"について、{BUTTON}"
        ),
        COUNT.format("二百二十一", "百三十八", "八十三", "本件は委員長報告のとおり是認することに決しました。"),
        (
            f"次に、日程第三の{loans}について採決をいたします。\r\n　本件を委員長報告のとおり是認することの賛否"
            f"について、{BUTTON}"
        ),
        COUNT.format("二百二十一", "百五十二", "六十九", "本件は委員長報告のとおり是認することに決しました。"),
    )
    assert results == [
        (accounts, "approved", 139, 82),
        ("委員長報告のとおり内閣に対し警告すること", "other", 221, 0),
        (growth, "approved", 138, 83),
        (loans, "approved", 152, 69),
    ]


def test_reserves_are_consented_to(decided):
    first = "令和五年度一般会計予備費使用総調書及び各省各庁所管使用調書（その１）"
    second = "令和五年度特別会計予備費使用総調書及び各省各庁所管使用調書（その１）"
    results = decided(
        (
            f"日程第一　{first}\r\n　日程第二　{second}\r\n　　（いずれも衆議院送付）\r\n　以上両件を一括して議"
            "題といたします。"
        ),
        f"{OPENS_VOTE}まず、日程第一について採決をいたします。\r\n　本件を承諾することの賛否について、{BUTTON}",
        COUNT.format("二百二十四", "二百八", "十六", "本件は承諾することに決しました。"),
        f"次に、日程第二について採決をいたします。\r\n　本件を承諾することの賛否について、{BUTTON}",
        COUNT.format("二百二十四", "二百二十四", "〇", "本件は全会一致をもって承諾することに決しました。"),
        header=f"○議事日程　第四号\r\n　第一　{first}（衆議院送付）\r\n　第二　{second}（衆議院送付）\r\n",
    )
    assert [(outcome, *counts) for _, outcome, *counts in results] == [("approved", 208, 16), ("approved", 224, 0)]
    assert [subject.partition("（")[0] for subject, *_ in results] == [
        first.partition("（")[0],
        second.partition("（")[0],
    ]


def test_treaties_are_approved_together(decided):
    titles = tuple(
        f"社会保障に関する日本国と{country}との間の協定の締結について承認を求めるの件"
        for country in ("北国", "南国", "西国")
    )
    results = decided(
        (
            f"日程第一　{titles[0]}\r\n　日程第二　{titles[1]}\r\n　日程第三　{titles[2]}\r\n　　（いずれも衆議"
            "院送付）\r\n　以上三件を一括して議題といたします。"
        ),
        (
            f"{OPENS_VOTE}まず、{titles[0]}及び{titles[2]}を一括して採決いたします。\r\n　両件を承認することに賛"
            "成の諸君の起立を求めます。"
        ),
        (
            "総員起立と認めます。\r\n　よって、両件は全会一致をもって承認することに決しました。（拍手）\r\n　次"
            f"に、{titles[1]}の採決をいたします。\r\n　本件を承認することに賛成の諸君の起立を求めます。"
        ),
        "過半数と認めます。\r\n　よって、本件は承認することに決しました。（拍手）",
    )
    assert results == [(titles[0], "approved"), (titles[2], "approved"), (titles[1], "approved")]


def test_consent_to_appointments_with_names_on_which_groups_differ(decided):
    results = decided(
        "日程第一　国家公務員等の任命に関する件を議題といたします。\r\n　内閣から、人事官に大雪淳君を、"
        "運輸審議会委員に利尻大君及び羊蹄文君を任命することについて、本院の同意を求めてまいりました。"
        "\r\n"
        f"　まず、人事官の任命について採決をいたします。\r\n　内閣申出のとおり同意することの賛否について、{BUTTON}",
        COUNT.format("二百三十五", "二百二十", "十五", "同意することに決しました。"),
        (
            "次に、運輸審議会委員のうち利尻大君の任命について採決をいたします。\r\n　内閣申出のとおり同意するこ"
            f"との賛否について、{BUTTON}"
        ),
        COUNT.format("二百三十六", "百六十七", "六十九", "同意することに決しました。"),
        (
            "次に、運輸審議会委員のうち羊蹄文君の任命について採決をいたします。\r\n　内閣申出のとおり同意するこ"
            f"との賛否について、{BUTTON}"
        ),
        COUNT.format("二百三十六", "二百三十六", "〇", "全会一致をもって同意することに決しました。"),
    )
    assert [(outcome, *counts) for _, outcome, *counts in results] == [
        ("consented", 220, 15),
        ("consented", 167, 69),
        ("consented", 236, 0),
    ]
    assert "人事官" in results[0][0]
    assert "利尻大君" in results[1][0]
    assert "羊蹄文君" in results[2][0]
    assert "羊蹄文君" not in results[1][0]


@pytest.mark.parametrize(
    ("title", "counts", "result", "expected"),
    [
        (
            "内閣総理大臣十勝修平君問責決議案（九重由香君外五名発議）",
            ("二百三十八", "百二十五", "百十三"),
            "本決議案は可決されました。",
            "passed",
        ),
        (
            "法務大臣穂高律子君問責決議案（九重由香君外五名発議）",
            ("二百三十八", "八十五", "百五十三"),
            "本決議案は否決されました。",
            "rejected",
        ),
        (
            "議院運営委員長榛名一成君解任決議案（九重由香君外五名発議）",
            ("237", "73", "164"),
            "本決議案は否決されました。",
            "rejected",
        ),
        (
            "棚池の保全に関する決議案（榛名一成君外七名発議）",
            ("２３３", "２３３", "０"),
            "本決議案は全会一致をもって可決されました。",
            "passed",
        ),
    ],
)
def test_resolutions_that_are_laid_after_a_request_for_urgency(decided, title, counts, result, expected):
    bare = title.partition("（")[0]
    results = decided(
        (
            f"この際、お諮りいたします。\r\n　{title}は、発議者要求のとおり委員会の審査を省略し、日程に追加して"
            "これを議題とすることに御異議ございませんか。"
        ),
        (
            "御異議ないと認めます。\r\n　本決議案を議題といたします。\r\n　まず、発議者の趣旨説明を求めます。"
            "九重由香君。"
        ),
        f"{OPENS_VOTE}本決議案の賛否について、{BUTTON}",
        COUNT.format(*counts, result),
    )
    (decision,) = results
    assert decision[:2] == (bare, expected)


def test_an_interim_report_is_asked_for_and_the_bill_is_taken_up(decided):
    results = decided(
        (
            f"九重由香君外一名から、賛成者を得て、国土交通委員会において審査中の{WATER}について、速やかに国土交"
            "通委員長の中間報告を求めることの動議が提出されました。"
        ),
        f"{OPENS_VOTE}本動議の賛否について、{BUTTON}",
        COUNT.format("二百三十八", "百四十八", "九十", "本動議は可決されました。"),
    )
    assert [(outcome, *counts) for _, outcome, *counts in results] == [("passed", 148, 90)]
    assert results[0][0] != WATER
    assert "動議" in results[0][0]


def test_a_time_limit_for_speeches_is_no_decision_about_the_bill(decided):
    results = decided(
        f"日程第一　{WATER}（内閣提出）を議題といたします。",
        (
            "榛名一成君外一名から、本案に対する質疑、討論その他の発言時間は一人十分に制限することの動議が提出さ"
            f"れました。\r\n　よって、本動議について採決をいたします。\r\n　本動議の賛否について、{BUTTON}"
        ),
        COUNT.format("二百三十", "百六十一", "六十九", "本動議は可決されました。"),
    )
    assert all(subject != WATER for subject, *_ in results)


def test_an_election_by_ballot_names_the_president(meeting_with):
    texts = (
        (
            "三国悟",
            (
                "○事務総長（三国悟君）　これより議長の選挙を行います。\r\n　投票は無名投票でございます。議席に配付"
                "してあります無名投票用紙に議長の候補者の氏名を記入して、御登壇の上、投票を願います。"
            ),
        ),
        (
            "三国悟",
            (
                "○事務総長（三国悟君）　投票の結果を報告いたします。\r\n　　投票総数　　　　　　　　二百四十二票\r"
                "\n　本投票の過半数は百二十二票でございます。\r\n"
                "　　浜名徹君　　　　　　　　　二百二十票\r\n　　九重由香君　　　　　　　　　　　十票\r\n　　白票　"
                "　　　　　　　　　　　　十二票\r\n　よって、浜名徹君が議長に当選されました。"
            ),
        ),
    )
    (decision,) = read_facts(meeting_with(*texts, house="参議院", meeting="本会議")).decisions
    assert (decision.subject, decision.outcome) == ("議長に浜名徹君", "appointed")
    assert decision.vote.total == 242
    assert [(each.name, each.votes) for each in decision.vote.ballots] == [("浜名徹", 220), ("九重由香", 10)]


def test_petitions_and_work_after_the_session(decided):
    results = decided(
        (
            "日程第一　水道料金の軽減に関する請願外十五件の請願を一括して議題といたします。\r\n　本請願は、"
            "国土交通委員長から報告書が提出されております。委員長の報告を省略し、委員会決定のとおり採択すること"
            "に御異議ございませんか。"
        ),
        "御異議ないと認めます。\r\n　よって、本請願は委員会決定のとおり採択することに決しました。",
        (
            "この際、委員会の審査及び調査を閉会中も継続するの件についてお諮りいたします。\r\n　本件は各委員長要"
            "求のとおり決することに御異議ございませんか。"
        ),
        "御異議ないと認めます。\r\n　よって、本件は各委員長要求のとおり決しました。",
    )
    assert [outcome for _, outcome in results] == ["adopted", "continued"]
    assert "請願" in results[0][0]
    assert "継続" in results[1][0]


def test_a_bill_is_withdrawn_and_a_member_may_resign(decided):
    results = decided(
        (
            f"この際、お諮りいたします。\r\n　発議者から、{WATER}を撤回いたしたいとの申出がございました。"
            "\r\n　これを許可することに御異議ございませんか。"
        ),
        "御異議ないと認めます。\r\n　よって、許可することに決しました。",
        (
            "この際、お諮りいたします。\r\n　議員仁淀明君から辞職願が提出されました。\r\n　同君の議員辞職を許可"
            "することに御異議ございませんか。"
        ),
        "御異議ないと認めます。\r\n　よって、許可することに決しました。",
    )
    assert [outcome for _, outcome in results] == ["withdrawn", "permitted"]
    assert WATER in results[0][0]
    assert "辞職" in results[1][0]


def test_bills_of_one_name_stay_two(meeting_with):
    header = (
        f"○議事日程　第四号\r\n　第一　{WATER}（閣法第三号）（衆議院送付）\r\n　第二　{WATER}（衆第八号）（"
        "衆議院送付）\r\n"
    )
    texts = (
        (
            f"日程第一　{WATER}（閣法第三号）\r\n　日程第二　{WATER}（衆第八号）\r\n　　（いずれも衆議院送付）\r"
            "\n　以上両案を一括して議題といたします。"
        ),
        f"{OPENS_VOTE}まず、日程第一の賛否について、{BUTTON}",
        COUNT.format("二百三十", "二百", "三十", "本案は可決されました。"),
        f"次に、日程第二の賛否について、{BUTTON}",
        COUNT.format("二百三十", "百", "百三十", "本案は否決されました。"),
    )
    meeting = meeting_with(*(PRESIDENT + text for text in texts), header=header, house="参議院", meeting="本会議")
    first, second = read_facts(meeting).decisions
    assert (first.outcome, second.outcome) == ("passed", "rejected")
    assert first.bill != second.bill
    assert "閣法第三号" in first.subject
    assert "衆第八号" in second.subject


@pytest.mark.parametrize(
    ("question", "result", "method"),
    [
        ("本案に賛成の諸君の起立を求めます。", "過半数と認めます。\r\n　よって、本案は可決されました。", "起立"),
        (
            f"本案の賛否について、{BUTTON}",
            COUNT.format("二百", "百五十", "五十", "本案は可決されました。"),
            "押しボタン",
        ),
        (
            "本案に賛成の諸君は白色票を、反対の諸君は青色票を、御登壇の上、投票を願います。",
            COUNT.format("二百", "百五十", "五十", "本案は可決されました。"),
            "記名投票",
        ),
        ("本案に御異議ございませんか。", "御異議ないと認めます。\r\n　よって、本案は可決されました。", "異議なし"),
        (
            "本案に賛成の方の挙手を願います。",
            "多数と認めます。よって、本案は可決すべきものと決定いたしました。",
            "挙手",
        ),
    ],
)
def test_the_method_of_a_vote(meeting_with, question, result, method):
    texts = (f"日程第一　{WATER}（内閣提出）を議題といたします。", f"{OPENS_VOTE}{question}", result)
    (decision,) = read_facts(meeting_with(*(PRESIDENT + text for text in texts))).decisions
    assert decision.method == method
