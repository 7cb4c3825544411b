"""The reasons of a speech are its own: no concession, no demand, nothing about another proposal."""

import pytest

from almanac.desks.recap.model.facts.reasons import stated_reasons
from almanac.desks.recap.model.meeting import Speech


def reasons_of(text: str, side: str = "反対") -> list[str]:
    speech = Speech(order=1, speaker="青柳陽一郎", text=f"○青柳委員　{text}")
    return [each.text for each in stated_reasons(speech, side)]


def test_what_is_called_a_reason_is_one():
    text = (
        "本案に反対の立場から討論いたします。港の整備は確かに必要です。しかし、方法が誤っています。"
        "反対する第一の理由は、負担が町に集中するからです。町の財政は厳しい状況です。第二の理由は、説明がないことです。"
        "反対の最大の理由は、船が減ることです。以上、討論とします。"
    )
    assert reasons_of(text) == [
        "反対する第一の理由は、負担が町に集中するからです。",
        "第二の理由は、説明がないことです。",
        "反対の最大の理由は、船が減ることです。",
    ]


def test_reasons_may_only_be_numbered():
    text = "反対の立場から討論します。二つの問題があります。第一に、費用が三億円増えます。第二に、期間が短すぎます。"
    assert reasons_of(text) == ["第一に、費用が三億円増えます。", "第二に、期間が短すぎます。"]


def test_numbered_demands_are_no_reasons():
    text = (
        "会期の件に反対の立場から討論します。これまで求めてきた三項目。第一に、補正予算を編成すること。"
        "第二に、審査会を再開することを求めます。このような日程は到底認められません。"
    )
    assert reasons_of(text) == ["このような日程は到底認められません。"]


@pytest.mark.parametrize(
    "conceded",
    [
        "確かに、今の制度は不十分です。",
        "手続が煩雑であることは問題です。しかし、廃止は早すぎます。",
        "政府は現状が不十分であると説明しています。",
    ],
)
def test_a_concession_and_the_other_sides_case_are_no_reasons(conceded):
    text = f"反対の立場から討論します。{conceded}乗客への影響は看過できません。"
    assert reasons_of(text) == ["乗客への影響は看過できません。"]


def test_what_is_said_about_the_second_proposal_is_left_out():
    text = (
        "政府案に反対、修正案に賛成の立場から討論します。政府案の増税は許されません。料金も高すぎます。"
        "次に、野党の修正案について申し上げます。二万円では足りません。"
    )
    assert reasons_of(text) == ["政府案の増税は許されません。"]


def test_a_supporter_says_what_they_value():
    text = (
        "賛成の立場から討論します。離島の航路を守る点を評価いたします。ただ、期間は短いと感じます。船は減っています。"
    )
    assert reasons_of(text, "賛成") == []
    assert reasons_of(text.replace("ただ、期間は短いと感じます。", ""), "賛成") == [
        "離島の航路を守る点を評価いたします。"
    ]


def test_a_speech_without_reasons_has_none():
    assert reasons_of("反対します。討論は後ほど別の者が行います。") == []


def test_where_a_reason_only_names_its_field_the_next_sentence_tells_it():
    text = (
        "反対の立場から討論いたします。反対する第一の理由は、港の使用料に関わる一連の改正内容です。"
        "使用料は四つに分かれ、複雑な制度となりました。反対する第二の理由は、説明が不十分な点です。"
    )
    assert reasons_of(text) == [
        "使用料は四つに分かれ、複雑な制度となりました。",
        "反対する第二の理由は、説明が不十分な点です。",
    ]


def test_what_a_numbered_reason_presupposes_gives_way_to_what_it_holds_against_it():
    text = (
        "政府案並びに与党修正案に反対の立場から討論いたします。大きく二つの問題があります。"
        "第一に、港は皆のものです。しかし、今回の政府案並びに与党修正案は、港を狭くします。第二に、費用が増えます。"
    )
    assert reasons_of(text) == ["しかし、今回の政府案並びに与党修正案は、港を狭くします。", "第二に、費用が増えます。"]
