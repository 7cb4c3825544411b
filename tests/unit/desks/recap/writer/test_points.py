"""Key points lead with what weighs most, name who said it, and say nothing twice."""

import pytest

CHAIR = "議長"
BILL = "海岸林の保全に関する法律案"


def chaired(text):
    return {"speaker": "榛名一成", "position": CHAIR, "text": f"○{CHAIR}（榛名一成君）　{text}"}


def member(name, text, group="山岳の会"):
    return {"speaker": name, "group": group, "text": f"○{name}君　{text}"}


def minister(text, position="環境大臣"):
    return {
        "speaker": "白馬岳男",
        "group": "海洋の会",
        "position": position,
        "text": f"○国務大臣（白馬岳男君）　{text}",
    }


APPOINTED = (
    chaired("これより常任委員長の選挙を行います。"),
    member("穂高登", "常任委員長の選挙は、その手続を省略して、議長において指名されることを望みます。"),
    chaired("穂高登君の動議に御異議ありませんか。\n　　　　〔「異議なし」と呼ぶ者あり〕"),
    chaired(
        "御異議なしと認めます。よって、動議のとおり決まりました。\n　議長は、各常任委員長を指名いたします。\n"
        "　　　　内閣委員長　槍　　一郎君\n　　　　総務委員長　剱　　二郎君\n　　　　法務委員長　立山　三郎君"
    ),
)
EXPLAINED = (
    chaired(f"{BILL}（内閣提出）を議題とし、提出者の趣旨の説明を求めます。国務大臣白馬岳男君。"),
    minister(
        f"ただいま議題となりました{BILL}の趣旨を御説明いたします。"
        "本案は、海岸林を守る市町村に三十億円を補助するものであります。"
    ),
)
DEBATED = (
    chaired("これより討論に入ります。順次これを許します。槍一郎君。"),
    member("槍一郎", f"{BILL}に反対の立場から討論します。反対の理由は、市町村の負担が増えるからです。", "渓流の会"),
    chaired("剱二郎君。"),
    member("剱二郎", f"{BILL}に賛成の立場から討論します。賛成の理由は、海岸の暮らしを守るからです。"),
    chaired("これより採決に入ります。本案に賛成の諸君の起立を求めます。\n　　　　〔賛成者起立〕"),
    chaired("起立多数。よって、本案は可決いたしました。"),
)


@pytest.fixture
def points_of(meeting_with, recap_of):
    def points(*speeches, meeting="本会議"):
        return [(point.kind, point.text) for point in recap_of(meeting_with(*speeches, meeting=meeting)).key_points]

    return points


def test_a_bill_leads_before_appointments_made_earlier_that_day(points_of):
    kinds = points_of(*APPOINTED, *EXPLAINED, *DEBATED)
    assert kinds[0] == ("decision", f"{BILL}は、起立多数で可決されました。")
    assert kinds[-1] == (
        "decision",
        "内閣委員長に槍一郎君、総務委員長に剱二郎君、法務委員長に立山三郎君が選任されました。",
    )


def test_appointments_lead_where_nothing_weightier_was_done(points_of):
    assert points_of(*APPOINTED)[0][1].startswith("内閣委員長に槍一郎君、総務委員長に剱二郎君")


def test_both_sides_of_a_debate_are_told_with_what_it_is_about(points_of):
    positions = [text for kind, text in points_of(*EXPLAINED, *DEBATED) if kind == "position"]
    assert positions == [
        f"槍一郎（渓流の会）は、{BILL}に反対の立場から討論しました。反対の理由は、市町村の負担が増えるからです。",
        f"剱二郎（山岳の会）は、{BILL}に賛成の立場から討論しました。賛成の理由は、海岸の暮らしを守るからです。",
    ]


def test_a_proposal_names_its_bill_and_who_explained_it(points_of):
    assert (
        "figure",
        f"{BILL}は、海岸林を守る市町村に30億円を補助するものです（白馬岳男環境大臣）。",
    ) in points_of(*EXPLAINED, *DEBATED)


def test_who_reports_for_a_committee_is_named_by_the_office(points_of):
    kinds = points_of(
        chaired(f"日程第一、{BILL}を議題といたします。委員長の報告を求めます。環境委員長立山三郎君。"),
        member(
            "立山三郎",
            "委員会における審査の経過と結果を御報告いたします。本案は、市町村に三十億円を補助するものであります。",
        ),
        *DEBATED[-2:],
    )
    assert any("（立山三郎環境委員長）" in text for _, text in kinds)


def test_the_same_thing_answered_twice_is_told_once(points_of):
    asked = "海岸林の調査を行う人員の規模をお聞かせください。"
    texts = [
        text
        for _, text in points_of(
            member("穂高登", asked),
            minister("海岸林において追加的に調査を実施する人員としては約二千名を予定しております。"),
            member("槍一郎", asked),
            minister("海岸林において追加的に調査を実施する規模につきましては約二千名を予定しております。"),
            meeting="環境委員会",
        )
    ]
    assert sum("約2000名" in text for text in texts) == 1


def test_items_of_a_resolution_that_is_read_out_are_no_points(points_of):
    read_out = "一　海岸林を守る市町村に十分な予算を確保するため、三年以内に必要な措置を講ずること。"
    kinds = points_of(
        *EXPLAINED,
        *DEBATED,
        member("穂高登", f"海岸林の保全に関する決議案の趣旨を御説明いたします。案文を朗読いたします。\n{read_out}"),
    )
    assert not any("講ずること" in text or "朗読" in text for _, text in kinds)


POLICY = (
    *APPOINTED,
    chaired("内閣総理大臣から所信について発言を求められております。これを許します。内閣総理大臣白馬岳男君。"),
    minister(
        "この度、内閣総理大臣に就任いたしました。十年前に、私は、海岸林の会を三十人で始めました。"
        "海岸林を守る市町村への補助金を五年間で三百億円に引き上げます。"
        "子育て世帯への給付を一人当たり二万円に引き上げます。",
        "内閣総理大臣",
    ),
)


def test_a_policy_speech_leads_with_what_it_announces(points_of, meeting_with, recap_of):
    assert recap_of(meeting_with(*POLICY, meeting="本会議")).title == (
        "白馬岳男内閣総理大臣が所信について演説（衆議院本会議）"
    )
    texts = [text for _, text in points_of(*POLICY)]
    assert texts[0] == "海岸林を守る市町村への補助金を5年間で300億円に引き上げます（白馬岳男内閣総理大臣）。"
    assert not any("10年前" in text for text in texts)
    assert "選任されました" in texts[-1]


def test_a_debate_of_party_leaders_is_told_by_who_met(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            member("槍一郎", "海岸林の補助金を増やすべきと考えますが、総理の御見解をお伺いしたいと思います。"),
            minister("海岸林の補助金は、来年度に増やす方向で検討しております。", "内閣総理大臣"),
            house="両院",
            meeting="国家基本政策委員会合同審査会",
        )
    )
    assert recap.title.startswith("白馬岳男内閣総理大臣と槍一郎が")
    assert "討議" in recap.title
    assert [point.kind for point in recap.key_points] == ["question", "answer"]


def test_a_bill_that_was_only_explained_is_not_told_as_debated(meeting_with, recap_of):
    asked = [
        pair
        for number in range(10)
        for pair in (
            member("穂高登", f"干潟の保護を第{number}の県でどう進めるのか、お聞かせください。"),
            minister("干潟の保護は、県ごとに計画を定めて進めてまいります。"),
        )
    ]
    title = recap_of(meeting_with(*asked, *EXPLAINED)).title
    assert title.endswith(f"を議論、{BILL}の趣旨説明を聴取（衆議院国土交通委員会）")
    assert "干潟" in title
