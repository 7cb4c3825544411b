"""Key bytes keep the service's order, and segments share a table out among parallel scans."""

from base64 import b64encode

from hypothesis import given
from hypothesis import strategies as st

from tablature.engine.encoding import keys


@given(st.text(), st.text())
def test_strings_sort_by_their_utf_8_bytes(left: str, right: str) -> None:
    left_bytes, right_bytes = keys.encode("S", left), keys.encode("S", right)
    assert (left_bytes < right_bytes) == (
        left.encode("utf-8", "surrogatepass") < right.encode("utf-8", "surrogatepass")
    )


@given(st.binary(), st.binary())
def test_binary_values_sort_as_unsigned_bytes(left: bytes, right: bytes) -> None:
    left_bytes, right_bytes = (keys.encode("B", b64encode(raw).decode()) for raw in (left, right))
    assert (left_bytes < right_bytes) == (left < right)


@given(st.binary(), st.integers(1, 64))
def test_every_partition_lies_in_exactly_one_segment(raw: bytes, total: int) -> None:
    stored = keys.stored_partition_key(raw)
    holding = []
    for segment in range(total):
        low, high = keys.segment_bounds(segment, total)
        if low <= stored and (high is None or stored < high):
            holding.append(segment)
    assert len(holding) == 1


@given(st.binary(), st.binary())
def test_the_successor_of_a_prefix_is_past_all_that_begin_with_it(prefix: bytes, rest: bytes) -> None:
    after = keys.successor(prefix)
    assert after is None or prefix + rest < after
    if after is None:
        assert not prefix.strip(b"\xff")
