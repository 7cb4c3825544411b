"""Nothing invented: what is written stands in the source, at the sentence that it names."""

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from almanac.language.segmentation import split_sentences
from almanac.llm.extractive.headlines import extract_headline
from almanac.llm.extractive.keywords import extract_keywords
from almanac.llm.extractive.outlines import PlannedItem, extract_draft
from almanac.llm.extractive.summaries import extract_bullets, extract_key_points, extract_plain_summary, extract_summary
from almanac.llm.sources import Cited, StepSource
from almanac.verify import CitedClaim, check

PIECES = [
    "The ministry approved 120 grants worth RM4.5 million on Monday. ",
    "However, it warned of delays. ",
    "“We are late,” said Dr. Tan of Maju Sdn. Bhd. in Ipoh. ",
    "Exports rose 5.1% in the third quarter, the agency said. ",
    "Read more: what it means for you\n",
    "Kerajaan meluluskan peruntukan RM2 bilion untuk 300 sekolah. ",
    "Namun, beliau berkata kerja itu lewat. ",
    "日銀は12日、政策金利を0.5％に据え置くことを決めた。",
    "しかし、市場は「早い。」とみる。",
    "国家统计局表示，10月出口同比增长5.2%，高于预期。",
    "不过，他说：“形势复杂。”",
    "\n\n",
    "1. First item of the list\n",
    "（",
    "”",
    "...",
    "a b c. ",
    "Ω≈ç√ ",
]
texts = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=400)


def flat(text: str) -> str:
    return re.sub(r"\s+", "", text)


def everything(*sources: StepSource) -> list[Cited]:
    headline = extract_headline(sources, 12)
    written = [*extract_summary(sources, 5), *extract_plain_summary(sources, 4), *extract_key_points(sources, 5)]
    written += [*extract_bullets(sources, 5, words=30), *([headline] if headline else [])]
    for paragraph in extract_draft(sources, [PlannedItem(title="Grants"), PlannedItem(title="輸出")], words=120):
        written += paragraph
    return written


def assert_taken_from(written: list[Cited], *sources: StepSource) -> None:
    split = {source.id: [flat(sentence.text) for sentence in split_sentences(source.text)] for source in sources}
    titles = {source.id: flat(source.title) for source in sources}
    for cited in written:
        (reference,) = cited.references
        sentence = reference.sentence
        place = titles[reference.source] if sentence is None else split[reference.source][sentence]
        assert flat(cited.text)
        assert flat(cited.text) in place


def test_articles(source):
    assert_taken_from(everything(source), source)


def test_keywords_stand_where_they_are_said_to(source):
    split = [flat(sentence.text).casefold() for sentence in split_sentences(source.text)]
    for keyword in extract_keywords([source], 10):
        for reference in keyword.references:
            assert flat(keyword.text).casefold() in split[reference.sentence or 0]


def test_an_article_that_is_summed_up_passes_the_check(source):
    claims = [CitedClaim(cited.text, (source.id,)) for cited in everything(source)]
    report = check(claims, {source.id: source.text})
    assert [
        (headline.text, headline.findings) for headline in report.sentences if headline.verdict != "supported"
    ] == []


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts,
    texts,
    st.sampled_from(["", "Grants for schools, explained | The Courier", "日銀、金利を据え置き　市場は「想定内」"]),
)
def test_any_text(first, second, title):
    sources = (StepSource(id="a", text=first, title=title), StepSource(id="b", text=second))
    assert_taken_from(everything(*sources), *sources)


@settings(max_examples=50, deadline=None)
@given(texts)
def test_the_same_text_gives_the_same_output(text):
    def write(id_: str) -> list[str]:
        return [cited.text for cited in everything(StepSource(id=id_, text=text))]

    assert write("one") == write("two")


@pytest.mark.parametrize("text", ["", "   \n\n ", "Menu", "Read more", "？", "12 November 2026"])
def test_a_source_without_a_sentence_gives_nothing(text):
    sources = (StepSource(id="thin", text=text),)
    assert everything(*sources) == []
    assert extract_keywords(sources, 10) == ()


def test_no_source_gives_nothing():
    assert everything() == []
    assert extract_keywords([], 5) == ()
