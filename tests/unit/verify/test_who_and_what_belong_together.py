"""A fact keeps its subject: exchanged names, facts of somebody else, another thing of the kind; paraphrase is free."""

import pytest

from almanac.verify import Verdict

MARKET = "Rosa Lind sold 640 crates of pears, while Karl Beck sold 410. The pears went from Bremen to Oslo by ship."
HEARING = 'Adaeze Obi said farmers lost a fifth of their crop. Jens Holm replied: "Nobody was warned in time."'


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The pears went from Oslo to Bremen by ship.", MARKET),
        ("Karl Beck sold 640 crates of pears.", MARKET),
        ("Jens Holm said farmers lost a fifth of their crop.", HEARING),
        ('Adaeze Obi replied: "Nobody was warned in time."', HEARING),
        ("荷物は函館から横浜に送られた。", "荷物は横浜から函館に送られた。"),
        ("上海队以3比1战胜天津队。", "天津队以3比1战胜上海队。"),
        ("Kapal itu belayar dari Klang ke Kuantan.", "Kapal itu belayar dari Kuantan ke Klang."),
        ("The sum of 300 EUR was paid for B-220.", "The sum of 300 EUR was paid for B-210. B-220 is open."),
        ("The ship brought 900 tonnes of wheat.", "The ship brought 900 tonnes of barley."),
        ("《新潮》杂志刊登了这篇小说。", "《收获》杂志刊登了这篇小说。"),
        ("The fair opens on 30 February 2026.", "The fair opens on 20 February 2026 with 30 stands."),
        ("展会于21月5日开幕。", "展会于2月5日开幕，有21家企业参加。"),
    ],
)
def test_a_fact_of_another_subject_is_a_fault(verdict_of, text, source):
    checked = verdict_of(text, source)
    assert checked.verdict is Verdict.CHANGED
    assert checked.findings[0].reason.endswith(".")


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Of the pears, Beck sold 410 crates and Lind 640.", MARKET),
        ("640 crates of pears were sold by Rosa Lind.", MARKET),
        ("“Nobody was warned in time,” Holm said.", HEARING),
        ("A fifth of the crop was lost, according to Obi.", HEARING),
        ("The ship brought 900 tonnes of grain.", "The ship brought 900 tonnes of barley."),
        ("北京队和上海队都进了决赛。", "上海队和北京队都进了决赛。"),
        ("東京と大阪で開かれた。", "大阪と東京で開かれた。"),
        ("馮雪說，缺口達600萬千瓦。", "冯雪说，缺口达600万千瓦。"),
        ("China added 45 GW of solar capacity.", "一季度全国新增光伏装机4,500万千瓦。"),
    ],
)
def test_another_way_to_say_it_is_none(verdict_of, text, source):
    checked = verdict_of(text, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


def test_a_country_is_a_fault_where_the_source_names_another(verdict_of):
    checked = verdict_of("China added 45 GW of solar capacity.", "越南一季度新增光伏装机4,500万千瓦。")
    assert checked.findings[0].found == "China"
