"""Two texts in pieces become one list in which every piece is added, removed or the same."""

from hypothesis import given
from hypothesis import strategies as st

from almanac.kit.text import diff_pieces

PIECES = st.lists(st.sampled_from("abcd"), max_size=8)


def test_what_was_removed_comes_before_what_took_its_place():
    assert diff_pieces(["a", "b", "d"], ["a", "c", "d"]) == ((" ", "a"), ("-", "b"), ("+", "c"), (" ", "d"))


@given(PIECES, PIECES)
def test_both_texts_can_be_read_out_of_the_list(before, after):
    pieces = diff_pieces(before, after)
    assert [text for sign, text in pieces if sign != "+"] == before
    assert [text for sign, text in pieces if sign != "-"] == after
