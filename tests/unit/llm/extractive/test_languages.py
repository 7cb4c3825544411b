"""A page in several languages is summed up in one of them."""

import pytest

from almanac.llm.extractive.line_language import is_in_language
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_plain_summary, extract_summary
from almanac.llm.sources import StepSource

MALAY = (
    "Jabatan Pertanian menganjurkan bengkel kompos untuk petani kecil pada 5 April di Sungai Besar. "
    "Seramai 60 petani telah mendaftar, kata pegawai daerah. Setiap peserta menerima sebuah tong kompos tanpa bayaran."
)
ENGLISH = (
    "The Department of Agriculture is holding a compost workshop for small farmers on 5 April in Sungai Besar. "
    "Sixty farmers have registered, the district officer said. Each participant receives a compost bin free of charge."
)
CHINESE = "农业局将于4月5日在双溪镇举办堆肥讲习班。已有60名农民报名参加。每位参加者可免费获得一个堆肥桶。"
JAPANESE = "農業局は4月5日、湖南町で堆肥の講習会を開く。すでに60人の農家が申し込んだ。参加者には容器を無料で配る。"
PAGES = [
    (f"{MALAY}\n\n{ENGLISH}", "ms"),
    (f"{ENGLISH} {ENGLISH.replace('compost', 'seed')}\n\n{MALAY}", "en"),
    (f"{ENGLISH}\n\n{CHINESE}", "en"),
    (f"{CHINESE}{CHINESE.replace('堆肥', '种子')}\n\n{ENGLISH[:90]}.", "zh"),
    (f"{JAPANESE}\n\n{CHINESE}", "ja"),
]


@pytest.mark.parametrize(("text", "language"), PAGES)
def test_one_language_in_a_summary(text, language):
    source = StepSource(id="s", text=text)
    for written in (
        extract_summary([source], 8),
        extract_plain_summary([source], 8),
        extract_key_points([source], 8),
        extract_bullets([source], 8, words=30),
    ):
        assert len(written) > 1
        assert all(is_in_language(cited.text, language) for cited in written)


@pytest.mark.parametrize(("wanted", "word"), [("ms", "bengkel"), ("en", "workshop"), ("zh", "讲习班")])
def test_the_wanted_language_of_a_page_in_several(wanted, word):
    source = StepSource(id="s", text=f"{MALAY}\n\n{ENGLISH}\n\n{CHINESE}")
    written = extract_summary([source], 3, language=wanted)
    assert word in written[0].text
    assert all(is_in_language(cited.text, wanted) for cited in written)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The Malay word for compost is “kompos”.", "en"),
        ("Menteri itu berkata “we will not go” ketika ditemui pemberita.", "ms"),
        ("Petronas melantik Deloitte sebagai juruaudit.", "ms"),
        ("日銀は12日、FOMCの決定を受けて会見した。", "ja"),
        ("东京的「さくら」咖啡馆开业。", "zh"),
    ],
)
def test_names_and_quotations_in_another_language_are_no_obstacle(text, language):
    assert is_in_language(text, language)
