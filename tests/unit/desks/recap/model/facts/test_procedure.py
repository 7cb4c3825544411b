"""Each result is bound to what the chair put to the vote, in the grammar of both houses, and to nothing else."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts
from almanac.desks.recap.model.record import Vote

SPEAKER = "○議長（浜名徹君）　"
CHAIR = "○榛名委員長　"
WATER, RIVER, FOREST = "水道法の一部を改正する法律案", "河川法の一部を改正する法律案", "森林経営法案"
RESULT = (
    "　投票の結果を報告いたします。\r\n　　投票総数　　　{}　　\r\n　　賛成　　　{}　　\r\n　　反対　　　{}　　\r\n"
    "　よって、{}（拍手）"
)


@pytest.fixture
def decided(meeting_with):
    """What was decided: subject, outcome and, if there was a count, votes in favour and against."""

    def read(*texts, header=""):
        decisions = read_facts(meeting_with(*texts, header=header, house="参議院", meeting="本会議")).decisions
        return [
            (each.subject, each.outcome, *((each.vote.in_favour, each.vote.against) if each.vote else ()))
            for each in decisions
        ]

    return read


def test_titles_on_lines_of_their_own_are_laid_together_and_decided_in_the_order_of_the_votes(decided):
    laid = (
        f"{SPEAKER}日程第一　{WATER}\r\n　日程第二　{RIVER}\r\n　日程第三　{FOREST}\r\n"
        "　　（いずれも内閣提出、衆議院送付）\r\n"
        "　以上三案を一括して議題といたします。\r\n　まず、委員長の報告を求めます。国土交通委員長榛名一成君。"
    )
    results = decided(
        laid,
        ("榛名一成", "○榛名一成君　三法律案につきまして、審査の経過と結果を御報告申し上げます。"),
        f"{SPEAKER}まず、{FOREST}の採決をいたします。\r\n"
        "　本案の賛否について、投票ボタンをお押し願います。\r\n　　〔投票開始〕",
        SPEAKER + RESULT.format("二百三十八", "百五十", "八十八", "本案は可決されました。"),
        f"{SPEAKER}次に、残余の両案を一括して採決いたします。\r\n　両案の賛否について、投票ボタンをお押し願います。",
        SPEAKER + RESULT.format("二百三十七", "二百三十七", "〇", "両案は全会一致をもって可決されました。"),
    )
    assert results == [(FOREST, "passed", 150, 88), (WATER, "passed", 237, 0), (RIVER, "passed", 237, 0)]


def test_business_is_called_by_its_number(decided):
    header = (
        f"　議事日程　第三号\r\n　第一　{WATER}（内閣提出）\r\n　第二　{RIVER}（内閣提出）\r\n"
        f"　第三　{FOREST}（内閣提出）\r\n"
    )
    results = decided(
        f"{SPEAKER}日程第一ないし第三を一括して議題といたします。",
        f"{SPEAKER}まず、日程第二について採決いたします。本案に賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立多数。よって、本案は可決いたしました。次に、日程第一及び第三を一括して採決いたします。"
        "両案に賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立少数。よって、両案は否決されました。",
        header=header,
    )
    assert results == [(RIVER, "passed"), (WATER, "rejected"), (FOREST, "rejected")]


def test_titles_that_the_page_broke_are_whole(decided):
    header = (
        "○議事日程　第九号\r\n　第一　河川の流域における水害の防止及び軽減\r\n"
        "　　に関する法律案（内閣提出、衆議院送付）\r\n"
        "　第二　森林経営法案（内閣提出）\r\n"
    )
    results = decided(
        f"{SPEAKER}日程第一　河川の流域における水害の防止及び軽減に関する法律案を議題といたします。",
        f"{SPEAKER}これより採決をいたします。\r\n　本案に賛成の諸君の起立を求めます。",
        f"{SPEAKER}過半数と認めます。\r\n　よって、本案は可決されました。",
        header=header,
    )
    assert results == [("河川の流域における水害の防止及び軽減に関する法律案", "passed")]


def test_a_bill_that_is_only_explained_is_not_decided(decided):
    results = decided(
        f"{SPEAKER}日程第一、{WATER}を議題といたします。",
        f"{SPEAKER}これより採決をいたします。本案に賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立多数。よって、本案は可決いたしました。\r\n　　――――◇―――――\r\n　{RIVER}（内閣提出）の趣旨説明",
        f"{SPEAKER}この際、内閣提出、{RIVER}について、趣旨の説明を求めます。国土交通大臣穂高律子君。",
        ("穂高律子", "○国務大臣（穂高律子君）　法律案の趣旨を御説明申し上げます。"),
        f"{SPEAKER}これにて質疑は終了いたしました。本日は、これにて散会いたします。",
    )
    assert results == [(WATER, "passed")]


def test_an_amendment_is_told_with_its_mover_and_the_bill_as_amended(decided):
    results = decided(
        f"{CHAIR}内閣提出、{WATER}及びこれに対する雲仙太一君外二名提出の修正案を一括して議題といたします。",
        f"{CHAIR}この際、お諮りいたします。"
        "雲仙太一君外二名提出の修正案につきまして、提出者全員から撤回の申出があります。"
        "これを許可するに御異議ありませんか。",
        f"{CHAIR}御異議なしと認めます。よって、そのように決しました。",
        f"{CHAIR}まず、九重由香君外一名提出の修正案について採決いたします。本修正案に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立少数。よって、本修正案は否決されました。次に、木曽茂君外四名提出の修正案について採決いたします。"
        "本修正案に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立多数。よって、本修正案は可決いたしました。次に、ただいま可決いたしました修正部分を除く原案について"
        "採決いたします。これに賛成の諸君の起立を求めます。",
        f"{CHAIR}起立多数。よって、本案は修正議決すべきものと決しました。",
    )
    assert results == [
        ("雲仙太一君外二名提出の修正案の撤回", "withdrawn"),
        (f"{WATER}に対する九重由香君外一名提出の修正案", "rejected"),
        (f"{WATER}に対する木曽茂君外四名提出の修正案", "passed"),
        (WATER, "amended"),
    ]


def test_a_committees_own_bill_and_resolution_are_not_the_bill_before_them(decided):
    results = decided(
        f"{CHAIR}内閣提出、{WATER}を議題といたします。",
        f"{CHAIR}本案に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立総員。よって、本案は原案のとおり可決すべきものと決しました。",
        f"{CHAIR}ただいま議決いたしました法律案に対し、木曽茂君外六名から、附帯決議を付すべしとの動議が提出されております。",
        f"{CHAIR}採決いたします。本動議に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立総員。よって、本法律案に対し附帯決議を付することに決しました。",
        f"{CHAIR}お諮りいたします。棚池地域振興法案起草の件につきましては、お手元に配付の起草案を本委員会の成案とし、"
        "これを委員会提出の法律案と決するに賛成の諸君の起立を求めます。",
        f"{CHAIR}起立総員。よって、本案は委員会提出の法律案とするに決定いたしました。",
        f"{CHAIR}この際、木曽茂君外六名から、七派共同提案による棚池の保全に関する件について決議すべしとの動議が提出されております。",
        f"{CHAIR}採決いたします。本動議に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立総員。よって、本件は本委員会の決議とするに決しました。",
    )
    assert results == [
        (WATER, "passed"),
        (f"{WATER}に対する附帯決議", "adopted"),
        ("棚池地域振興法案", "introduced"),
        ("棚池の保全に関する件", "adopted"),
    ]


def test_the_conduct_of_the_sitting_is_no_decision(decided):
    assert (
        decided(
            f"{CHAIR}内閣提出、{WATER}を議題といたします。この際、お諮りいたします。"
            "本案審査のため、本日、政府参考人として"
            "国土交通省水局長蔵王健君の出席を求め、説明を聴取いたしたいと存じますが、御異議ありませんか。",
            f"{CHAIR}御異議なしと認めます。よって、そのように決しました。",
            f"{CHAIR}委員会報告書の作成につきましては、委員長に御一任願いたいと存じますが、御異議ありませんか。",
            f"{CHAIR}御異議なしと認めます。よって、そのように決しました。",
        )
        == []
    )


def test_a_vote_by_name_counts_white_and_blue_and_the_premier_is_named(decided, meeting_with):
    texts = (
        (
            f"{SPEAKER}日程第一　会期の件\r\n"
            "　会期を九日間とすることに賛成の諸君は白色票を、反対の諸君は青色票を、御登壇の上、投票を願います。"
        ),
        (
            f"{SPEAKER}投票の結果を報告いたします。\r\n　　投票総数　　二百四十二票\r\n"
            "　　白色票　　百四十六票\r\n　　青色票　　九十六票\r\n"
            "　よって、会期は九日間とすることに決しました。"
        ),
        f"{SPEAKER}内閣は、本日、総辞職することに決定いたしましたから、国会法第六十四条によって、この旨、通知いたします。",
        f"{SPEAKER}よって、これより内閣総理大臣の指名を行います。",
        (
            f"{SPEAKER}投票の結果を報告いたします。\r\n　　投票総数　　二百四十二票\r\n　　十勝修平君　　百四十三票\r\n"
            "　　九重由香君　　九十九票\r\n　よって、本院は、十勝修平君を内閣総理大臣に指名することに決しました。"
        ),
    )
    results = decided(*texts)
    assert results == [
        ("会期は九日間とすること", "other", 146, 96),
        ("十勝修平君を内閣総理大臣に指名すること", "designated", None, None),
    ]
    assert read_facts(meeting_with(*texts)).decisions[0].vote == Vote(total=242, in_favour=146, against=96)


def test_appointments_resignations_and_new_committees_are_told_with_their_names(decided):
    results = decided(
        f"{SPEAKER}お諮りいたします。\r\n"
        "　総務委員長宮津勝君から、委員長を辞任いたしたいとの申出があります。"
        "これを許可するに御異議ありませんか。",
        f"{SPEAKER}御異議なしと認めます。よって、許可することに決まりました。",
        f"{SPEAKER}つきましては、総務委員長の選挙を行います。",
        ("伊吹早苗", "○伊吹早苗君　総務委員長の選挙は、その手続を省略して、議長において指名されることを望みます。"),
        f"{SPEAKER}伊吹早苗君の動議に御異議ありませんか。",
        f"{SPEAKER}御異議なしと認めます。よって、動議のとおり決まりました。\r\n"
        "　議長は、総務委員長に若狭謙君を指名いたします。",
        f"{SPEAKER}監視審査会委員に鷲羽英君を選任するに賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立多数。よって、選任することに決まりました。",
        f"{SPEAKER}特別委員会の設置につきお諮りいたします。\r\n"
        "　災害対策を樹立するため委員三十五人よりなる災害対策特別委員会\r\n及び\r\n"
        "　復興の対策を樹立するため委員四十人よりなる復興特別委員会\r\nを設置いたしたいと存じます。"
        "これに賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立多数。よって、そのとおり決まりました。",
    )
    assert results == [
        ("総務委員長宮津勝君の委員長辞任", "permitted"),
        ("総務委員長に若狭謙君", "appointed"),
        ("監視審査会委員に鷲羽英君を選任する", "appointed"),
        ("災害対策特別委員会、復興特別委員会の設置", "other"),
    ]


def test_consent_is_told_for_those_who_were_put_to_the_vote(decided):
    results = decided(
        f"{SPEAKER}内閣からの申出中、まず、検査官に大雪淳君を任命することについて、申出のとおり同意を与えるに賛成の諸君の起立を求めます。",
        f"{SPEAKER}起立多数。よって、同意を与えることに決まりました。"
        "次に、検査官に羊蹄文君を、運輸審議会委員に利尻大君を任命する"
        "ことについて、申出のとおり同意を与えるに御異議ありませんか。",
        f"{SPEAKER}御異議なしと認めます。よって、いずれも同意を与えることに決まりました。",
    )
    assert [outcome for _, outcome in results] == ["consented", "consented"]
    assert "大雪淳君" in results[0][0]
    assert "羊蹄文君" not in results[0][0]
    assert "利尻大君" in results[1][0]


def test_a_member_who_presides_until_a_chair_is_elected_is_heard(decided):
    results = decided(
        ("金剛清", "○金剛委員　これより会議を開きます。委員長が選任されるまで、私が委員長の職務を行います。"),
        (
            "渡島創",
            "○渡島委員　動議を提出いたします。委員長の互選は、投票によらないで、後志茂君を委員長に推薦いたします。",
        ),
        ("金剛清", "○金剛委員　ただいまの渡島創君の動議に御異議ありませんか。"),
        ("金剛清", "○金剛委員　御異議なしと認めます。よって、後志茂君が委員長に御当選になりました。本席を譲ります。"),
    )
    assert results == [("委員長に後志茂君", "appointed")]


def test_a_copy_without_spaces_and_lines_is_read_alike(decided):
    results = decided(
        ("榛名一成", f"○榛名委員長これより会議を開きます。内閣提出、{WATER}を議題といたします。"),
        ("榛名一成", "○榛名委員長採決いたします。本案に賛成の諸君の起立を求めます。〔賛成者起立〕"),
        ("榛名一成", "○榛名委員長起立多数。よって、本案は原案のとおり可決すべきものと決しました。―――――――――――――"),
    )
    assert results == [(WATER, "passed")]


def test_what_the_chair_did_not_name_is_not_guessed(decided):
    results = decided(
        f"{CHAIR}{WATER}、{RIVER}、以上両案を一括して議題といたします。",
        f"{CHAIR}これより採決いたします。本案に賛成の諸君の起立を求めます。",
        f"{CHAIR}起立多数。よって、本案は可決すべきものと決しました。",
    )
    assert results == [("", "passed")]


def test_a_bill_that_a_committee_drafts_is_one_bill_with_all_who_spoke_on_it(meeting_with):
    bill = "棚池の被災者に対する補償金の支給に関する法律案"
    facts = read_facts(
        meeting_with(
            f"{CHAIR}棚池の振興に関する件について調査を進めます。\r\n　この際、{bill}起草の件について議事を進めます。",
            ("白馬岳男", "○白馬委員　速やかな成立を求めます。"),
            f"{CHAIR}お手元に配付の草案を{bill}の成案とし、これを委員会提出の法律案と決するに賛成の諸君の起立を求めます。",
            f"{CHAIR}起立総員。よって、そのように決しました。",
            header=f"　本日の会議に付した案件\r\n　棚池の振興に関する件\r\n　{bill}起草の件\r\n",
        )
    )
    (decision,) = facts.decisions
    assert (decision.subject, decision.outcome, decision.manner) == (bill, "introduced", "起立総員")
    (item,) = facts.bills
    assert item.title == bill
    assert {2, 3, 4} <= set(item.orders)


def test_appointments_with_names_are_told_though_they_are_about_the_conduct_of_sittings(decided):
    results = decided(
        f"{CHAIR}理事の補欠選任についてでありますが、委員長は、後任の理事に道志大樹君を指名いたしましたので、御了承願います。",
        f"{CHAIR}次に、理事の補欠選任についてお諮りいたします。\r\n　推薦のとおり、伊吹江美君を理事に選任することに"
        "御異議ございませんか。",
        f"{CHAIR}御異議ないと認め、さよう決定いたします。",
        f"{CHAIR}次に、議事進行係の件についてでありますが、議事進行係は、従前どおり、同会派の井伊俊君にお願いいたしたいと"
        "存じますが、御異議ありませんか。",
        f"{CHAIR}御異議なしと認めます。よって、そのように決定いたしました。",
    )
    assert [(subject, outcome) for subject, outcome, *_ in results] == [
        ("後任の理事に道志大樹君", "appointed"),
        ("推薦のとおり、伊吹江美君を理事に選任すること", "appointed"),
        ("議事進行係に井伊俊君", "appointed"),
    ]
