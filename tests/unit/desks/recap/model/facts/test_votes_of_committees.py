"""Decisions of committees and of sittings of long ago, in the constructions of their chairs."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts

WATER, RIVER, FOREST = "水道法の一部を改正する法律案", "河川法の一部を改正する法律案", "森林経営法案"
LOWER, UPPER = "○榛名委員長　", "○委員長（榛名一成君）　"


@pytest.fixture
def decided(decisions_of):
    """The decisions of a committee; each text is a speech of its chair."""

    def read(chair, *texts, header=""):
        speeches = [text if isinstance(text, tuple) else chair + text for text in texts]
        return decisions_of(*speeches, header=header, meeting="国土交通委員会")

    return read


def test_several_bills_are_voted_on_one_after_the_other(decided):
    results = decided(
        LOWER,
        (
            f"これより会議を開きます。内閣提出、{WATER}、九重由香君外八名提出、{RIVER}及び内閣提出、参議院送付、"
            f"{FOREST}の各案を一括して議題といたします。"
        ),
        (
            f"これより採決に入ります。\r\n　まず、九重由香君外八名提出、{RIVER}について採決いたします。"
            "\r\n　本案に賛成の諸君の起立を求めます。"
        ),
        "起立少数。よって、本案は否決すべきものと決しました。\r\n"
        f"　次に、内閣提出、{WATER}について採決いたします。\r\n　本案に賛成の諸君の起立を求めます。",
        "起立多数。よって、本案は原案のとおり可決すべきものと決しました。\r\n"
        f"　次に、内閣提出、参議院送付、{FOREST}について採決いたします。\r\n　本案に賛成の諸君の起立を求めます。",
        "起立総員。よって、本案は原案のとおり可決すべきものと決しました。",
    )
    assert results == [(RIVER, "rejected"), (WATER, "passed"), (FOREST, "passed")]


def test_an_amendment_and_the_rest_of_the_bill_in_the_upper_house(decided):
    results = decided(
        UPPER,
        (
            f"{WATER}を議題といたします。\r\n　質疑は終局したものと認めます。\r\n　この際、本案の修正について九"
            "重君から発言を求められておりますので、これを許します。九重由香君。"
        ),
        ("九重由香", "○九重由香君　私は、本案に対し、会派を代表いたしまして修正の動議を提出いたします。"),
        (
            f"それでは、これより{WATER}の採決に入ります。\r\n　まず、九重君提出の修正案の採決を行います。"
            "\r\n　本修正案に賛成の方の挙手を願います。"
        ),
        (
            "少数と認めます。よって、九重君提出の修正案は否決されました。\r\n　それでは、次に原案全部の採決を行"
            "います。\r\n　本案に賛成の方の挙手を願います。"
        ),
        "多数と認めます。よって、本案は多数をもって原案どおり可決すべきものと決定いたしました。",
    )
    assert results == [(f"{WATER}に対する九重君提出の修正案", "rejected"), (WATER, "passed")]


def test_an_amendment_that_carries_leaves_the_rest_to_be_decided(decided):
    results = decided(
        UPPER,
        f"{WATER}を議題といたします。",
        (
            "これより採決に入ります。\r\n　まず、木曽君提出の修正案の採決を行います。\r\n　木曽君提出の修正案に"
            "賛成の方の挙手を願います。"
        ),
        (
            "全会一致と認めます。よって、木曽君提出の修正案は可決されました。\r\n　次に、ただいま可決されました"
            "修正部分を除いた原案全部の採決を行います。\r\n　修正部分を除いた原案に賛成の方の挙手を願います。"
        ),
        (
            "多数と認めます。よって、修正部分を除いた原案は可決されました。\r\n　以上の結果、本案は多数をもって"
            "修正議決すべきものと決定いたしました。"
        ),
    )
    assert results[0] == (f"{WATER}に対する木曽君提出の修正案", "passed")
    assert results[-1] == (WATER, "amended")


def test_a_common_amendment_to_two_bills_names_both(decided):
    results = decided(
        LOWER,
        f"内閣提出、{WATER}及び{RIVER}の両案を一括して議題といたします。",
        (
            f"まず、{WATER}に対する木曽茂君外三名提出の修正案について採決いたします。\r\n　本修正案に賛成の諸君"
            "の起立を求めます。"
        ),
        (
            "起立少数。よって、本修正案は否決されました。\r\n　次に、原案について採決いたします。\r\n　原案に賛"
            "成の諸君の起立を求めます。"
        ),
        (
            f"起立多数。よって、本案は原案のとおり可決すべきものと決しました。\r\n　次に、{RIVER}について採決い"
            "たします。\r\n　本案に賛成の諸君の起立を求めます。"
        ),
        "起立多数。よって、本案は原案のとおり可決すべきものと決しました。",
    )
    assert results == [(f"{WATER}に対する木曽茂君外三名提出の修正案", "rejected"), (WATER, "passed"), (RIVER, "passed")]


def test_the_budget_committee_decides_on_three_parts(decided):
    titles = ("令和八年度一般会計暫定予算", "令和八年度特別会計暫定予算", "令和八年度政府関係機関暫定予算")
    results = decided(
        LOWER,
        f"これより会議を開きます。{titles[0]}、{titles[1]}、{titles[2]}、以上三案を一括して議題といたします。",
        (
            f"これより採決に入ります。\r\n　{titles[0]}、{titles[1]}、{titles[2]}、以上三案を一括して採決いたし"
            "ます。\r\n　三案に賛成の諸君の起立を求めます。"
        ),
        "起立多数。よって、令和八年度一般会計暫定予算外二案は、いずれも原案のとおり可決すべきものと決しました。",
    )
    assert results == [(title, "passed") for title in titles]


def test_petitions_are_sorted_at_the_end_of_a_session(decided):
    results = decided(
        UPPER,
        (
            "これより請願の審査を行います。\r\n　第一八号水道料金の軽減に関する請願外五十七件を議題といたします"
            "。\r\n　本委員会に付託されております請願は、お手元に配付のとおりでございます。"
            "理事会において協議の結果、第一八号水道料金の軽減に関する請願外三件は議院の会議に付するを要するもの"
            "にして内閣に送付するを要するものとし、"
            "第二〇号河川の改修に関する請願外五十三件は保留とすることに意見が一致いたしました。\r\n　以上のとお"
            "り決定することに御異議ございませんか。"
        ),
        "御異議ないと認め、さよう決定いたします。",
        (
            "継続調査要求に関する件についてお諮りいたします。\r\n　国土の整備に関する調査につきましては、"
            "閉会中もなお調査を継続することとし、本件の継続調査要求書を議長に提出いたしたいと存じますが、"
            "御異議ございませんか。"
        ),
        (
            "御異議ないと認め、さよう決定いたします。\r\n　なお、要求書の作成につきましては委員長に御一任願いた"
            "いと存じますが、御異議ございませんか。"
        ),
        "御異議ないと認め、さよう決定いたします。",
        (
            "委員派遣に関する件についてお諮りいたします。\r\n　閉会中の委員派遣につきましては、その取扱いを委員"
            "長に御一任願いたいと存じますが、御異議ございませんか。"
        ),
        "御異議ないと認め、さよう決定いたします。",
    )
    assert [outcome for _, outcome in results] == ["adopted", "continued"]
    assert "請願" in results[0][0]
    assert "国土の整備に関する調査" in results[1][0]


def test_petitions_and_work_after_the_session_in_the_lower_house(decided):
    results = decided(
        LOWER,
        "これより請願の審査に入ります。\r\n　請願日程第一から第四九までの各請願を一括して議題といたします。",
        (
            "お諮りいたします。\r\n　請願日程中、第三から第五及び第九の各請願は、いずれも採択の上内閣に送付すべ"
            "きものと決するに御異議ありませんか。"
        ),
        "御異議なしと認めます。よって、そのように決しました。",
        (
            "閉会中審査に関する件についてお諮りいたします。\r\n"
            f"　九重由香君外八名提出、{RIVER}並びに国土交通行政の基本施策に関する件につきまして、議長に対し、"
            "閉会中審査の申出をいたしたいと存じますが、御異議ありませんか。"
        ),
        "御異議なしと認めます。よって、そのように決しました。",
    )
    assert [outcome for _, outcome in results] == ["adopted", "continued"]
    assert RIVER in results[1][0]


def test_a_bill_is_referred_and_explained_but_not_decided(decided):
    assert (
        decided(
            UPPER,
            (
                f"去る三月二十日、{WATER}が本委員会に付託されました。\r\n　{WATER}を議題といたします。\r\n　政府から"
                "趣旨説明を聴取いたします。穂高国土交通大臣。"
            ),
            (
                "穂高律子",
                (
                    f"○国務大臣（穂高律子君）　ただいま議題となりました{WATER}の提案理由を御説明申し上げます。"
                    "御可決くださいますようお願い申し上げます。"
                ),
            ),
            (
                "以上で趣旨説明の聴取は終わりました。\r\n　本案に対する質疑は後日に譲ることといたします。\r\n　本日"
                "はこれにて散会いたします。"
            ),
        )
        == []
    )


def test_a_committees_report_of_what_the_subcommittee_decided_is_no_decision(decided):
    assert (
        decided(
            LOWER,
            "小委員長から報告を求めます。仁淀明君。",
            (
                "仁淀明",
                (
                    "○仁淀小委員長　小委員会におきましては、採決の結果、起立多数で可決すべきものと決しました。"
                    "以上、御報告いたします。"
                ),
            ),
            "これにて報告は終わりました。",
        )
        == []
    )


def test_objection_leads_to_a_vote_that_decides(decided):
    results = decided(
        LOWER,
        f"内閣提出、{WATER}を議題といたします。",
        (
            "木曽茂",
            "○木曽委員　動議を提出いたします。本案の質疑を終局し、討論を省略し、直ちに採決されんことを望みます。",
        ),
        "ただいまの木曽茂君の動議に賛成の諸君の起立を求めます。",
        (
            "起立多数。よって、そのように決しました。\r\n　これより採決に入ります。\r\n　本案に賛成の諸君の起立"
            "を求めます。"
        ),
        "起立多数。よって、本案は原案のとおり可決すべきものと決しました。",
    )
    assert results == [(WATER, "passed")]


def test_no_confidence_in_the_chair_and_a_vote_in_turmoil(decided):
    results = decided(
        UPPER,
        f"{WATER}を議題といたします。",
        "委員長不信任の動議を議題とし、採決を行います。\r\n　本動議に賛成の方の挙手を願います。",
        "少数と認めます。よって、委員長不信任の動議は否決されました。",
    )
    assert results == [("委員長不信任の動議", "rejected")]


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        (
            (
                (
                    "○委員長（榛名一成君）　それでは水道法案を議題といたします。別に御発言もございませんければ、"
                    "討論は省略いたしまして直ちに採決に入ることに御異議ございませんか。"
                ),
                (
                    "○委員長（榛名一成君）　御異議ないと認めます。それではこれより採決に入ります。水道法案を原案通り可"
                    "決することに賛成の方の御起立を願います。\r\n　〔総員起立〕"
                ),
                (
                    "○委員長（榛名一成君）　総員起立と認めます。よつて本案は全会一致を以て原案通り可決すべきものと決定"
                    "いたしました。"
                ),
            ),
            [("水道法案", "passed")],
        ),
        (
            (
                (
                    "○榛名委員長　水道法案を議題に供します。これより採決いたします。本案に賛成の諸君の御起立を願います"
                    "。\r\n　〔賛成者起立〕"
                ),
                "○榛名委員長　起立多数であります。よつて本案は原案の通り可決するに決しました。",
            ),
            [("水道法案", "passed")],
        ),
        (
            (
                (
                    "○榛名委員長　水道法案を議題といたします。採決をいたします。原案に賛成の諸君の起立を求めます。"
                    "\r\n　〔總員起立〕"
                ),
                "○榛名委員長　起立總員。よつて本案は原案の通り可決いたしました。",
            ),
            [("水道法案", "passed")],
        ),
        (
            (
                "○議長（浜名徹君）　日程第一、水道法案、右を議題といたします。",
                (
                    "○議長（浜名徹君）　これより採決をいたします。本案の委員長の報告は可決であります。本案は委員長報告"
                    "の通り決するに御異議ありませんか。"
                ),
                "○議長（浜名徹君）　御異議なしと認めます。よつて本案は委員長報告の通り可決いたしました。",
            ),
            [("水道法案", "passed")],
        ),
        (
            (
                (
                    "○議長（浜名徹君）　水道法案を問題に供します。本案の委員長の報告は修正であります。委員長の報告の通"
                    "り修正議決することに賛成の諸君の起立を請います。"
                ),
                "○議長（浜名徹君）　過半数と認めます。よつて本案は委員長の報告の通り修正議決せられました。",
            ),
            [("水道法案", "amended")],
        ),
    ],
)
def test_records_of_the_first_years(decisions_of, texts, expected):
    assert decisions_of(*texts, house="衆議院") == expected


def test_times_are_those_of_the_sitting_and_not_of_the_agenda(meeting_with):
    header = (
        "令和八年四月八日（水曜日）\r\n　　　　━━━━━━━━━━━━━\r\n　議事日程　第九号\r\n　　令和八年四月八日"
        "\r\n　　　午後一時開議\r\n"
        f"　第一　{WATER}（内閣提出）\r\n　　　　━━━━━━━━━━━━━\r\n○本日の会議に付した案件\r\n　日程第一　{WATER}"
        "（内閣提出）\r\n　　　午後一時二分開議\r\n"
    )
    facts = read_facts(
        meeting_with(
            "○議長（浜名徹君）　これより会議を開きます。",
            "○議長（浜名徹君）　本日は、これにて散会いたします。\r\n　　　午後三時十六分散会",
            header=header,
        )
    )
    assert (facts.opened, facts.closed) == ("午後一時二分開議", "午後三時十六分散会")


def test_who_speaks_about_the_session_does_not_speak_about_the_election_that_follows(meeting_with):
    header = "○本日の会議に付した案件\r\n　会期の件\r\n　常任委員長の選挙の件\r\n"
    meeting = meeting_with(
        f"{LOWER}これより会議を開きます。まず、会期の件についてでありますが、九日間とするよう提案がありました。",
        ("九重由香", "○九重委員　九日間では短過ぎます。反対いたします。"),
        f"{LOWER}次に、常任委員長の選挙の件についてでありますが、本日の本会議において行うこととするに御異議ありませんか。",
        header=header,
        meeting="議院運営委員会",
    )
    spoken = {item.title: item.orders for item in read_facts(meeting).agenda}
    assert 2 in spoken["会期の件"]
    assert 2 not in spoken["常任委員長の選挙の件"]
