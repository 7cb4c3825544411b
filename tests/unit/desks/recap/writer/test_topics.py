"""Speeches that ask about much, and answers to them, are told topic by topic; nothing is put under a wrong one."""

import pytest

from almanac.desks.recap.writer.extractive.topics import announced_topic

ASKED = """○九重由香君　市民連帯クラブの九重由香です。
　まず、物価高対策について伺います。
　政府の対策は一世帯当たり三千円程度にすぎません。総理は、この規模で十分だとお考えですか。
　次に、介護の人手不足について伺います。
　処遇の改善に三千億円を充てるべきだと考えますが、総理の見解を求めます。
　最後に、選択的夫婦別姓についてです。今国会で結論を出すべきではありませんか。"""
ANSWERED = """○内閣総理大臣（十勝修平君）　九重由香議員の御質問にお答えをいたします。
　物価高対策についてお尋ねがありました。
　標準的な世帯で年間八万円を超える支援となります。
　介護の人手不足についてお尋ねがありました。
　令和八年度の臨時の報酬改定で、二千四百億円を措置いたします。
　選択的夫婦別姓制度についてお尋ねがありました。
　国民の間に様々な意見があり、更なる検討をする必要があると考えております。
　残余の質問については、関係大臣から答弁させます。（拍手）"""


@pytest.fixture(scope="module")
def plenary(meeting_with, recap_of):
    return recap_of(meeting_with(("九重由香", ASKED), ("十勝修平", ANSWERED), meeting="本会議"))


def test_each_topic_of_a_speech_is_a_section(plenary):
    titles = [[section.title for section in dialog.summary_sections] for dialog in plenary.dialogs]
    assert titles[0] == ["物価高対策について", "介護の人手不足について", "選択的夫婦別姓について"]
    assert titles[1] == ["物価高対策について", "介護の人手不足について", "選択的夫婦別姓制度について"]
    assert plenary.dialogs[1].summary_sections[1].bullets == ("令和8年度の臨時の報酬改定で、2400億円を措置します。",)


def test_each_question_is_followed_by_the_answer_on_its_topic(plenary):
    (part,) = plenary.middle_summary
    assert [sentence.text for sentence in part.sentences] == [
        "物価高対策について、政府の対策は一世帯当たり3000円程度にすぎません。総理は、この規模で十分だとお考えですか。",
        "標準的な世帯で年間8万円を超える支援となります（十勝修平内閣総理大臣）。",
        "介護の人手不足について、処遇の改善に3000億円を充てるべきだと考えますが、総理の見解を求めます。",
        "令和8年度の臨時の報酬改定で、2400億円を措置します（十勝修平内閣総理大臣）。",
        "選択的夫婦別姓について、今国会で結論を出すべきではありませんか。",
        "国民の間に様々な意見があり、更なる検討をする必要があると考えています（十勝修平内閣総理大臣）。",
    ]


def test_an_answer_is_never_put_under_the_topic_of_another_question(sample_of, recap_of):
    recap = recap_of(sample_of("yosan-iinkai"))
    cited = [*recap.key_points, *recap.summary, *(each for part in recap.middle_summary for each in part.sentences)]
    taxed = [each.text for each in cited if "租税特別措置" in each.text]
    assert taxed
    assert not any(text.startswith(("高額療養費について", "介護について")) for text in taxed)


@pytest.mark.parametrize(
    ("announcement", "topic"),
    [
        ("次に、運転者の賃金について伺います。", "運転者の賃金"),
        ("外交についてお尋ねがありました。", "外交"),
        ("最後に、選択的夫婦別姓についてです。", "選択的夫婦別姓"),
        ("財源について一問お尋ねがありました。", "財源"),
        ("この点について伺います。", ""),
        ("費用について補助します。", ""),
    ],
)
def test_topics_are_what_speakers_announce(announcement, topic):
    assert announced_topic(announcement) == topic
