"""Terms of documents and of queries: whatever a person would call the same word has the same term."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.language.terms import index_terms, search_terms


def terms(text: str) -> list[str]:
    return [term.text for term in search_terms(text)]


@pytest.mark.parametrize(
    ("first", "other"),
    [
        ("Running", "run"),
        ("Malaysia's", "MALAYSIA"),
        ("café", "CAFE"),
        ("Ｆｕｌｌ ｗｉｄｔｈ", "full width"),
        ("ｶﾞｿﾘﾝ", "ガソリン"),
        ("1,200", "1200"),
        ("O’Brien", "o'brien"),
        ("policies", "policy"),
    ],
)
def test_alike_words_have_the_same_terms(first, other):
    assert terms(first) == terms(other)


@pytest.mark.parametrize(
    "word", ["cafés", "Réunion", "Nguyễn", "İstanbul", "d’été", "l'Électricité", "Ёлка", "ガソリン", "한국은행"]
)
def test_signs_that_stand_apart_from_their_letter_make_no_difference(word):
    assert terms(unicodedata.normalize("NFD", word)) == terms(unicodedata.normalize("NFC", word))
    assert len(terms(unicodedata.normalize("NFD", word))) == len(terms(word))


def test_the_vowels_of_a_word_are_part_of_it():
    assert terms("सौर ऊर्जा") != terms("सैर ऊर्जी")
    assert len(terms("सौर ऊर्जा")) == 2
    assert terms("سَلام") == terms("سلام")
    assert terms("שָׁלוֹם") == terms("שלום")


def test_numbers_are_kept_whole():
    assert terms("3.5% of 1,234,567 in 2026") == ["3.5", "of", "1234567", "in", "2026"]


def test_runs_of_characters_are_pairs_in_order():
    assert terms("東京都の2024年") == ["东京", "京都", "都の", "2024", "年"]
    assert [term.position for term in search_terms("東京都の2024年")] == [0, 1, 2, 3, 4]


def test_a_lone_character_is_marked_and_begins_some_term_of_every_document_that_holds_it():
    (query,) = search_terms("都")
    assert query.is_lone_character
    assert any(term.text.startswith("都") for term in index_terms("東京都"))


def test_a_phrase_of_a_query_stands_in_the_document_one_after_the_other():
    document = {(term.text, term.position) for term in index_terms("政府は金融政策を決めた。")}
    phrase = search_terms("金融政策")
    offset = next(position for text, position in document if text == phrase[0].text) - phrase[0].position
    assert {(term.text, term.position + offset) for term in phrase} <= document


@given(st.text(max_size=200))
def test_places_point_into_the_text(text):
    indexed = index_terms(text)
    for term in indexed:
        assert 0 <= term.start < term.end <= len(text)
        assert term.text
    positions = [term.position for term in indexed]
    assert positions == sorted(positions)
