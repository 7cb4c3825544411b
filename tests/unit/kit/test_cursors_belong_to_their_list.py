"""A cursor opens only for the list it was made for, with the key it was sealed with."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.errors import InputError
from almanac.kit.paging import decode_cursor, encode_cursor

KEY = b"k" * 32
positions = st.lists(st.one_of(st.text(), st.integers(-(2**53), 2**53), st.none()), max_size=4)


@given(positions)
def test_a_cursor_gives_back_its_position(position):
    assert decode_cursor(encode_cursor(position, of="jobs", key=KEY), of="jobs", key=KEY) == position


@given(st.text())
def test_anything_else_is_refused_with_a_sentence(text):
    with pytest.raises(InputError, match="start again"):
        decode_cursor(text, of="jobs", key=KEY)


def test_a_cursor_of_another_list_or_key_is_refused():
    cursor = encode_cursor(["a", 1], of="jobs", key=KEY)
    with pytest.raises(InputError, match="start again"):
        decode_cursor(cursor, of="mail", key=KEY)
    with pytest.raises(InputError, match="start again"):
        decode_cursor(cursor, of="jobs", key=b"x" * 32)
