"""Amounts are parsed exactly, or rejected with a sentence; never guessed."""

from decimal import Decimal

import pytest

from almanac.desks.reminders.formats.amounts import InvalidAmount, detect_decimal_mark, parse_amount
from almanac.kit.money import Money


@pytest.mark.parametrize(
    ("text", "amount"),
    [
        ("1500", "1500"),
        ("1500.00", "1500"),
        ("1,500.00", "1500"),
        ("1.500,00", "1500"),
        ("1 500,00", "1500"),
        ("1\u202f500,50", "1500.50"),
        ("1'500.50", "1500.50"),
        ("12,5", "12.50"),
        ("1,234,567", "1234567"),
        ("1,00,000.00", "100000"),
        ("€ 99,90", "99.90"),
        ("99.90 EUR", "99.90"),
        ("EUR 99.90", "99.90"),
        ("(15.00)", "-15"),
        ("15,00-", "-15"),
        ("-15.00", "-15"),
        ("1500.-", "1500"),
        ("1.500,--", "1500"),
        ("１５００.00", "1500"),
        ("0.125,00", None),
        ("1,5,00.00", None),
        ("1234,567.00", None),
        ("12.50.00", None),
        ("1.5E+03", None),
        ("n/a", None),
        ("12abc34", None),
        ("9" * 50, None),
        ("99.901", None),
    ],
)
def test_an_amount_in_euros(text, amount):
    if amount is None:
        with pytest.raises(InvalidAmount):
            parse_amount(text, None, "EUR")
    else:
        assert parse_amount(text, None, "EUR") == Money(Decimal(amount), "EUR")


@pytest.mark.parametrize(
    ("text", "currency", "amount"),
    [
        ("1,500", "JPY", "1500"),
        ("1.500", "JPY", "1500"),
        ("￥1,500", "JPY", "1500"),
        ("₫1.500.000", "VND", "1500000"),
        ("1500.5", "JPY", None),
        ("0.125", "KWD", "0.125"),
        ("12.345", "BHD", None),
        ("1.2345", "BHD", None),
        ("Rp 1.500.000", "IDR", "1500000"),
        ("฿1,500.00", "THB", "1500"),
        ("R$ 1.500,00", "BRL", "1500"),
        ("kr 1.500,00", "SEK", "1500"),
        ("kr 1.500,00", "EUR", None),
        ("zł1500,00", "PLN", "1500"),
        ("RM5.00", "SGD", None),
    ],
)
def test_an_amount_is_that_of_its_currency(text, currency, amount):
    if amount is None:
        with pytest.raises(InvalidAmount):
            parse_amount(text, None, currency)
    else:
        assert parse_amount(text, None, currency) == Money(Decimal(amount), currency)


def test_a_mark_before_three_digits_is_only_read_when_the_column_tells():
    with pytest.raises(InvalidAmount, match="decimal mark"):
        parse_amount("1.234", None, "EUR")
    assert parse_amount("1.234", ",", "EUR").amount == 1234
    assert parse_amount("1,234", ".", "EUR").amount == 1234


@pytest.mark.parametrize(
    ("cells", "mark"),
    [
        (["1.234", "12,50"], ","),
        (["1,234", "12.50", "oops"], "."),
        (["1,234", "1.234"], None),
        (["12,50", "12.50"], None),
        (["5", "7"], None),
    ],
)
def test_a_column_tells_its_decimal_mark_when_its_clear_amounts_agree(cells, mark):
    assert detect_decimal_mark(cells) == mark


def test_three_decimal_places_are_right_for_currencies_that_have_them():
    assert parse_amount("1.234", ".", "KWD") == Money(Decimal("1.234"), "KWD")
    with pytest.raises(InvalidAmount, match="too many decimals"):
        parse_amount("10.5", None, "JPY")


@pytest.mark.parametrize(
    ("text", "given", "sentence"),
    [
        ("$5.00", None, "several currencies"),
        ("$5.00", "EUR", "row says EUR"),
        ("€5.00", "USD", "row says USD"),
        ("5.00", None, "currency is missing"),
        ("5.00", "EURO", "isn.t a currency"),
    ],
)
def test_a_currency_that_is_unclear_is_asked_for(text, given, sentence):
    with pytest.raises(InvalidAmount, match=sentence):
        parse_amount(text, None, given)


def test_signs_name_their_currency():
    assert parse_amount("RM 5.00", None, None).currency == "MYR"
    assert parse_amount("$5.00", None, "SGD").currency == "SGD"
