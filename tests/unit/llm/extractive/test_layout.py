"""Headings stay with the figures under them, and rows with their header row."""

import pytest

from almanac.language.segmentation import split_sentences
from almanac.llm.extractive.layout import find_labels
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_summary
from almanac.llm.sources import StepSource

MARKETS = {
    "en": """Weekly market prices

Prices of staple foods were mostly steady this week, the Lake Basin market office said.

Kisumu
Maize: 3,200 shillings a 90 kg bag, up 100.
Beans: 9,400 shillings a bag, unchanged.

Homa Bay
Maize: 2,950 shillings a 90 kg bag, unchanged.
Beans: 9,900 shillings a bag, up 250.
""",
    "ms": """Harga pasar mingguan

Harga barang keperluan kekal stabil minggu ini, menurut Pejabat Pasar Daerah.

Kota Bharu
Bawang merah: RM4.20 sekilogram, naik 30 sen.
Cili merah: RM14.50 sekilogram, turun RM1.
Kuala Terengganu
Bawang merah: RM4.60 sekilogram, tidak berubah.
Cili merah: RM13.90 sekilogram, naik 50 sen.
""",
    "ja": """今週の市場価格

市場協会は、野菜の価格がおおむね安定したと発表した。

青森
りんご：1箱3,200円で、100円上がった。
にんにく：1キロ1,450円で、変わらなかった。
八戸
りんご：1箱2,950円で、50円下がった。
にんにく：1キロ1,380円で、20円上がった。
""",
    "zh": """一周市场价格

市场办公室表示，本周蔬菜价格总体平稳。

青岛
大白菜：每公斤2.4元，上涨0.2元。
西红柿：每公斤6.1元，持平。
烟台
大白菜：每公斤2.1元，持平。
西红柿：每公斤6.6元，上涨0.4元。
""",
}
LISTS = [
    """Market prices, 12 November

Kisumu
Maize 3,200
Beans 9,400
Homa Bay
Maize 2,950
Beans 9,900
""",
    """Market prices

Kisumu, 12 November
Maize: 3,200 a bag.
Beans: 9,400 a bag.

Homa Bay, 13 November
Maize: 2,950 a bag.
Beans: 9,900 a bag.
""",
]
TABLE = """Prices at three markets, week 46

Rain cut supplies of vegetables, the market office said on Friday.

Town | Maize (90 kg) | Beans (90 kg)
Kisumu | 3,200 | 9,400
Homa Bay | 2,950 | 9,900
Siaya | 3,050 | 9,700
"""


@pytest.mark.parametrize("language", MARKETS)
@pytest.mark.parametrize("count", range(1, 8))
def test_prices_keep_their_town(language, count):
    source = StepSource(id="s", text=MARKETS[language])
    numbers = {number: sentence.text for number, sentence in enumerate(split_sentences(source.text))}
    town = {3: 2, 4: 2, 6: 5, 7: 5}
    for written in (
        extract_summary([source], count),
        extract_key_points([source], count),
        extract_bullets([source], count, words=30),
    ):
        places = [cited.references[0].sentence or 0 for cited in written]
        for place in places:
            assert place not in town or town[place] in places[: places.index(place)]
        assert [numbers[place] for place in places if place in (2, 5)] == [
            cited.text for cited in written if cited.references[0].sentence in (2, 5)
        ]
        assert len(written) <= count


@pytest.mark.parametrize("text", LISTS)
@pytest.mark.parametrize("count", range(2, 7))
def test_bare_lists_keep_their_headings(text, count):
    written = [cited.text for cited in extract_key_points([StepSource(id="s", text=text)], count)]
    assert written[0].startswith(("Kisumu", "Homa Bay"))
    for price, town in (("3,200", "Kisumu"), ("9,400", "Kisumu"), ("2,950", "Homa Bay"), ("9,900", "Homa Bay")):
        at = next((at for at, point in enumerate(written) if price in point), None)
        assert at is None or any(point.startswith(town) for point in written[:at])


def test_a_long_enough_summary_of_prices_has_prices():
    for text in MARKETS.values():
        written = extract_summary([StepSource(id="s", text=text)], 4)
        assert {cited.references[0].sentence for cited in written} & {3, 4, 6, 7}


@pytest.mark.parametrize("count", range(2, 6))
def test_rows_come_with_their_header(count):
    written = [cited.text for cited in extract_key_points([StepSource(id="s", text=TABLE)], count)]
    rows = [text for text in written if "|" in text]
    assert not rows or rows[0] == "Town | Maize (90 kg) | Beans (90 kg)"
    assert len(rows) != 1


def test_headings_over_prose_are_not_needed():
    text = "What happens next\nThe council will vote on 3 May. It needs 12 of 20 votes.\nBackground\nThe plan is old."
    assert find_labels(split_sentences(text)) == {}


def test_a_question_comes_with_an_answer_that_needs_it_or_not_at_all():
    text = """Grants for libraries

The Lakeside Trust is giving grants to village libraries this year. Each library can receive $4,000 for books.

Who gets one?
Any registered village library in the three lake districts.

Why now?
The trust has sold its old offices in Mbita for $90,000.
"""
    for count in range(1, 8):
        written = [cited.text for cited in extract_key_points([StepSource(id="s", text=text)], count)]
        assert ("Who gets one?" in written) == (
            "Any registered village library in the three lake districts." in written
        )
        assert "Why now?" not in written


def test_a_claim_that_is_only_repeated_is_not_told():
    text = """Did the mayor sell the library?

Claim
The mayor of Larkhaven sold the library for $17 million.

The library still belongs to the town. The land office of Larkhaven showed us the register on Monday.
"""
    written = [cited.text for cited in extract_key_points([StepSource(id="s", text=text)], 5)]
    assert written
    assert all("$17 million" not in point for point in written)
