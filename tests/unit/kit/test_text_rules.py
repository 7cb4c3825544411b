"""Text is put on one line, shortened, slugged and counted the way a person would."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.kit.text import counted, one_line, shorten, slug, storable


@given(st.text())
def test_one_line_has_no_line_break_of_any_kind(text):
    assert len(one_line(text).splitlines()) <= 1


@given(st.text(), st.integers(5, 80))
def test_a_short_form_is_never_longer_than_asked(text, limit):
    assert len(shorten(text, limit)) <= limit


def test_a_short_form_ends_at_a_word():
    assert shorten("The quick brown fox jumps over the dog", 20) == "The quick brown fox…"


@pytest.mark.parametrize(
    ("text", "expected"), [("Ｄraft #1: 国会 報告!", "draft-1-国会-報告"), ("--", ""), ("A  B", "a-b")]
)
def test_a_slug_keeps_letters_of_every_script(text, expected):
    assert slug(text) == expected


def test_nouns_agree_with_their_number():
    assert (counted(1, "job"), counted(0, "job"), counted(1200, "reply", "replies")) == (
        "1 job",
        "0 jobs",
        "1,200 replies",
    )


@pytest.mark.parametrize(("text", "expected"), [("a\x00b", "ab"), ("half \ud800pair", "half pair"), ("葵 ✓", "葵 ✓")])
def test_storable_text_has_no_nul_and_no_lone_surrogate(text, expected):
    assert storable(text) == expected
