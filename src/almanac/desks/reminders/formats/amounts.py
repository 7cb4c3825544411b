"""Amounts as people type them: thousands separators, decimal commas, currency signs, brackets for minus.

A single mark before three digits is ambiguous; the rest of the column or a person decides.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from almanac.desks.reminders.model.ledger import AMOUNT_LIMIT
from almanac.kit.messages import gettext
from almanac.kit.money import Money, currency_decimals

DecimalMark = Literal[".", ","]

_SIGNS = {
    "€": "EUR",
    "£": "GBP",
    "¥": "",
    "₹": "INR",
    "₩": "KRW",
    "฿": "THB",
    "₱": "PHP",
    "₫": "VND",
    "₪": "ILS",
    "₺": "TRY",
    "RM": "MYR",
    "RP": "IDR",
    "ZŁ": "PLN",
    "S$": "SGD",
    "US$": "USD",
    "A$": "AUD",
    "C$": "CAD",
    "HK$": "HKD",
    "NT$": "TWD",
    "R$": "BRL",
    "CHF": "CHF",
    "$": "",
    "KR": "",
}
_SHARED_SIGNS = {
    "$": ("USD", "AUD", "CAD", "SGD", "HKD", "NZD", "TWD", "MXN", "BND"),
    "¥": ("JPY", "CNY"),
    "KR": ("SEK", "NOK", "DKK", "ISK"),
}
_WORD = re.compile(
    r"^(?P<before>[^\W\d_]{0,3}[€£¥₹₩฿₱₫₪₺$]?)\.?\s*(?P<number>[^A-Za-z€£¥₹₩฿₱₫₪₺$]*)(?P<after>.*)$", re.DOTALL
)
# In some countries a dash stands for no cents: 1500.- and 1500,--
_NO_CENTS = re.compile(r"(?<=\d)([.,])(?:--?|–|—)(?=\D*$)")
_GAPS = re.compile(r"[\s\u00a0\u202f'’]")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# Thousands, or hundreds of thousands as they are written in India.
_GROUPED = re.compile(r"[1-9]\d{0,2}(-\d{2,3})*-\d{3}")
_MAX_CELL = 40


class InvalidAmount(ValueError):
    """Why a cell isn't a valid amount, as a sentence."""


@dataclass(frozen=True, slots=True)
class AmountCell:
    """The parts of a cell: digits with their marks, the sign, and the currency it names."""

    digits: str
    negative: bool
    currency: str


def split_amount(text: str) -> AmountCell:
    """The parts of an amount. InvalidAmount if it can't be one."""
    cell = _NO_CENTS.sub(r"\g<1>0", unicodedata.normalize("NFKC", text).strip())
    match = _WORD.match(cell.strip("()-−+ "))
    digits = _GAPS.sub("", match["number"]) if match else ""
    if match is None or len(cell) > _MAX_CELL or not _NUMBER.fullmatch(digits):
        raise InvalidAmount(gettext("“%(cell)s” isn't an amount; use 1500.00.", cell=_short(cell)))
    marks = [part.strip() for part in (match["before"], match["after"]) if part.strip()]
    if len(marks) > 1:
        raise InvalidAmount(gettext("“%(cell)s” has two currency signs.", cell=_short(cell)))
    minus = "-" in cell or "−" in cell or (cell.startswith("(") and cell.endswith(")"))
    return AmountCell(digits, minus, marks[0].upper() if marks else "")


def _short(cell: str) -> str:
    return cell if len(cell) <= _MAX_CELL else cell[:_MAX_CELL] + "…"


def detect_decimal_mark(cells: Iterable[str]) -> DecimalMark | None:
    """The decimal mark on which a column's unambiguous amounts agree; None if they don't."""
    seen: set[DecimalMark] = set()
    for cell in cells:
        try:
            mark = unambiguous_mark(split_amount(cell).digits)
        except InvalidAmount:
            continue
        if mark is not None:
            seen.add(mark)
    return seen.pop() if len(seen) == 1 else None


def unambiguous_mark(digits: str) -> DecimalMark | None:
    """The decimal mark of one amount; None if it has none or is ambiguous."""
    marks: list[DecimalMark] = [mark for mark in (".", ",") if mark in digits]
    if not marks:
        return None
    if len(marks) == 2:
        return max(marks, key=digits.rfind)
    mark = marks[0]
    if digits.count(mark) > 1:
        return "," if mark == "." else "."
    return mark if len(digits) - digits.index(mark) - 1 != 3 or digits.startswith("0") else None


def parse_amount(text: str, mark: DecimalMark | None, currency: str | None) -> Money:
    """An exact amount; `mark` is the column's decimal mark, `currency` that of the row or the file."""
    cell = split_amount(text)
    code = _currency(cell.currency, currency)
    decimal_mark = unambiguous_mark(cell.digits) or mark or _mark_without_decimals(cell.digits, code)
    if decimal_mark is None and not cell.digits.isdigit():
        raise InvalidAmount(
            gettext("“%(text)s” may be thousands or decimals; choose the file's decimal mark.", text=text.strip())
        )
    number = _number(cell.digits, decimal_mark or ".", text)
    if number >= AMOUNT_LIMIT:
        raise InvalidAmount(gettext("“%(text)s” is too large; check its decimal mark.", text=text.strip()))
    if -int(number.as_tuple().exponent) > currency_decimals(code) and number != round(number, currency_decimals(code)):
        raise InvalidAmount(gettext("“%(text)s” has too many decimals for %(code)s.", text=text.strip(), code=code))
    return Money(-number if cell.negative else number, code)


def _mark_without_decimals(digits: str, currency: str) -> DecimalMark | None:
    """In a currency without decimals any mark separates thousands, so the other one is the decimal mark."""
    if currency_decimals(currency):
        return None
    return "." if "," in digits else ","


def is_mark_ambiguous(text: str, currency: str | None) -> bool:
    """Whether the amount alone doesn't say where its decimals begin."""
    digits = split_amount(text).digits
    mark = unambiguous_mark(digits) or (currency and _mark_without_decimals(digits, currency))
    return not digits.isdigit() and not mark


def _number(digits: str, mark: DecimalMark, text: str) -> Decimal:
    integer, _, decimals = digits.partition(mark)
    other = "." if mark == "," else ","
    groups = integer.split(other)
    uneven = len(groups) > 1 and not _GROUPED.fullmatch("-".join(groups))
    if uneven or mark in decimals or other in decimals:
        raise InvalidAmount(gettext("“%(text)s” isn't an amount; use 1500.00.", text=text.strip()))
    return Decimal(f"{''.join(groups)}.{decimals or 0}")


def _currency(sign: str, row_currency: str | None) -> str:
    """The currency code from the sign in the cell and from the row; they must agree."""
    cell_currency = _SIGNS.get(sign, sign)
    if sign in _SHARED_SIGNS:
        if row_currency is None:
            raise InvalidAmount(gettext("“%(sign)s” is used for several currencies; add a currency column.", sign=sign))
        if row_currency not in _SHARED_SIGNS[sign]:
            raise InvalidAmount(
                gettext(
                    "The amount is in %(sign)s, the row says %(row_currency)s.", sign=sign, row_currency=row_currency
                )
            )
        return row_currency
    if cell_currency and row_currency and cell_currency != row_currency:
        raise InvalidAmount(
            gettext(
                "The amount is in %(cell_currency)s, the row says %(row_currency)s.",
                cell_currency=cell_currency,
                row_currency=row_currency,
            )
        )
    code = cell_currency or row_currency
    if not code:
        raise InvalidAmount(
            gettext("The currency is missing; add a currency column, or choose one for the whole file.")
        )
    return parse_currency(code)


def parse_currency(text: str) -> str:
    """A currency code from a code or a sign."""
    code = text.strip().upper()
    code = _SIGNS.get(code) or code
    if len(code) != 3 or not code.isascii() or not code.isalpha():
        raise InvalidAmount(gettext("“%(text)s” isn't a currency; use a code such as EUR.", text=_short(text.strip())))
    return code
