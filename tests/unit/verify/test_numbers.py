"""A number is the same number however it is written, and another one if a digit, a unit or a currency differs."""

import pytest

from almanac.verify import FindingKind, Verdict


@pytest.mark.parametrize(
    ("claimed", "source"),
    [
        ("It has 1,234 members.", "It has 1234 members."),
        ("It has 1 234 members.", "It has 1,234 members."),
        ("It has １，２３４ members.", "It has 1,234 members."),
        ("Ia mempunyai 1.234 ahli.", "Ia mempunyai 1,234 ahli."),
        ("It cost 1.2 billion dollars.", "It cost $1,200,000,000."),
        ("It cost RM3.5b.", "It cost RM3,500 million."),
        ("Twelve people came.", "12 people came."),
        ("A dozen people came.", "12 people came."),
        ("Two hundred and fifty people came.", "250 people came."),
        ("Dua puluh lima orang hadir.", "25 orang hadir."),
        ("Kosnya RM2.5 juta.", "Kosnya RM2,500,000."),
        ("Half of the farmers agreed.", "50% of the farmers agreed."),
        ("A third of the farmers agreed.", "One third of the farmers agreed."),
        ("It weighs 1.5 tonnes.", "It weighs 1,500 kg."),
        ("It covers 12 square kilometres.", "It covers 1,200 hectares."),
        ("It fell 12 percent.", "It fell 12%."),
        ("会員は三百二十五人。", "会員は325人。"),
        ("会員は1万2,345人。", "会員は12,345人。"),
        ("費用は3億5,000万円。", "費用は350,000,000円。"),
        ("予算は1.2兆円。", "予算は1兆2000億円。"),
        ("割合は一割二分。", "割合は12％。"),
        ("三分の一が賛成した。", "3分の1が賛成した。"),
        ("产量为百分之十二。", "产量为12%。"),
        ("产值为31.88万亿元。", "产值为318800亿元。"),
        ("三成农户受灾。", "30%的农户受灾。"),
        ("装机35万千瓦。", "装机350兆瓦。"),
    ],
)
def test_another_way_to_write_it_is_the_same(verdict_of, claimed, source):
    checked = verdict_of(claimed, source)
    assert checked.verdict is Verdict.SUPPORTED, checked.findings


@pytest.mark.parametrize(
    ("claimed", "source", "kind", "expected"),
    [
        ("It has 1,520 members.", "It has 1,250 members.", FindingKind.NUMBER, "1,250"),
        ("It cost US$5 million.", "It cost RM5 million.", FindingKind.AMOUNT, "RM5 million"),
        ("It fell 21%.", "It fell 12%.", FindingKind.PERCENTAGE, "12%"),
        ("It covers 14 acres.", "It covers 14 hectares.", FindingKind.UNIT, "14 hectares"),
        ("It has a capacity of 9.6 GW.", "It has a capacity of 9.6 MW.", FindingKind.UNIT, "9.6 MW"),
        ("It rose 2.5 percent.", "It rose 2.5 percentage points.", FindingKind.UNIT, "2.5 percentage points"),
        ("費用は350億ドル。", "費用は350億円。", FindingKind.AMOUNT, "350億円"),
        ("会員は三百五十二人。", "会員は三百二十五人。", FindingKind.NUMBER, "三百二十五人"),
        ("The low was 5°C.", "The low was -5°C.", FindingKind.NUMBER, "-5°C"),
    ],
)
def test_a_difference_is_told_with_what_the_source_says(verdict_of, claimed, source, kind, expected):
    checked = verdict_of(claimed, source)
    assert checked.verdict is Verdict.CHANGED
    assert [(finding.kind, finding.expected) for finding in checked.findings] == [(kind, expected)]


@pytest.mark.parametrize(
    "claimed",
    [
        "About 1,200 people came.",
        "More than 1,200 people came.",
        "Nearly 1,300 people came.",
        "Fewer than 1,300 people came.",
        "Over 1,000 people came.",
    ],
)
def test_rounding_is_fine_where_the_text_says_so(verdict_of, claimed):
    assert verdict_of(claimed, "In all 1,234 people came.").verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    "claimed",
    [
        "In all 1,200 people came.",
        "More than 1,300 people came.",
        "Nearly 1,200 people came.",
        "Fewer than 1,200 people came.",
        "About 1,500 people came.",
    ],
)
def test_rounding_is_a_fault_without_a_word_or_in_the_wrong_direction(verdict_of, claimed):
    assert verdict_of(claimed, "In all 1,234 people came.").verdict is Verdict.CHANGED


@pytest.mark.parametrize(
    ("claimed", "fine"),
    [("約1万2,000人", True), ("およそ12,300人", True), ("1万2,000人", False), ("約1万5,000人", False)],
)
def test_japanese_hedges_count_too(verdict_of, claimed, fine):
    assert (verdict_of(f"参加者は{claimed}だった。", "参加者は12,345人だった。").verdict is Verdict.SUPPORTED) is fine


def test_the_figure_of_another_subject_is_a_change(verdict_of):
    source = "Paddy output in Kedah rose 5%. Rubber output in Perak rose 7%."
    checked = verdict_of("Paddy output in Kedah rose 7%.", source)
    assert (checked.verdict, checked.findings[0].expected) == (Verdict.CHANGED, "5%")


def test_figures_of_two_sentences_may_be_told_in_one(verdict_of):
    source = "Paddy output in Kedah rose 5%. Rubber output in Perak rose 7%."
    assert verdict_of("Paddy rose 5% in Kedah and rubber 7% in Perak.", source).verdict is Verdict.SUPPORTED
    assert verdict_of("Paddy rose 7% in Kedah and rubber 5% in Perak.", source).verdict is Verdict.CHANGED


def test_the_reason_is_a_sentence_a_person_understands(verdict_of):
    checked = verdict_of("It has 1,520 members.", "It has 1,250 members.")
    assert checked.findings[0].reason == "The source says 1,250, not 1,520."


def test_a_number_of_absurd_length_is_compared_all_the_same(verdict_of):
    absurd = "一二三四五六七八九十百千万億兆" * 30 + "円"
    assert verdict_of(f"費用は{absurd}です。", f"費用は{absurd}です。").verdict is Verdict.SUPPORTED


@pytest.mark.parametrize(
    ("claimed", "meant", "fine"),
    [
        ("It took no less than six hours.", "It took at least six hours.", True),
        ("It took no fewer than six hours.", "It took fewer than six hours.", False),
        ("Ia mengambil masa kurang enam jam.", "Ia mengambil masa lebih enam jam.", False),
        ("Ia mengambil masa tidak kurang daripada enam jam.", "Ia mengambil masa lebih enam jam.", True),
        ("Kira-kira enam jam diambil.", "Lebih kurang enam jam diambil.", True),
        ("须至少在48小时内修复。", "须最多在48小时内修复。", False),
        ("不少于48家参加。", "超过48家参加。", True),
    ],
)
def test_a_bound_with_a_negation_is_read_as_the_other_bound(verdict_of, claimed, meant, fine):
    assert (verdict_of(claimed, meant).verdict is Verdict.SUPPORTED) is fine


def test_days_that_look_like_a_date_may_be_told_in_weeks(verdict_of):
    source = "第2087号の支払いが本日で21日遅れております。"
    assert verdict_of("第2087号の支払いは3週間遅れています。", source).verdict is Verdict.SUPPORTED
    assert verdict_of("第2087号の支払いは4週間遅れています。", source).verdict is not Verdict.SUPPORTED
