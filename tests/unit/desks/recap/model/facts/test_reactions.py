"""What a speech does is one of a closed set, and answers know their question."""

import pytest

from almanac.desks.recap.model.facts.debate import is_formality, trace_debate
from almanac.desks.recap.model.recap import REACTIONS


@pytest.mark.parametrize(
    ("text", "reaction"),
    [
        ("○榛名委員長　これより会議を開きます。", "議事進行"),
        ("○榛名委員長　起立多数。よって、本案は可決すべきものと決しました。", "採決"),
        ("○穂高国務大臣　ただいま議題となりました法律案の提案理由につきまして御説明申し上げます。", "趣旨説明"),
        ("○仁淀明君　外交防衛委員会における審査の経過と結果を御報告申し上げます。", "報告"),
        ("○九重委員　財源は足りるのでしょうか。", "質問"),
        ("○球磨正人君　会派を代表して、本案に反対の立場から討論します。", "反対"),
        ("○木曽委員　私は、本法律案に賛成の討論を行います。", "賛成"),
        ("○参考人（石狩順子君）　給食の現場から申し上げます。", "意見"),
        ("○伊吹早苗君　この際、暫時休憩されんことを望み、動議を提出いたします。", "動議"),
    ],
)
def test_a_speech_alone_shows_what_it_does(meeting_with, text, reaction):
    assert trace_debate(meeting_with(("甲", text))).reactions[1] == reaction


def test_the_samples_use_only_the_closed_set(sample_of):
    for name in ("chiiki-kotsu-iinkai", "yosan-iinkai", "sangiin-honkaigi"):
        assert set(trace_debate(sample_of(name)).reactions.values()) <= set(REACTIONS)


def test_every_answer_of_a_debate_knows_its_question(sample_of):
    course = trace_debate(sample_of("chiiki-kotsu-iinkai"))
    assert {answer: question for answer, question in course.response_to.items() if answer < 16} == {
        7: 6,
        9: 8,
        13: 12,
        15: 14,
    }
    assert all(course.reactions[question] == "質問" for question in course.response_to.values())


def test_several_ministers_may_answer_one_question(meeting_with):
    course = trace_debate(
        meeting_with(
            ("九重由香", "○九重由香君　総理と財務大臣に伺います。財源はありますか。"),
            ("浜名徹", "○議長（浜名徹君）　内閣総理大臣十勝修平君。"),
            ("十勝修平", "○内閣総理大臣（十勝修平君）　財源は確保しております。"),
            ("白神公彦", "○国務大臣（白神公彦君）　三千億円を計上しております。"),
        )
    )
    assert course.answers_of(1) == (3, 4)


@pytest.mark.parametrize(
    "formality",
    [
        "これより会議を開きます。",
        "次に、九重由香君。",
        "御異議なしと認めます。",
        "お答え申し上げます。",
        "本日はこれにて散会いたします。",
        "市民連帯クラブの九重由香です。",
        "ありがとうございました。",
        "お手元の資料二を御覧いただけますでしょうか。",
        "もう時間がなくなってしまいますので、最後に一点だけ要望させてください。",
        "次の質問に移らせていただきます。",
        "九重委員の御質問にお答えしたいと思います。",
        "今ほど指摘がございました、海岸林の管理についてでございます。",
        "大変貴重な御指摘をいただきました。",
        "何とぞ、御審議の上、速やかに御賛同いただきますようお願い申し上げます。",
    ],
)
def test_formalities_are_no_content(formality):
    assert is_formality(formality, "九重由香")


@pytest.mark.parametrize(
    "content",
    [
        "採決の結果、本件は多数をもって承認すべきものと決定いたしました。",
        "検討ではなく実施を強く求めて、質問を終わります。",
        "反対する旨の意見が述べられました。",
        "令和八年度予算案に三百二十億円を計上しております。",
        "資料の公開を直ちに進めるべきではありませんか。",
        "時間がかかっている理由は、測量の遅れです。",
    ],
)
def test_what_carries_a_fact_or_a_demand_is_content(content):
    assert not is_formality(content)


def test_a_new_matter_ends_what_was_asked_before(meeting_with):
    meeting = meeting_with(
        ("九重由香", "○九重委員　財源は足りるのでしょうか。"),
        ("榛名一成", "○榛名委員長　次に、内閣提出、水道法案を議題といたします。趣旨の説明を聴取いたします。"),
        ("穂高律子", "○穂高国務大臣　ただいま議題となりました水道法案の提案理由を御説明いたします。"),
    )
    course = trace_debate(meeting)
    assert course.reactions[3] == "趣旨説明"
    assert not course.response_to


def test_who_states_a_side_without_a_debate_takes_it(meeting_with):
    meeting = meeting_with(
        ("九重由香", "○九重委員　会期を九日間とすることに反対の意見を述べます。余りに短い会期です。")
    )
    course = trace_debate(meeting)
    assert course.reactions[1] == "反対"
    assert not course.argued
