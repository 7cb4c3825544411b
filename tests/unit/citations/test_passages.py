"""Passages are exact words of a text, split the same way every time, and found again by their position."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.citations.model import PassageLocation
from almanac.citations.passages import (
    LONGEST_EXCERPT,
    find_excerpts,
    parse_quote,
    passage_id,
    quote_url,
    split_excerpts,
    text_version,
)
from almanac.search import any_words_query
from almanac.search.query_parser import parse_query

SENTENCE = "The dam at Beris supplies 85 megawatts to homes in the north. "


@given(st.text(max_size=400))
def test_an_excerpt_is_exactly_its_characters(text):
    for excerpt in split_excerpts(text):
        assert text[excerpt.start : excerpt.end] == excerpt.text


def test_a_long_text_is_cut_between_sentences_and_nothing_is_lost():
    text = SENTENCE * 60
    excerpts = split_excerpts(text)
    assert len(excerpts) > 1
    assert all(len(part.text) <= LONGEST_EXCERPT and part.text.endswith("north.") for part in excerpts)
    assert " ".join(part.text for part in excerpts) == text.strip()


def test_excerpts_with_the_most_matches_come_first_in_any_word_form():
    text = "\n\n".join([SENTENCE * 24, "Herders moved their camels. " * 50, "A camel drank. " + SENTENCE * 24])
    best = find_excerpts(text, ["camel"], most=2)
    assert [excerpt.text.count("camel") > 0 for excerpt in best] == [True, True]
    assert find_excerpts(text, ["glacier"]) == []


def test_an_id_is_stable_while_the_words_are():
    first = passage_id("news", "12", "", "Some words.")
    assert first == passage_id("news", "12", "", "Some words.")
    assert first != passage_id("news", "12", "", "Other words.")
    assert first.startswith("news:12:")
    assert text_version("a") != text_version("b")


def test_a_quote_url_marks_the_quoted_words():
    story = PassageLocation(desk="news", item="12", path="/news/stories/12")
    assert quote_url(story, 3, 9) == "/news/stories/12?quote=3-9#quoted"
    chunk = PassageLocation(desk="knowledge", item="s", path="/knowledge/s?chunk=c#chunk-c")
    assert quote_url(chunk, 3, 9) == chunk.path


@pytest.mark.parametrize(("text", "expected"), [("3-9", (3, 9)), ("9-3", None), ("x", None), ("", None), ("3-", None)])
def test_a_quote_parameter_is_parsed_or_ignored(text, expected):
    assert parse_quote(text) == expected


def test_phrases_are_searched_for_literally():
    assert any_words_query(['say "no"', " ", "a OR b"]) == '"say" "\\"no\\"" OR "a" "OR" "b"'
    assert parse_query(any_words_query(["-not", "tag:x"]))
    assert any_words_query([]) == ""


def test_a_phrase_without_a_word_is_left_out_of_a_query():
    assert any_words_query(["🔥", "bridge", "???"]) == '"bridge"'
    assert any_words_query(["🔥"]) == ""
