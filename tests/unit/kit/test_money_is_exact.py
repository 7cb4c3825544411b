"""Money adds exactly, never mixes currencies and never passes through a float."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.kit.money import Money

amounts = st.decimals(min_value=-(10**12), max_value=10**12, places=2)


@given(st.lists(amounts, max_size=30))
def test_a_sum_equals_the_sum_of_cents(parts):
    total = sum((Money(part, "EUR") for part in parts), Money.zero("EUR"))
    assert total.amount * 100 == sum(int(part * 100) for part in parts)


@given(amounts, amounts)
def test_order_is_the_order_of_amounts(a, b):
    assert (Money(a, "EUR") < Money(b, "EUR")) == (a < b)
    assert (Money(a, "EUR") >= Money(b, "EUR")) == (a >= b)


def test_a_float_is_refused():
    with pytest.raises(TypeError, match="never a float"):
        Money(0.1, "EUR")


def test_two_currencies_do_not_add():
    with pytest.raises(ValueError, match="EUR and JPY"):
        Money(Decimal(1), "EUR") + Money(Decimal(1), "JPY")


@pytest.mark.parametrize("code", ["", "eur", "EURO", "E1", "ÄÖÜ"])
def test_a_wrong_currency_code_is_refused(code):
    with pytest.raises(ValueError, match="currency code"):
        Money(Decimal(1), code)


@pytest.mark.parametrize(
    ("text", "currency", "shown"),
    [
        ("1500", "EUR", "1,500.00 EUR"),
        ("1500.005", "EUR", "1,500.00 EUR"),
        ("1234567", "JPY", "1,234,567 JPY"),
        ("1.5", "KWD", "1.500 KWD"),
        ("-0.01", "USD", "-0.01 USD"),
    ],
)
def test_an_amount_is_shown_in_its_smallest_unit(text, currency, shown):
    assert str(Money.parse(text, currency)) == shown


@pytest.mark.parametrize("text", ["", "1,500", "abc", "NaN", "Infinity"])
def test_text_that_is_no_amount_says_so(text):
    with pytest.raises(ValueError, match="isn't an amount"):
        Money.parse(text, "EUR")
