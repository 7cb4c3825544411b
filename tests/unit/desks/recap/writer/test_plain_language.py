"""Sentences become shorter and plainer without losing a fact."""

import pytest

from almanac.desks.recap.writer.extractive.plain_language import (
    end_of_sentence,
    everyday_words,
    kanji_to_digits,
    shorten_title,
    simplify,
    split_sentence,
    trim_openers,
)


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("四百億円の収支不足となっております。", "四百億円の収支不足となっています。"),
        (
            "割引につきましては、市町村が判断すべきものと考えております。",
            "割引については、市町村が判断すべきと考えています。",
        ),
        ("短縮してまいります。", "短縮していきます。"),
        ("本案は可決すべきものと決しました。", "本案は可決すべきものと決まりました。"),
        ("本案は委員長報告のとおり可決いたしました。", "本案は委員長報告のとおり可決しました。"),
        ("全国で二千五十七か所ございます。", "全国で二千五十七か所あります。"),
    ],
)
def test_the_manners_of_the_house_go(sentence, plain):
    assert simplify(sentence) == plain


@pytest.mark.parametrize(
    ("sentence", "plain"),
    [
        ("御協力をお願い申し上げます。", "ご協力をお願いします。"),
        ("心からおわびを申し上げます。", "心からおわびをします。"),
        ("概要を御説明申し上げます。", "概要を説明します。"),
        ("四件について御説明申し上げます。", "四件について説明します。"),
        ("このルールにいたした次第でございます。", "このルールにしました。"),
        ("使命を果たした次第です。", "使命を果たしました。"),
        ("検討が必要と考えてございます。", "検討が必要と考えています。"),
        ("二千件が授与されてございまして、更に増えます。", "二千件が授与されており、更に増えます。"),
        ("財政の点に関連するのでありまして、検討します。", "財政の点に関連するのであり、検討します。"),
        ("対策におきましては、支援を行います。", "対策では、支援を行います。"),
        ("国会運営の中心であります議院運営委員長です。", "国会運営の中心である議院運営委員長です。"),
        ("公平の確保は重要でございます一方、課題もあります。", "公平の確保は重要である一方、課題もあります。"),
    ],
)
def test_a_humble_ending_goes_where_the_verb_before_it_stays(sentence, plain):
    assert simplify(sentence) == plain


@pytest.mark.parametrize(
    "sentence",
    [
        "石破新総裁に申し上げます。",
        "金融政策全般について申し上げます。",
        "反対であることを申し上げます。",
        "その上で申し上げますと、まだ決定していません。",
        "心からお悔やみを申し上げます。",
        "誠に光栄に存じます。",
        "大臣におきましては、積極的な対応を求めます。",
        "答弁を差し控えさせていただきます。",
        "御就任おめでとうございます。",
        "答えるのは難しゅうございますが、努力します。",
    ],
)
def test_an_ending_that_carries_the_meaning_stays(sentence):
    assert simplify(sentence) == sentence


@pytest.mark.parametrize(
    ("sentence", "alone"),
    [
        ("なお、本件は承認されました。", "本件は承認されました。"),
        ("第二に、国は、費用を補助します。", "国は、費用を補助します。"),
        ("しかし、国は、費用を補助します。", "国は、費用を補助します。"),
        ("今委員から御指摘のあったとおり、面積は減りました。", "面積は減りました。"),
        ("先ほども御答弁したところですが、面積は減りました。", "面積は減りました。"),
        ("繰り返しになりますけれども、面積は減りました。", "面積は減りました。"),
        ("先ほど申し上げましたように、面積は減りました。", "面積は減りました。"),
        ("海岸林について、もう委員御承知のように、面積は減りました。", "海岸林について、面積は減りました。"),
        ("今先生から御質問のありました海岸林は減りました。", "海岸林は減りました。"),
        ("穂高議員御指摘の海岸林は減りました。", "海岸林は減りました。"),
        ("大臣、面積はなぜ減ったのですか。", "面積はなぜ減ったのですか。"),
        ("大臣、副大臣、政務官が視察しました。", "大臣、副大臣、政務官が視察しました。"),
        ("一　財源の確保に努めること。", "財源の確保に努めること。"),
        ("よって、本案は可決いたしました。", "本案は可決いたしました。"),
        ("質疑が行われましたが、詳細は会議録によって御承知願います。", "質疑が行われました。"),
    ],
)
def test_what_ties_a_sentence_to_the_one_before_goes(sentence, alone):
    assert trim_openers(sentence) == alone


@pytest.mark.parametrize(
    ("kanji", "digits"),
    [
        ("六千三十四億円", "6034億円"),
        ("一万五千二百キロメートル", "1万5200キロメートル"),
        ("令和八年四月一日", "令和8年4月1日"),
        ("費用の二分の一以内", "費用の2分の1以内"),
        ("六・三パーセント", "6.3パーセント"),
        ("一人当たり三十万円", "一人当たり30万円"),
        ("四万十徹也君", "四万十徹也君"),
        ("十分な時間", "十分な時間"),
        ("一日も早く", "一日も早く"),
        ("十日町市", "十日町市"),
        ("第一の理由", "第一の理由"),
        ("四十兆から七十六・五兆円に", "40兆から76.5兆円に"),
        ("二十万超から五万円超へ", "20万超から5万円超へ"),
        ("毎年七、八兆円", "毎年7、8兆円"),
        ("七十六年を経て、一人でも多くの方に", "76年を経て、一人でも多くの方に"),
        ("一・〇五倍", "1.05倍"),
        ("三百か所の一・五か所分", "三百か所の一・五か所分"),
    ],
)
def test_counted_numbers_come_in_digits_and_words_stay(kanji, digits):
    assert kanji_to_digits(kanji) == digits


def test_a_long_question_keeps_the_clauses_that_ask():
    concession = "海岸林の面積が減ったことは承知しておりますけれども、"
    asked = "大臣は残った海岸林を守るためにどのような方針で臨むおつもりなのか、お聞かせください。"
    assert end_of_sentence(concession * 4 + asked, 60) == asked
    assert end_of_sentence(
        concession * 4 + "その点について大臣の御見解をお聞かせいただければと思います。", 60
    ).startswith(concession)


def test_a_long_statement_becomes_two():
    sentence = "交付金の額は毎年度の予算において定めるものであり、法律に金額を明記することは考えていません。"
    assert split_sentence(sentence) == [
        "交付金の額は毎年度の予算において定めるものです。",
        "法律に金額を明記することは考えていません。",
    ]


def test_headings_are_cut_at_a_comma():
    assert shorten_title("放送法第七十条の規定に基づき、承認を求めるの件", 18) == "放送法第七十条の規定に基づき…"
    assert shorten_title("短い", 18) == "短い"


@pytest.mark.parametrize(
    ("officialese", "everyday"),
    [
        ("国際港湾及び地方港湾の整備を実施する。", "国際港湾と地方港湾の整備を行う。"),
        ("当該港湾の使用料の引上げを行う。", "その港湾の使用料を引き上げる。"),
        ("計画を策定する。", "計画を作る。"),
    ],
)
def test_the_plain_summary_has_everyday_words(officialese, everyday):
    assert everyday_words(officialese) == everyday


def test_a_speech_ends_with_what_it_asks_for_and_not_with_its_form():
    assert simplify("全ての被害者を救うことを求め、私の討論といたします。") == "全ての被害者を救うことを求めます。"
