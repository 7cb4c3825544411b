"""Positions are told as what they were: a debate only where there was one, and no sentence twice in a level."""

from almanac.desks.recap.model.recap import join_sentences
from almanac.desks.recap.writer.evidence import evidence_for

CHAIR = "榛名一成"


def position_texts(recap):
    return [point.text for point in recap.key_points if point.kind == "position"]


def section_titles(recap):
    return [section.title for section in recap.middle_summary]


def test_who_only_says_no_is_quoted_and_not_told_as_debating(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            (CHAIR, "○榛名委員長　会期の件について御協議願います。青柳陽一郎君。"),
            ("青柳陽一郎", "○青柳委員　反対します。\r\n　討論については、後ほど道下次席からあります。"),
            (CHAIR, "○榛名委員長　道下大樹君。"),
            (
                "道下大樹",
                "○道下委員　会期を九日間とすることに反対の討論をいたします。\r\n　補正予算を編成すべきです。",
            ),
        )
    )
    (point,) = position_texts(recap)
    assert "青柳陽一郎は「反対します」と述べました。" in [sentence.text for sentence in recap.summary]
    assert point.startswith("道下大樹は、会期を9日間とすることに反対の討論をしました。")
    assert [title.partition("：")[0] for title in section_titles(recap)] == ["反対", "反対討論"]


def test_a_debate_announced_for_another_sitting_makes_no_debate_of_this_one(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            (CHAIR, "○榛名委員長　本件に対し、小川淳也君から、討論の通告があります。討論時間は五分以内とします。"),
            ("青柳陽一郎", "○青柳委員　会期を九日間とする提案には反対します。"),
        )
    )
    assert "反対の討論" not in join_sentences(recap.summary)
    assert not any("討論" in title for title in section_titles(recap))


def test_a_speech_in_a_debate_needs_no_word_of_it(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            (CHAIR, "○榛名委員長　これより討論に入ります。討論の申出がありますので、これを許します。青柳陽一郎君。"),
            ("青柳陽一郎", "○青柳委員　本案に反対の立場です。費用が三億円も増えるからです。"),
        )
    )
    assert any(title.startswith("反対討論：") for title in section_titles(recap))


def test_who_is_for_one_proposal_and_against_another_is_quoted(meeting_with, recap_of):
    position = "政府提出の法律案に反対、立憲民主党提案の修正案に賛成の立場から討論いたします"
    recap = recap_of(
        meeting_with(
            (CHAIR, "○榛名委員長　これより討論に入ります。水沼秀幸君。"),
            ("水沼秀幸", f"○水沼委員　{position}。\r\n　政府案には大きな問題があります。"),
        )
    )
    assert position_texts(recap)[0].startswith(f"水沼秀幸は「{position}」と述べました。")
    assert [title.partition("：")[0] for title in section_titles(recap)] == ["討論"]


def test_addressing_somebody_is_no_reason(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            (
                "小川淳也",
                "○小川君　会期に反対の立場から討論します。まず、石破新総裁に申し上げます。補正予算を求めます。",
            ),
        )
    )
    sections = [sentence.text for section in recap.middle_summary for sentence in section.sentences]
    assert not any("石破新総裁に" in text for text in sections)


def test_a_sentence_that_another_contains_is_told_once(meeting_with, recap_of):
    recap = recap_of(
        meeting_with(
            (CHAIR, "○榛名委員長　登壇者に注意します。演壇で物品を掲げる行為は禁止されています。"),
            (CHAIR, "○榛名委員長　もう一度注意します。物品を掲げる行為は禁止されています。"),
        )
    )
    for level in (recap.key_points, recap.summary, recap.soft_language_summary):
        assert join_sentences(level).count("物品を掲げる行為は禁止されています") == 1


def test_a_side_is_told_with_the_speakers_group_and_held_against_the_record(meeting_with):
    meeting = meeting_with(
        (CHAIR, "○榛名委員長　これより討論に入ります。青柳陽一郎君。"),
        ("青柳陽一郎", "○青柳委員　本案に断固反対の立場から討論いたします。費用が三億円も増えるからです。"),
    )
    evidence = evidence_for(meeting)
    assert evidence.supports("青柳委員は反対の立場から討論しました。", (2,))
    assert not evidence.supports("青柳委員は賛成の立場から討論しました。", (2,))


def test_an_opinion_outside_a_debate_says_what_it_is_about(meeting_with, recap_of):
    opinion = (
        "○塩見委員　私は、渓流の会を代表して、会期を本日から十月九日までの九日間とすることに反対の意見を"
        "述べます。九日間では何の審議も尽くせません。"
    )
    recap = recap_of(meeting_with(("塩見岳", opinion)))
    (point,) = position_texts(recap)
    assert point.startswith("塩見岳は、会期を10月9日までの9日間とすることに反対の意見を述べました。")


def test_a_reason_that_points_back_is_not_quoted_without_what_it_points_to(meeting_with, recap_of):
    speech = (
        "○塩見委員　港湾法案に反対の立場から討論します。使用料が倍になります。"
        "国会の審議の前に、このような決め方は認められません。船主の負担は到底容認できません。"
    )
    opened = "○榛名委員長　これより討論に入ります。塩見岳君。"
    recap = recap_of(meeting_with((CHAIR, opened), ("塩見岳", speech)))
    (point,) = position_texts(recap)
    assert point == ("塩見岳は、港湾法案に反対の立場から討論しました。船主の負担は到底容認できません。")
