"""Terms are explained only where a speaker defines them."""

import pytest

from almanac.desks.recap.model.facts.speech_text import SpokenSentence
from almanac.desks.recap.model.facts.terms import extract_terms


def terms_of(text: str) -> dict[str, str]:
    return {term.term: term.definition for term in extract_terms([SpokenSentence(1, 0, 0, text)])}


@pytest.mark.parametrize(
    ("text", "term", "definition"),
    [
        (
            "均衡賃料とは、借り手も貸し手も損をしない賃料のことでありますけれども、今は上がっています。",
            "均衡賃料",
            "借り手も貸し手も損をしない賃料",
        ),
        ("まず、調整給とは、手当の差額を埋めるものをいいます。", "調整給", "手当の差額を埋めるもの"),
        (
            "主に港の整備に充てる港湾特別積立金、いわゆる港積が減っています。",
            "港積",
            "主に港の整備に充てる港湾特別積立金",
        ),
        ("本法案では海岸保全共同計画、いわゆる「なぎさの約束」を設けます。", "なぎさの約束", "海岸保全共同計画"),
        ("沿岸教育推進機構、通称Ｅ―ＣＯＡＳＴでは、講義を始めました。", "Ｅ―ＣＯＡＳＴ", "沿岸教育推進機構"),
        (
            "離島航路の維持に関する協定（以下「航路協定」という。）を結びます。",
            "航路協定",
            "離島航路の維持に関する協定",
        ),
    ],
)
def test_a_definition_is_told_in_the_speakers_words(text, term, definition):
    assert terms_of(text) == {term: definition}


@pytest.mark.parametrize(
    "text",
    [
        "三党の幹事長の合意では、いわゆる灯油の補助を続けるとしています。",
        "与党としては、いわゆる百八万円の壁に対応します。",
        "負担の調整として、いわゆる通勤の問題を扱います。",
        "世界最高水準の港とは、具体的にどのような姿のことでしょうか。",
        "県とは、よく相談をしていきます。",
        "昨年十二月に行われました、いわゆる三文書に基づくものです。",
        "裏の金と言ってよいでしょうか、いわゆる裏帳簿の問題です。",
        "その結果、いわゆる空き家の伐採が進みました。",
        "賃上げ、株高の進展、いわゆる賃上げ、株高の波が来ました。",
        "当然四十日の予告、いわゆる待機期間が要ります。",
        "港湾局、気象台、海洋センターの三者による情報交換会、いわゆる三者懇談を開きます。",
        "昨年しかられた港の警備職員、通称ハヤブサが話しました。",
        "港の復旧に併せてこの再度の災害を防ぐ工事、いわゆる改良工事を行います。",
    ],
)
def test_a_name_without_a_definition_explains_nothing(text):
    assert terms_of(text) == {}
