"""Decisions of the lower house's plenary, in every construction that its speaker uses."""

import pytest

from almanac.desks.recap.model.facts.record import read_facts

SPEAKER = "○議長（浜名徹君）　"
MOTION = "御異議なしと認めます。よって、日程は追加されました。"
WATER, RIVER, FOREST = "水道法の一部を改正する法律案", "河川法の一部を改正する法律案", "森林経営法案"
STANDING = "起立多数。よって、"
BUDGETS = ("令和八年度一般会計予算", "令和八年度特別会計予算", "令和八年度政府関係機関予算")


@pytest.fixture
def decided(decisions_of):
    """The decisions of a plenary of the lower house; each text is a speech of its speaker."""

    def read(*texts, header=""):
        speeches = [text if isinstance(text, tuple) else SPEAKER + text for text in texts]
        return decisions_of(*speeches, header=header, house="衆議院")

    return read


@pytest.mark.parametrize(
    ("reported", "result", "outcome"),
    [
        ("可決", "起立多数。よって、本案は委員長報告のとおり可決いたしました。", "passed"),
        ("修正", "起立多数。よって、本案は委員長報告のとおり修正議決いたしました。", "amended"),
        ("可決", "起立総員。よって、本案は委員長報告のとおり可決いたしました。", "passed"),
        ("否決", "起立少数。よって、本案は否決されました。", "rejected"),
        ("修正", "御異議なしと認めます。よって、本案は委員長報告のとおり議決いたしました。", "amended"),
        ("可決", "御異議なしと認めます。よって、本案は委員長報告のとおり決しました。", "passed"),
    ],
)
def test_a_bill_is_decided_as_the_committee_reported(decided, reported, result, outcome):
    results = decided(
        f"日程第一、{WATER}を議題といたします。委員長の報告を求めます。国土交通委員長榛名一成君。",
        (
            "榛名一成",
            "○榛名一成君　審査の経過及び結果を御報告申し上げます。本案は可決すべきものと議決した次第であります。",
        ),
        (
            f"採決いたします。\r\n　本案の委員長の報告は{reported}であります。本案は委員長報告のとおり決するに賛"
            "成の諸君の起立を求めます。"
        ),
        result,
    )
    assert results == [(WATER, outcome)]


def test_of_a_group_each_bill_is_decided_as_it_was_reported(decided):
    results = decided(
        f"日程第一、{WATER}、日程第二、{RIVER}、日程第三、{FOREST}、右三案を一括して議題といたします。",
        "三案を一括して採決いたします。\r\n　三案中、日程第二の委員長の報告は修正、その他の委員長の報告は可"
        "決であります。"
        "三案は委員長報告のとおり決するに御異議ありませんか。",
        "御異議なしと認めます。よって、三案は委員長報告のとおり議決いたしました。",
        header=(
            f"　議事日程　第三号\r\n　第一　{WATER}（内閣提出）\r\n　第二　{RIVER}（内閣提出）\r\n　第三　{FOREST}"
            "（内閣提出）\r\n"
        ),
    )
    assert results == [(WATER, "passed"), (RIVER, "amended"), (FOREST, "passed")]


def test_bills_of_a_group_are_voted_on_one_by_one(decided):
    results = decided(
        f"日程第一、{WATER}、日程第二、{RIVER}、右両案を一括して議題といたします。",
        "これより採決に入ります。\r\n　まず、日程第一につき採決いたします。\r\n"
        "　本案の委員長の報告は可決であります。本案は委員長報告のとおり決するに賛成の諸君の起立を求めます。",
        f"{STANDING}本案は委員長報告のとおり可決いたしました。\r\n　次に、日程第二につき採決いたします。\r\n"
        "　本案の委員長の報告は否決であります。この際、原案について採決いたします。\r\n　本案の原案に賛成の"
        "諸君の起立を求めます。",
        "起立少数。よって、本案は否決されました。",
        header=f"　議事日程　第三号\r\n　第一　{WATER}（内閣提出）\r\n　第二　{RIVER}（九重由香君外二名提出）\r\n",
    )
    assert results == [(WATER, "passed"), (RIVER, "rejected")]


def test_an_amendment_is_rejected_and_the_bill_is_passed(decided):
    results = decided(
        f"日程第一、{WATER}を議題といたします。",
        (
            "本案に対しては、九重由香君外二名から、成規により修正案が提出されております。この際、その趣旨弁明を"
            "許します。九重由香君。"
        ),
        ("九重由香", "○九重由香君　修正案の趣旨を御説明いたします。"),
        "これより採決に入ります。\r\n　まず、九重由香君外二名提出の修正案につき採決いたします。\r\n"
        "　九重由香君外二名提出の修正案に賛成の諸君の起立を求めます。",
        "起立少数。よって、修正案は否決されました。\r\n　次に、原案につき採決いたします。\r\n"
        "　本案の委員長の報告は可決であります。本案を委員長報告のとおり決するに賛成の諸君の起立を求めます。",
        f"{STANDING}本案は委員長報告のとおり可決いたしました。",
    )
    assert results == [(f"{WATER}に対する九重由香君外二名提出の修正案", "rejected"), (WATER, "passed")]


def test_the_budget_is_voted_on_by_name(decided):
    results = decided(
        f"日程第一、{BUDGETS[0]}、日程第二、{BUDGETS[1]}、日程第三、{BUDGETS[2]}、右三案を一括して議題といたします。",
        "これより採決に入ります。\r\n　まず、九重由香君外四名提出、令和八年度一般会計予算外二案につき撤回の"
        "うえ編成替えを求めるの動議につき採決いたします。\r\n"
        "　九重由香君外四名提出の動議に賛成の諸君の起立を求めます。",
        f"起立少数。よって、動議は否決されました。\r\n　次に、{BUDGETS[0]}外二案を一括して採決いたします。\r\n"
        "　この採決は記名投票をもって行います。三案の委員長の報告は可決であります。三案を委員長報告のとおり"
        "決するに賛成の諸君は白票、"
        "反対の諸君は青票を持参されることを望みます。――議場閉鎖。\r\n　氏名点呼を命じます。",
        "投票漏れはありませんか。――投票漏れなしと認めます。投票箱閉鎖。開票。――議場開鎖。\r\n　投票を計算させます。",
        "投票の結果を事務総長から報告させます。",
        (
            "三国悟",
            (
                "○事務総長（三国悟君）　投票総数　四百六十二\r\n　　可とする者（白票）　　　　　　　二百五十\r\n　"
                "　否とする者（青票）　　　　　　　二百十二"
            ),
        ),
        "右の結果、令和八年度一般会計予算外二案は委員長報告のとおり可決いたしました。",
    )
    assert results[0][1] == "rejected"
    assert results[0][0] not in BUDGETS
    assert results[1:] == [(title, "passed", 250, 212) for title in BUDGETS]


def test_a_motion_of_no_confidence_counts_white_and_blue(decided):
    title = "十勝内閣不信任決議案"
    results = decided(
        (
            f"お諮りいたします。\r\n　九重由香君外二名提出、{title}は、提出者の要求のとおり、委員会の審査を省略"
            "してこの際議題とするに御異議ありませんか。"
        ),
        f"御異議なしと認めます。\r\n　　　　―――――――――――――\r\n　{title}（九重由香君外二名提出）",
        f"{title}を議題といたします。提出者の趣旨弁明を許します。九重由香君。",
        (
            "採決いたします。\r\n　この採決は記名投票をもって行います。\r\n　本決議案に賛成の諸君は白票、"
            "反対の諸君は青票を持参されることを望みます。――議場閉鎖。"
        ),
        "投票漏れはありませんか。投票を計算させます。",
        (
            "投票の結果を事務総長から報告させます。\r\n　　　　〔事務総長報告〕\r\n　投票総数　四百六十五\r\n　"
            "　可とする者（白票）　　　百七十六\r\n　　否とする者（青票）　　　二百八十九"
        ),
        f"右の結果、{title}は否決されました。",
    )
    assert results == [(title, "rejected", 176, 289)]


def test_a_bill_passes_again_by_two_thirds(decided):
    results = decided(
        "参議院から、本院送付の次の内閣提出案は参議院において否決した旨の通知を受領いたしました。",
        f"ただいまの通知にかかる参議院から返付された内閣提出、{WATER}、本院議決案を議題といたします。\r\n"
        "　本案について、憲法第五十九条第二項に基づき、さきの本院議決のとおり再び可決すべしとの動議が提出さ"
        "れております。",
        "採決いたします。\r\n　この採決は記名投票をもって行います。\r\n"
        f"　憲法第五十九条第二項に基づき、{WATER}、本院議決案を、さきの本院議決のとおり再び可決するに賛成の"
        "諸君は白票、反対の諸君は青票を持参されることを望みます。",
        (
            "投票の結果を事務総長から報告させます。\r\n　投票総数　四百七十八\r\n　　可とする者（白票）　　　三"
            "百四十\r\n　　否とする者（青票）　　　百三十八"
        ),
        "右の結果、出席議員の三分の二以上の多数をもって、本案はさきの議決のとおり再び可決いたしました。",
    )
    assert results == [(WATER, "passed", 340, 138)]


def test_what_the_joint_conference_agreed_on_is_passed(decided):
    results = decided(
        f"{WATER}両院協議会成案を議題といたします。両院協議会協議委員議長の報告を求めます。",
        "採決いたします。\r\n　両院協議会成案に賛成の諸君の起立を求めます。",
        f"{STANDING}両院協議会成案は可決いたしました。",
    )
    assert results == [(f"{WATER}両院協議会成案", "passed")]


@pytest.mark.parametrize(
    ("title", "question", "result", "outcome"),
    [
        (
            "社会保障に関する日本国と北国との間の協定の締結について承認を求めるの件",
            "本件は委員長報告のとおり承認するに賛成の諸君の起立を求めます。",
            f"{STANDING}本件は委員長報告のとおり承認することに決まりました。",
            "approved",
        ),
        (
            "令和六年度一般会計予備費使用総調書及び各省各庁所管使用調書（承諾を求めるの件）",
            "本件は委員長報告のとおり承諾を与えるに賛成の諸君の起立を求めます。",
            f"{STANDING}本件は委員長報告のとおり承諾を与えることに決まりました。",
            "approved",
        ),
        (
            "地方自治法第百五十六条第四項の規定に基づき、税関支署の設置に関し承認を求めるの件",
            "本件は委員長報告のとおり承認するに御異議ありませんか。",
            "御異議なしと認めます。よって、本件は委員長報告のとおり承認することに決まりました。",
            "approved",
        ),
        (
            "令和五年度国有財産増減及び現在額総計算書",
            "本件は委員長報告のとおり是認すべきものと決するに賛成の諸君の起立を求めます。",
            f"{STANDING}本件は委員長報告のとおり是認すべきものと決しました。",
            "approved",
        ),
    ],
)
def test_treaties_reserves_and_accounts(decided, title, question, result, outcome):
    results = decided(
        f"日程第一、{title}を議題といたします。委員長の報告を求めます。",
        f"採決いたします。\r\n　{question}",
        result,
    )
    assert results == [(title.partition("（")[0], outcome)]


def test_accounts_on_lines_of_their_own_are_decided_as_reported(decided):
    titles = (
        "令和五年度一般会計歳入歳出決算",
        "令和五年度特別会計歳入歳出決算",
        "令和五年度国有財産無償貸付状況総計算書",
    )
    results = decided(
        f"日程第一、{titles[0]}、{titles[1]}、日程第二、{titles[2]}、右各件を一括して議題といたします。",
        (
            "これより採決に入ります。\r\n　まず、日程第一について採決いたします。\r\n　本件を委員長報告のとおり"
            "議決するに賛成の諸君の起立を求めます。"
        ),
        f"{STANDING}本件は委員長報告のとおり議決いたしました。\r\n　次に、日程第二について採決いたします。\r\n"
        "　本件は委員長報告のとおり是認すべきものと議決するに賛成の諸君の起立を求めます。",
        f"{STANDING}本件は委員長報告のとおり是認すべきものと議決いたしました。",
        header=f"　議事日程　第九号\r\n　第一　{titles[0]}\r\n　　　　{titles[1]}\r\n　第二　{titles[2]}\r\n",
    )
    assert [(subject, outcome) for subject, outcome, *_ in results][-1] == (titles[2], "approved")
    assert results[0][0] == titles[0]
    assert results[0][1] in ("passed", "approved")


def test_petitions_are_adopted_as_a_group(decided):
    results = decided(
        "日程第一　環境の保全に関する請願外十二請願を一括して議題といたします。",
        "お諮りいたします。\r\n　各請願は委員長の報告を省略して採択するに御異議ありませんか。",
        "御異議なしと認めます。よって、そのとおり決まりました。",
    )
    assert [(outcome) for _, outcome in results] == ["adopted"]
    assert "請願" in results[0][0]


def test_business_goes_on_after_the_session(decided):
    results = decided(
        (
            "お諮りいたします。\r\n　各委員会から閉会中審査をいたしたいとの申出があります。申出のとおり、"
            "議院運営委員会の申出の件、懲罰委員会の申出の件を閉会中審査をするに御異議ありませんか。"
        ),
        "御異議なしと認めます。よって、そのとおり決まりました。",
    )
    assert [outcome for _, outcome in results] == ["continued"]


def test_the_session_is_extended(decided):
    results = decided(
        (
            "会期延長の件につきお諮りいたします。\r\n　会期を六月二十三日から八月三十一日まで七十日間延長いたし"
            "たいと思います。これに賛成の諸君の起立を求めます。"
        ),
        f"{STANDING}会期は七十日間延長することに決まりました。",
    )
    assert results == [("会期は七十日間延長すること", "other")]


def test_resolutions_of_the_house(decided):
    title = "棚池の保全に関する決議案"
    results = decided(
        "伊吹早苗君の動議に御異議ありませんか。",
        MOTION,
        f"{title}を議題といたします。提出者の趣旨弁明を許します。榛名一成君。",
        "採決いたします。\r\n　本案を可決するに賛成の諸君の起立を求めます。",
        (
            "起立総員。よって、本案は全会一致をもって可決いたしました。\r\n　この際、内閣総理大臣から発言を求め"
            "られております。これを許します。"
        ),
    )
    assert results == [(title, "passed")]


@pytest.mark.parametrize(
    ("texts", "subject", "outcome"),
    [
        (
            (
                (
                    "お諮りいたします。\r\n　副議長仁淀明君から、辞職願が提出されております。副議長の辞職を許可するに御"
                    "異議ありませんか。"
                ),
                "御異議なしと認めます。よって、辞職を許可することに決まりました。",
            ),
            "副議長の辞職",
            "permitted",
        ),
        (
            (
                "議員仁淀明君から辞表が提出されております。これを朗読させます。",
                "仁淀明君の辞職を許可するに御異議ありませんか。",
                "御異議なしと認めます。よって、辞職を許可することに決まりました。",
            ),
            "仁淀明君の辞職",
            "permitted",
        ),
        (
            (
                "議員仁淀明君の逮捕について許諾を求めるの件を議題といたします。委員長の報告を求めます。",
                "採決いたします。\r\n　本件は委員長報告のとおり許諾を与えるに賛成の諸君の起立を求めます。",
                f"{STANDING}本件は委員長報告のとおり許諾を与えることに決まりました。",
            ),
            "議員仁淀明君の逮捕について許諾を求めるの件",
            "permitted",
        ),
        (
            (
                "議員仁淀明君懲罰事犯の件を議題といたします。委員長の報告を求めます。",
                (
                    "採決いたします。\r\n　本件は委員長報告のとおり、三十日間の登院停止を命ずるに賛成の諸君の起立を求め"
                    "ます。"
                ),
                f"{STANDING}本件は委員長報告のとおり三十日間の登院停止を命ずることに決まりました。",
            ),
            "議員仁淀明君懲罰事犯の件",
            "other",
        ),
        (
            (
                "農林水産委員長榛名一成君解任決議案を議題といたします。提出者の趣旨弁明を許します。",
                "採決いたします。\r\n　本決議案に賛成の諸君の起立を求めます。",
                "起立少数。よって、本決議案は否決されました。",
            ),
            "農林水産委員長榛名一成君解任決議案",
            "rejected",
        ),
    ],
)
def test_members_and_officers_of_the_house(decided, texts, subject, outcome):
    (result,) = decided(*texts)
    assert subject in result[0]
    assert result[1] == outcome


def test_the_house_is_recessed_and_a_bill_is_referred_to_a_committee(decided):
    results = decided(
        (
            "国会法第五十六条の三の規定により、水道事業に関する件については、議院運営委員会の決定によりまして、"
            "本院は明日から十日間休会とするに御異議ありませんか。"
        ),
        "御異議なしと認めます。よって、そのとおり決まりました。",
    )
    assert [outcome for _, outcome in results] == ["other"]
    assert "休会" in results[0][0]


def test_the_prime_minister_is_chosen_in_a_second_ballot(meeting_with):
    texts = (
        (
            "これより内閣総理大臣の指名を行います。\r\n　衆議院規則第十八条第一項によりますと、記名投票で指名さ"
            "れる者を定めることとなっております。"
        ),
        (
            "投票総数四百六十五。\r\n　本投票の過半数は二百三十三であります。\r\n　投票の結果を事務総長から報告"
            "させます。\r\n　　　　〔事務総長報告〕\r\n"
            "　　十勝　修平君　二百二十一\r\n　　九重　由香君　百五十一\r\n　　玉造雄一君　　二十八\r\n　　木曽"
            "　　茂君　　九\r\n　　無効　　　　　五十六"
        ),
        (
            "右の結果、投票の過半数を得た者がありませんから、衆議院規則第十八条第三項により、決選投票を行わねば"
            "なりません。\r\n"
            "　十勝修平君及び九重由香君について決選投票を行います。"
        ),
        (
            "投票総数四百六十五。\r\n　投票の結果を事務総長から報告させます。\r\n　　　　〔事務総長報告〕\r\n"
            "　　十勝　修平君　二百二十一\r\n　　九重　由香君　百六十\r\n　　無効　　　　　八十四"
        ),
        (
            "右の結果、十勝修平君を、衆議院規則第十八条第三項により、本院において内閣総理大臣に指名することに決"
            "まりました。\r\n　　　　〔拍手〕"
        ),
    )
    meeting = meeting_with(*(SPEAKER + text for text in texts))
    (decision,) = read_facts(meeting).decisions
    assert decision.outcome == "designated"
    assert "十勝修平君" in decision.subject
    assert decision.vote.total == 465
    assert [(each.name, each.votes) for each in decision.vote.ballots] == [("十勝修平", 221), ("九重由香", 160)]
    assert decision.method == "記名投票"
