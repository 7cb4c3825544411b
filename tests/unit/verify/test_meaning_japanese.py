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


FAULTS = [
    ("negation", "町は新しい橋の建設を認めなかった。", "町は新しい橋の建設を認めた。"),
    ("negation of what is there", "橋を渡っている人はいない。", "子供が橋を渡っている。"),
    ("negation of an opinion", "町は橋が危険だと思います。", "町は橋が危険だとは思いません。"),
    ("negating prefix", "対象は常勤の職員だ。", "対象は非常勤の職員だ。"),
    ("hardness", "新しい床は滑りにくい。", "新しい床は滑りやすい。"),
    ("plan", "町は春に橋を閉鎖する。", "町は春に橋を閉鎖する方針だ。"),
    ("consideration", "町は橋を閉鎖すると答えた。", "町は橋の閉鎖を検討すると答えた。"),
    ("future", "町の学校は再編された。", "計画では、町の学校を再編する。"),
    ("part of a figure", "乗客8人が重傷だった。", "乗客8人がけがをし、うち3人が重傷だった。"),
    ("suspicion", "男は倉庫から米を盗んだ。", "警察は、倉庫から米を盗んだ疑いで男を逮捕した。"),
    ("limit", "補助は1団体30万円。", "補助は1団体最大30万円。"),
    ("estimate", "工事費は4億円だった。", "工事費は4億円と見込まれる。"),
    ("quantifier", "委員の全員が出席した。", "委員の大半が出席した。"),
    ("left out quantifier", "住民は反対している。", "住民の一部は反対している。"),
    ("opposite", "与党の議員が質問した。", "野党の議員が質問した。"),
    ("subject of a figure", "町の支出は12億円だった。", "町の収入は12億円だった。町の支出は9億円だった。"),
    ("denied subject of a figure", "支持率は41%だった。", "不支持率は41%だった。"),
    ("direction", "来場者は520人から410人に増えた。", "来場者は520人、前年は410人だった。"),
    ("doer", "町長は財団に土地を提供した。", "土地は財団が提供した。町長は感謝を述べた。"),
    (
        "speaker",
        "町長は、橋の修理が遅れていると指摘した。",
        "森田議員は、橋の修理が遅れていると指摘した。町長は予算を説明した。",
    ),
    ("word that denies", "橋の名前は決まっている。", "橋の名前は未定で、町が決めるとしている。"),
    ("quantifier instead of a share", "住民の大半が反対した。", "住民の2割が反対した。"),
    ("cause", "大雨により、橋は閉鎖された。", "橋は6月に閉鎖された。町では大雨が続いた。"),
]
FAITHFUL = [
    ("町は橋の建設を認めていない。", "町は橋の建設を認めておりません。"),
    ("住民は計画に参加しなければならない。", "住民は計画に参加する必要がある。"),
    ("町は橋を閉鎖するとみられる。", "町は橋を閉鎖する見通しだ。"),
    ("橋の費用は町が負担する。", "橋の費用は町が負担する。支持する声は少ない。"),
    ("米を盗んだ疑いで男が逮捕された。", "警察は、倉庫から米を盗んだ疑いで男を逮捕した。"),
    ("乗客8人のうち3人が重傷だった。", "乗客8人がけがをし、うち3人が重傷だった。"),
    ("補助は最大30万円。", "補助は1団体最大30万円。"),
    ("土地は財団から提供された。", "土地は財団が提供した。"),
    ("橋の名前は決まっていない。", "橋の名前は未定だ。"),
    ("町長は、財源を示さずに工事はできないとの考えを示した。", "町長は、財源を示さないまま工事はできないと述べた。"),
    ("死者は出ていない。", "町は20日、3人がけがをしたと発表した。亡くなった人はいない。原因を調べている。"),
    ("大雨のため橋は閉鎖された。", "大雨の影響で橋は閉鎖された。"),
    ("不支持率は41%だった。", "内閣を支持しない人は41%だった。"),
]


@pytest.mark.parametrize(("claim", "source"), [case[1:] for case in FAULTS], ids=[case[0] for case in FAULTS])
def test_another_meaning_is_not_supported(verdict_of, claim, source):
    assert verdict_of(claim, source).verdict is not Verdict.SUPPORTED


@pytest.mark.parametrize(("claim", "source"), FAITHFUL)
def test_the_same_meaning_in_other_words_is_supported(verdict_of, claim, source):
    checked = verdict_of(claim, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


SPEECH = (
    "御指摘の橋については、地元の要望もあり、来年度から工事を始めることといたしております。雨の場合は、中止いたします。"
)


@pytest.mark.parametrize(
    "claim",
    [
        "地元の要望もあり、来年度から工事を始めることといたしております。",
        "来年度から工事を始めることといたしております。",
        "御指摘の橋については、来年度から工事を始めることといたしております。",
    ],
)
def test_a_sentence_without_some_of_its_clauses_is_supported(verdict_of, claim):
    assert verdict_of(claim, SPEECH).verdict is Verdict.SUPPORTED


def test_a_negation_in_such_a_sentence_changes_it(verdict_of):
    claim = "地元の要望もあり、来年度から工事を始めることといたしておりません。"
    assert verdict_of(claim, SPEECH).verdict is Verdict.CHANGED


def test_a_word_that_says_little_needs_no_cover_beside_others(verdict_of):
    source = "白い猫が赤い椅子で眠っている。"
    assert verdict_of("白い猫が赤い椅子に座って眠っている。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("猫が座っている。", source).verdict is Verdict.UNCONFIRMED
