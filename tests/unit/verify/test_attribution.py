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
        (
            "Net profit grew to €86.4 million.",
            "Revenue grew to €86.4 million, while net profit declined to €5.2 million.",
        ),
        ("净利润增至4.2亿元。", "营业收入由3.5亿元增至4.2亿元，净利润则降至1800万元。"),
        ("第2071号账单至今已逾期21天。", "第2087号账单至今已逾期21天，第2071号账单已于7月30日付清。"),
        ("第2071号は21日遅れています。", "第2087号（8月4日付、900円）は21日遅れています。第2071号は入金済みです。"),
        (
            "川上議員は10年以内に終えるべきだと主張した。",
            "案を出した大野議員は10年以内に終えるべきだと主張した。川上議員ら9人は反対した。",
        ),
        (
            "Nadia Brand bought 300 shares in June.",
            "Nadia Brand bought 300 shares in May; Hugo Lee sold 800 shares in June.",
        ),
        ("Chairman Hugo Lee bought 300 shares.", "Director Nadia Brand bought 300 shares; chairman Hugo Lee sold 800."),
        ("教育部长方静说，38家已经开业。", "卫生部长方静说，38家已经开业。"),
        ("行长高明远原本预计会降息0.25个百分点。", "行长高明远表示满意。经济学家苏婉原本预计会降息0.25个百分点。"),
        ("财政部3月9日表示，客运量增长12%。", "交通运输部3月9日表示，客运量增长12%。"),
        ("白溪流域约2300人转移。", "周六夜间青溪流域约2300人转移。"),
        ("多摩川流域で約2,300人が避難した。", "土曜の夜、荒川流域で約2,300人が避難した。"),
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
        ("Hume made 900 tonnes and Selby 70 tonnes.", "Hume made 900 tonnes, up from 840. Selby made 70 tonnes."),
        ("Invois INV-2087 berjumlah RM900.", "Puan Halimah, invois INV-2087 berjumlah RM900 kini tertunggak."),
        ("After more than six hours of debate, it was passed.", "It was passed after a debate of more than six hours."),
        ("修订案以14比9获得委员会通过。", "委员会以14票赞成、9票反对通过了修订案。"),
        ("Payment is due by 15 September at the latest.", "Please pay no later than 15 September."),
        ("PO-77 for EUR 418 falls due on 21 March.", "PO-77 of 19 February for EUR 418. It falls due on 21 March."),
        (
            "委員「開設は40か所に満たない。",
            "委員「開設は40か所に満たない。理由は」。大臣は、38か所が開設済みだと答えた。",
        ),
        ("市卫生局表示，38家诊所已开业。", "市卫生局局长方静说，38家诊所已开业。"),
    ],
)
def test_another_way_to_say_it_is_none(verdict_of, text, source):
    checked = verdict_of(text, source)
    assert checked.verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}, checked.findings


def test_a_country_is_a_fault_where_the_source_names_another(verdict_of):
    checked = verdict_of("China added 45 GW of solar capacity.", "越南一季度新增光伏装机4,500万千瓦。")
    assert checked.findings[0].found == "China"
