"""Numbers are exact to 38 digits, have one spelling, and sort as bytes."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablature.engine.encoding import numbers
from tablature.engine.errors import EngineError

OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
UNDERFLOW = "Number underflow. Attempting to store a number with magnitude smaller than supported range"
TOO_PRECISE = "Attempting to store more than 38 significant digits in a Number"

any_number = st.builds(
    lambda sign, digits, exponent: f"{sign}{digits}e{exponent}",
    st.sampled_from(["", "-", "+"]),
    st.integers(0, 10**38 - 1),
    st.integers(-90, 87),
)


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("0", "0"),
        ("-0.00", "0"),
        ("0e500", "0"),
        ("007", "7"),
        ("+5", "5"),
        ("1e2", "100"),
        ("1.50", "1.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("-1.25E-3", "-0.00125"),
        ("1E+3", "1000"),
        ("9" * 38 + "00", "9" * 38 + "00"),
        ("1e125", "1" + "0" * 125),
        ("1e-130", "0." + "0" * 129 + "1"),
    ],
)
def test_a_number_has_one_plain_spelling(written: str, normal: str) -> None:
    assert numbers.normalise_number(written) == normal


@pytest.mark.parametrize(
    ("written", "sentence"),
    [
        ("", "The parameter cannot be converted to a numeric value"),
        ("a", "The parameter cannot be converted to a numeric value: a"),
        (" 5", "The parameter cannot be converted to a numeric value:  5"),
        ("1+2", "The parameter cannot be converted to a numeric value: 1+2"),
        ("1.2.3", "The parameter cannot be converted to a numeric value: 1.2.3"),
        ("+e2", "The parameter cannot be converted to a numeric value: +e2"),
        (".", "The parameter cannot be converted to a numeric value: ."),
        ("NaN", "The parameter cannot be converted to a numeric value: NaN"),
        ("²", "The parameter cannot be converted to a numeric value: ²"),
        ("1e99999999999", OVERFLOW),
        ("1e-99999999999", UNDERFLOW),
        ("1e9223372036854775808", "The parameter cannot be converted to a numeric value: 1e9223372036854775808"),
        ("1e" + "9" * 5000, "The parameter cannot be converted to a numeric value: 1e" + "9" * 5000),
        ("1e126", OVERFLOW),
        ("-1e126", OVERFLOW),
        ("10e125", OVERFLOW),
        ("1e-131", UNDERFLOW),
        ("1" * 39, TOO_PRECISE),
    ],
)
def test_what_is_no_number_or_out_of_range_is_refused(written: str, sentence: str) -> None:
    with pytest.raises(EngineError) as caught:
        numbers.normalise_number(written)
    assert caught.value.message == sentence


@given(any_number)
def test_the_normal_form_keeps_the_value_and_is_stable(written: str) -> None:
    normal = numbers.normalise_number(written)
    assert Decimal(normal) == Decimal(written)
    assert numbers.normalise_number(normal) == normal


@given(any_number, any_number)
def test_sortable_bytes_compare_as_the_numbers_do(left: str, right: str) -> None:
    left_bytes, right_bytes = (
        numbers.sortable(numbers.normalise_number(left)),
        numbers.sortable(numbers.normalise_number(right)),
    )
    assert (left_bytes < right_bytes) == (Decimal(left) < Decimal(right))
    assert (left_bytes == right_bytes) == (Decimal(left) == Decimal(right))


@given(st.integers(-(10**37), 10**37), st.integers(-(10**37), 10**37))
def test_sums_and_differences_are_exact(left: int, right: int) -> None:
    assert numbers.add(str(left), str(right)) == str(left + right)
    assert numbers.subtract(str(left), str(right)) == str(left - right)


@pytest.mark.parametrize(
    ("number", "size"), [("0", 1), ("5", 2), ("12", 2), ("123", 3), ("1.5", 3), ("1e125", 2), ("0.0000001", 2)]
)
def test_a_number_is_charged_by_its_significant_digits(number: str, size: int) -> None:
    assert numbers.storage_size(number) == size
