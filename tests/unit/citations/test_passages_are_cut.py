"""Passages: the very words of a text, cut the same way every time, found again by their place."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.citations import Place, passage_id, stretches_about, version_of
from almanac.citations.cutting import LONGEST, stretches
from almanac.citations.quoting import address_of, read_quote
from almanac.search import any_phrase_query, parse_query

SENTENCE = "The dam at Beris supplies 85 megawatts to homes in the north. "


@given(st.text(max_size=400))
def test_a_passage_is_exactly_what_stands_there(text):
    for one in stretches(text):
        assert text[one.start : one.end] == one.text


def test_a_long_text_is_cut_between_sentences_and_nothing_is_lost():
    text = SENTENCE * 60
    found = stretches(text)
    assert len(found) > 1
    assert all(len(one.text) <= LONGEST and one.text.endswith("north.") for one in found)
    assert " ".join(one.text for one in found) == text.strip()


def test_those_that_hold_the_words_come_first_whatever_their_form():
    text = "\n\n".join([SENTENCE * 24, "Herders moved their camels. " * 50, "A camel drank. " + SENTENCE * 24])
    best = stretches_about(text, ["camel"], most=2)
    assert [one.text.count("camel") > 0 for one in best] == [True, True]
    assert stretches_about(text, ["glacier"]) == []


def test_an_id_stays_while_the_words_do():
    one = passage_id("news", "12", "", "Some words.")
    assert one == passage_id("news", "12", "", "Some words.")
    assert one != passage_id("news", "12", "", "Other words.")
    assert one.startswith("news:12:")
    assert version_of("a") != version_of("b")


def test_an_address_marks_the_words_it_quotes():
    story = Place(desk="news", item="12", path="/news/stories/12")
    assert address_of(story, 3, 9) == "/news/stories/12?quote=3-9#quoted"
    chunk = Place(desk="knowledge", item="s", path="/knowledge/s?chunk=c#chunk-c")
    assert address_of(chunk, 3, 9) == chunk.path


@pytest.mark.parametrize(("given", "meant"), [("3-9", (3, 9)), ("9-3", None), ("x", None), ("", None), ("3-", None)])
def test_a_quote_in_an_address_is_read_or_passed_over(given, meant):
    assert read_quote(given) == meant


def test_phrases_are_searched_for_literally():
    assert any_phrase_query(['say "no"', " ", "a OR b"]) == '"say \\"no\\"" OR "a OR b"'
    assert parse_query(any_phrase_query(["-not", "tag:x"]))
    assert any_phrase_query([]) == ""


def test_a_phrase_without_a_word_is_left_out_of_a_query():
    assert any_phrase_query(["🔥", "bridge", "???"]) == '"bridge"'
    assert any_phrase_query(["🔥"]) == ""
