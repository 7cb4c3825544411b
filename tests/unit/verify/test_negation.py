"""A sentence turned round is a fault where the source denies nothing: in translation, and where little else is kept."""

import pytest

from almanac.verify import Verdict

RESERVOIR = "The reservoir will grow from 192 to 384 megawatts by 2028. Fares stay as they are."
DOCKYARD = "工厂2028年投产时将雇用1,900人。票价维持至2027年底。"
HEARING = "給食費は一食二百七十円に据え置いており、昨年度は果物を出す日を月八回から月三回に減らしております。"


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("Takungan itu tidak akan berkembang daripada 192 kepada 384 megawatt menjelang 2028.", RESERVOIR),
        ("水库不会在2028年前由192兆瓦扩至384兆瓦。", RESERVOIR),
        ("The works will not hire 1,900 people when it opens in 2028.", DOCKYARD),
        ("Kilang itu tidak akan menggaji 1,900 orang apabila dibuka pada 2028.", DOCKYARD),
        ("昨年度は、果物を出す日を月八回から月三回に減らしていません。", HEARING),
        ("果物の日を減らしていません。給食費は一食二百七十円に据え置いています。", HEARING),
    ],
)
def test_what_the_source_affirms_is_not_denied(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("水库将在2028年前由192兆瓦扩至384兆瓦。", RESERVOIR),
        ("到2027年底票价维持不变。", "Fares stay as they are until the end of 2027."),
        ("Tambang tidak berubah hingga hujung 2027.", "Fares stay as they are through the end of 2027."),
        ("The plant did not open in 2027.", "工厂2027年未投产。"),
        ("Kilang itu tidak dibuka pada 2027.", "The plant failed to open in 2027."),
        ("調理員は320人では足りていません。", "調理員は320人で足りているとは言えません。"),
        ("果物を出す日は月三回で、減らしていません。", "果物を出す日は月三回で、減らしておりません。"),
    ],
)
def test_a_denial_that_the_source_has_in_any_words_is_none_of_ours(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}


def test_kanji_alone_are_read_in_the_language_of_a_japanese_source(verdict_of):
    source = "○常念委員長　次に、最上健吾君にお願いします。"
    assert verdict_of("最上君。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("鷲津君。", source).verdict is not Verdict.SUPPORTED


def test_a_place_that_reads_like_a_word_is_missed_in_a_translation(verdict_of):
    source = "Pusat banjir Kelantan terima mikrogrid sebelum monsun."
    assert verdict_of("Flood shelters in Kelantan get microgrids", source).verdict is Verdict.SUPPORTED
    assert verdict_of("Flood shelters in Tamsworth get microgrids", source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("The company will renew the contract.", "The company will not renew the contract. Wages stay as they are."),
        ("Workers were injured, and two doors were blocked.", "No workers were injured, but two doors were blocked."),
        ("The first instalment has not been paid.", "The first instalment of €900 was paid on 3 May."),
        ("Invois INV-2071 belum dibayar.", "Invois INV-2071 berjumlah RM3,200 telah dibayar pada 30 Julai."),
        ("第2071号账单尚未付清。", "第2071号账单3,200元已于7月30日付清。"),
        ("参加人数减少了。", "参加人数没有减少，销售额增长了三成。"),
        ("参加者は減った。", "参加者は減らず、売り上げは3割増えた。"),
        ("Ms Ferris said that a contract was cancelled.", "Ms Ferris spoke. No contract was cancelled in 2025."),
        ("有合同被取消。", "已支出2.1亿元，没有任何合同被取消。"),
        ("死者が確認された。", "死者は確認されていないが、橋2本が通行止めになった。"),
    ],
)
def test_a_denial_put_in_or_left_out_is_found_by_the_word_that_it_denies(verdict_of, text, source):
    assert verdict_of(text, source).verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("No women were hurt.", "The women were not hurt."),
        ("The company refuses to renew the contract.", "The company will not renew the contract."),
        ("Entries must arrive by 15 May.", "Entries must arrive no later than 15 May."),
        ("利率维持在百分之四。", "利率维持在4%不变。"),
        ("出店者は港町に移るかもしれない。", "出店者は港町に移る可能性がある。"),
        ("病床は60床減って420床になる。", "病床は420床で、現在より60床少ない。"),
        ("委員は制限の撤廃を求めて質問した。", "委員は、制限を撤廃すべきではないかと質問した。"),
    ],
)
def test_the_same_denial_in_other_words_is_no_fault(verdict_of, text, source):
    assert verdict_of(text, source).verdict in {Verdict.SUPPORTED, Verdict.UNCONFIRMED}
