"""Japanese: words that carry one another, and changes of meaning without another figure or name."""

import pytest

from almanac.verify import Verdict

CARRIED = [
    ("役場は窓口の営業を土曜日にも広げると語った。", "役場は窓口の営業を土曜日にも拡大すると述べた。"),
    ("値段の引き上げを求めた。", "値段を引き上げるよう求めた。"),
    ("港で子供が遊んでいる。", "港で少女が遊んでいる。"),
    ("公園に動物がいる。", "公園に白い犬がいる。"),
    ("農水省が方針を示した。", "農林水産省が方針を示した。"),
    ("討論会は満員だった。", "公開討論会は満員だった。"),
    ("オートバイが倉庫にある。", "バイクが倉庫にある。"),
    ("橋は全員の了承を得て再開した。", "橋は全ての人の了承を得て再開した。"),
]
UNCARRIED = [
    ("山田太郎議員が辞職した。", "山田太郎議員が予算について質問した。"),
    ("港で少女が遊んでいる。", "港で子供が遊んでいる。"),
    ("役場は破産した。", "役場は窓口の営業を土曜日にも拡大すると述べた。"),
    ("大きな犬が走っている。", "小さな犬が走っている。"),
]


@pytest.mark.parametrize(("claim", "source"), CARRIED)
def test_other_words_for_the_same_are_carried(verdict_of, claim, source):
    checked = verdict_of(claim, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(("claim", "source"), UNCARRIED)
def test_words_that_the_source_lacks_are_not(verdict_of, claim, source):
    assert verdict_of(claim, source).verdict is not Verdict.SUPPORTED


def test_a_common_word_in_katakana_is_no_name(verdict_of):
    checked = verdict_of("会場でピアノとギターを弾いた。", "会場でピアノとバイオリンを弾いた。")
    assert checked.verdict is Verdict.UNCONFIRMED
