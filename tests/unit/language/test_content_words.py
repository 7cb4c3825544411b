"""Content words: what a text is about, without what holds it together."""

import pytest

from almanac.language.terms import content_words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The bank's rate was cut by 0.5 points", ["bank", "rate", "cut", "0.5", "points"]),
        ("Kerajaan akan menaikkan gaji pada 2027", ["kerajaan", "menaikkan", "gaji", "2027"]),
        ("政府は金融政策を決めた", ["政府", "金融政策"]),
        ("デジタル庁のシステム", ["デジタル", "システム"]),
        ("这是中国经济", ["中国", "国经", "经济"]),
    ],
)
def test_words_that_carry_meaning(text, expected):
    assert content_words(text) == expected
