"""What a headline leads with: decisions, weighty business under discussion, decisions about the house itself."""

import pytest

from almanac.desks.recap.model.facts.agenda import agenda_titles

CHAIR = "議長"


def chaired(text):
    return {"speaker": "榛名一成", "position": CHAIR, "text": f"○{CHAIR}（榛名一成君）　{text}"}


SESSION = (
    chaired(
        "会期の件につきお諮りいたします。\n　今期国会の会期は十二日間といたしたいと存じます。"
        "これに賛成の諸君の起立を求めます。\n　　　　〔賛成者起立〕"
    ),
    chaired("起立多数。よって、会期は十二日間とすることに決まりました。"),
)
COUNTED = (
    "投票の結果を報告いたします。\n　　投票総数　　二百三十六\n　　賛成　　　　二百二十九\n　　反対　　　　　　　　七\n"
    "　よって、本件は承認することに決しました。"
)
APPROVAL = "港湾法第三十一条第二項の規定に基づき、承認を求めるの件"


def test_the_length_of_a_session_is_told_in_days(meeting_with, recap_of):
    meeting = meeting_with(*SESSION, meeting="本会議")
    assert recap_of(meeting).title == "会期を12日間と決定（衆議院本会議）"


def test_a_bill_under_discussion_leads_before_decisions_about_the_house(meeting_with, recap_of):
    bill = "海岸林の保全に関する法律案"
    explained = chaired(f"{bill}（内閣提出）を議題とし、提出者の趣旨の説明を求めます。国務大臣白馬岳男君。")
    meeting = meeting_with(
        *SESSION, explained, ("白馬岳男", f"ただいま議題となりました{bill}の趣旨を御説明いたします。")
    )
    assert recap_of(meeting).title.startswith(f"{bill}の趣旨説明を聴取")


def test_an_approval_is_named_by_what_is_approved(meeting_with, recap_of):
    report = (
        "ただいま議題となりました案件につきまして、審査の経過と結果を御報告いたします。"
        "本件は、日本港湾協会の令和九年度収支予算及び資金計画について、国会の承認を求めるものであります。"
    )
    meeting = meeting_with(
        chaired(f"日程第一、{APPROVAL}を議題といたします。委員長の報告を求めます。"),
        ("穂高登", report),
        chaired("これより採決をいたします。\n　本件の賛否について、投票ボタンをお押し願います。"),
        chaired(COUNTED),
        house="参議院",
        meeting="本会議",
    )
    assert recap_of(meeting).title == "日本港湾協会の令和9年度収支予算及び資金計画を承認（参議院本会議）"


def test_titles_that_a_copy_ran_together_are_told_apart(meeting_with):
    run_together = "監査官任命につき同意を求めるの件港湾審議会委員任命につき同意を求めるの件"
    meeting = meeting_with("開議します。", header=f"本日の会議に付した案件\n{run_together}\n")
    assert agenda_titles(meeting) == [
        "監査官任命につき同意を求めるの件",
        "港湾審議会委員任命につき同意を求めるの件",
    ]


def test_words_of_the_vote_and_of_address_are_no_keywords(meeting_with, recap_of):
    text = (
        "皆様方の御意見を踏まえ、起立多数で決まった海岸林の保全を進めます。海岸林の保全は総理自身の約束です。"
        "皆様方、海岸林の保全の必要性は明らかです。白馬総理、起立多数の重みを受け止めてください。"
    )
    words = {word.keyword for word in recap_of(meeting_with(text)).keywords}
    assert not words & {"皆様方", "起立多数", "必要性", "白馬総理"}
    assert any("海岸林" in word for word in words)


@pytest.mark.parametrize("opener", ["しかし、", "ところが、", "しかしながら、"])
def test_no_description_begins_in_the_middle_of_a_thought(meeting_with, recap_of, opener):
    meeting = meeting_with(
        ("穂高登", "海岸林の現状について伺います。現在の面積はどれくらいでしょうか。"),
        {
            "speaker": "白馬岳男",
            "position": "国務大臣",
            "text": f"{opener}海岸林の面積は令和八年度に三百ヘクタール増え、補助金は四十億円を計上しています。",
        },
    )
    assert not recap_of(meeting).description.startswith(opener)


def test_the_plain_summary_says_decisions_in_everyday_words(meeting_with, recap_of):
    recap = recap_of(meeting_with(*SESSION, meeting="本会議"))
    plain = [sentence.text for sentence in recap.soft_language_summary]
    assert plain == ["衆議院本会議で、会期は12日間とすることが賛成多数で決まりました。"]
    assert recap.key_points[0].text not in plain


def test_the_plain_summary_pairs_no_question_with_the_answer_to_another(meeting_with, recap_of):
    answer = {"speaker": "白馬岳男", "position": "国務大臣"}
    meeting = meeting_with(
        ("穂高登", "海岸林の面積は何ヘクタール増える見込みでしょうか。"),
        {
            **answer,
            "text": "海岸林の面積は令和八年度に三百ヘクタール増やし、補助金四十億円を計上することとしています。",
        },
        ("穂高登", "前の政務官は何の責任を取って辞任したのでしょうか。"),
        {**answer, "text": "支援員は六万九千五百人分の地方財政措置を講じることとしています。"},
    )
    plain = " ".join(sentence.text for sentence in recap_of(meeting).soft_language_summary)
    assert "何ヘクタール増える" in plain
    assert "四十億円" in plain or "40億円" in plain
    assert "辞任" not in plain


def test_the_plain_summary_repeats_no_key_point(meeting_with, recap_of):
    answer = {"speaker": "白馬岳男", "position": "環境大臣"}
    asked = [
        entry
        for place, amount in (("東", "三"), ("西", "四"), ("南", "五"), ("北", "六"), ("中", "七"), ("沖", "八"))
        for entry in (
            (f"{place}野登", f"{place}海岸の海岸林を増やすための補助金はいくらになるのでしょうか。"),
            {
                **answer,
                "text": f"{place}海岸の海岸林を増やすための補助金は{amount}十億円を計上することとしております。",
            },
            (f"{place}野登", f"{place}海岸に住む人の負担は増えるのでしょうか。"),
            {**answer, "text": f"{place}海岸に住む人の負担は年に{amount}百円引き下げることとしております。"},
        )
    ]
    recap = recap_of(meeting_with(*asked))
    points = {point.text for point in recap.key_points}
    plain = [sentence.text for sentence in recap.soft_language_summary]
    assert len(plain) >= 2
    assert not points & set(plain)


def test_no_ministry_is_a_headline(meeting_with, recap_of):
    text = (
        "環境省は海岸林の保全を進めます。環境省の海岸林の保全には干潟の再生が要ります。環境省は干潟の再生を支えます。"
    )
    title = recap_of(meeting_with(text)).title
    assert "環境省" not in title
    assert "海岸林" in title or "干潟" in title


def test_many_appointed_at_once_are_counted(meeting_with, recap_of):
    ruling = (
        "議長は、各常任委員長を指名いたします。\n　　　　内閣委員長　槍　　一郎君\n　　　　総務委員長　剱　　二郎君"
    )
    meeting = meeting_with(chaired("これより常任委員長の選挙を行います。"), chaired(ruling), meeting="本会議")
    assert recap_of(meeting).title == "内閣委員長に槍一郎君ら2人を選任（衆議院本会議）"


def test_the_choice_of_a_prime_minister_is_told_with_the_votes(meeting_with, recap_of):
    counted = (
        "投票の結果を報告いたします。\n　　投票総数　　二百四十票\n"
        "　　十勝修平君　　百三十一票\n　　九重由香君　　百九票\n"
        "　よって、本院は、十勝修平君を内閣総理大臣に指名することに決しました。"
    )
    meeting = meeting_with(
        chaired("これより内閣総理大臣の指名を行います。\n　指名は、記名投票をもって行います。"),
        chaired(counted),
        house="参議院",
        meeting="本会議",
    )
    recap = recap_of(meeting)
    assert recap.title == "十勝修平君を内閣総理大臣に指名、240票中131票（参議院本会議）"
    sentence = "記名投票の結果、投票総数240票のうち131票で、十勝修平君を内閣総理大臣に指名することに決しました。"
    assert recap.key_points[0].text == sentence
    assert recap.description.startswith(sentence)
    (decision,) = recap.facts.decisions
    assert decision.outcome == "designated"
    assert [(bill.title, bill.key) for bill in recap.facts.bills] == [("内閣総理大臣の指名", decision.bill)]


def test_bills_debated_longest_and_treaties_lead_before_technical_ones(meeting_with, recap_of):
    service = "漁港の公示に関する法律の施行に伴う関係法律の整備に関する法律案"
    treaty = "海洋の保全に関する協定の締結について承認を求めるの件"
    fishing = "沿岸漁業の一部を改正する法律案"

    def voted(title, report, result):
        return (
            chaired(f"日程第一、{title}を議題といたします。委員長の報告を求めます。"),
            ("穂高登", f"ただいま議題となりました{title}につきまして、御報告いたします。{report}"),
            chaired(f"これより採決をいたします。{title}に賛成の諸君の起立を求めます。\n　　　〔賛成者起立〕"),
            chaired(f"過半数と認めます。よって、{result}"),
        )

    recap = recap_of(
        meeting_with(
            *voted(service, "公示の方法を定めるものであります。", "本案は可決されました。"),
            *voted(treaty, "海洋の保全を図るものであります。" * 4, "本件は承認することに決しました。"),
            *voted(fishing, "沿岸の漁業者に休漁の補償金を支給するものであります。" * 8, "本案は可決されました。"),
            house="参議院",
            meeting="本会議",
        )
    )
    assert recap.title.startswith("沿岸漁業改正案を可決")
    named = [
        next(title for title in (service, treaty, fishing) if title in point.text) for point in recap.key_points[:3]
    ]
    assert named == [fishing, treaty, service]
    assert all("過半数の賛成で" in point.text for point in recap.key_points[:3])
    assert all(title in recap.description for title in (service, treaty, fishing))


def test_posts_of_the_house_are_no_bills_and_do_not_lead_before_consent(meeting_with, recap_of):
    meeting = meeting_with(
        chaired("港湾審査会委員の任命同意に関する件を議題といたします。"),
        chaired("港湾審査会委員に槍一郎君を任命することについて同意を与えることに賛成の諸君の起立を求めます。"),
        chaired(
            "全会一致と認めます。よって、港湾審査会委員に槍一郎君を任命することについて同意を与えることに決しました。"
        ),
        chaired(
            "次に、港湾訴追委員の選任に関する件を議題といたします。\n　申出のとおり選任を行うこととし、"
            "その選挙は手続を省略して議長において指名することに御異議ございませんか。"
        ),
        chaired("御異議ないと認め、さよう決定いたします。"),
        house="参議院",
        meeting="議院運営委員会",
    )
    recap = recap_of(meeting)
    assert "件を選任" not in recap.title
    assert recap.title.startswith("港湾審査会委員に槍一郎君")
    assert not any("件が" in point.text and "選任されました" in point.text for point in recap.key_points)
    assert "港湾訴追委員の選任に関する件" not in [bill.title for bill in recap.facts.bills]
