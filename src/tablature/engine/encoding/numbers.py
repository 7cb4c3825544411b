"""Numbers of up to 38 significant digits: parsing, limits, normal form, size, and order-preserving bytes."""

import re
from decimal import Context, Decimal
from functools import lru_cache

from tablature.engine.errors import validation_error

MAX_DIGITS = 38
LARGEST_EXPONENT = 125
SMALLEST_EXPONENT = -130

_OVERFLOW = "Number overflow. Attempting to store a number with magnitude larger than supported range"
_LARGEST_LONG = 2**63 - 1
_LONGEST_EXPONENT = len(str(_LARGEST_LONG))
_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?", re.ASCII)
_WIDE = Context(prec=400)


def split_digits(text: str) -> tuple[bool, str, int]:
    """Split a number into (negative, digits, point): its value is 0.digits times ten to the power `point`.

    Digits carry no leading or trailing zeros; zero is (False, "", 0). Raises for text that isn't a
    number or is out of range.
    """
    match = _NUMBER.fullmatch(text)
    if match is None or not (match[2] or match[3]):
        raise validation_error(_not_numeric(text))
    integral, fraction = match[2], match[3] or ""
    digits = (integral + fraction).lstrip("0")
    if not digits:
        return False, "", 0
    point = len(digits) - len(fraction) + _exponent(match[4] or "0", text)
    digits = digits.rstrip("0")
    _check_range(digits, point - 1)
    return match[1] == "-", digits, point


def _exponent(written: str, text: str) -> int:
    """The number after the `e`, which must fit a Java `long`; Python won't even read one of thousands of digits."""
    digits = written.lstrip("+-").lstrip("0") or "0"
    size = int(digits) if len(digits) <= _LONGEST_EXPONENT else _LARGEST_LONG + 1
    if size > _LARGEST_LONG:
        raise validation_error(_not_numeric(text))
    return -size if written[0] == "-" else size


def _not_numeric(text: str) -> str:
    sentence = "The parameter cannot be converted to a numeric value"
    return f"{sentence}: {text}" if text else sentence


def _check_range(digits: str, exponent: int) -> None:
    if exponent > LARGEST_EXPONENT:
        raise validation_error(_OVERFLOW)
    if exponent < SMALLEST_EXPONENT:
        raise validation_error(
            "Number underflow. Attempting to store a number with magnitude smaller than supported range"
        )
    if len(digits) > MAX_DIGITS:
        raise validation_error("Attempting to store more than 38 significant digits in a Number")


def normalise_number(text: str) -> str:
    """The normal form of a number (`1e2` is `100`, `-0.0` is `0`). Raises if it isn't a number or is out of range."""
    if text.isascii() and text.isdigit() and len(text) <= MAX_DIGITS and (text[0] != "0" or text == "0"):
        return text
    return _plain(*split_digits(text))


def _plain(negative: bool, digits: str, point: int) -> str:
    if not digits:
        return "0"
    if point <= 0:
        plain = "0." + "0" * -point + digits
    elif point >= len(digits):
        plain = digits + "0" * (point - len(digits))
    else:
        plain = f"{digits[:point]}.{digits[point:]}"
    return f"-{plain}" if negative else plain


def from_decimal(value: Decimal) -> str:
    """The normal form of a computed number. Raises if it is out of range, as a sum may be.

    Of a sum with too many digits the service says that it is too large.
    """
    if len(value.normalize(_WIDE).as_tuple().digits) > MAX_DIGITS:
        raise validation_error(_OVERFLOW)
    return normalise_number(str(value))


def add(left: str, right: str) -> str:
    """The exact sum of two numbers in normal form."""
    return from_decimal(_WIDE.add(Decimal(left), Decimal(right)))


def subtract(left: str, right: str) -> str:
    """The exact difference of two numbers in normal form."""
    return from_decimal(_WIDE.subtract(Decimal(left), Decimal(right)))


@lru_cache(maxsize=4096)
def storage_size(text: str) -> int:
    """Bytes that the service counts for a number: one, plus one per two significant digits on either side."""
    negative, digits, point = split_digits(text)
    integral = max(0, min(point, len(digits)))
    return 1 + (integral + 1) // 2 + (len(digits) - integral + 1) // 2 + negative


@lru_cache(maxsize=4096)
def sortable(text: str) -> bytes:
    """Order-preserving bytes: an exponent byte, then pairs of digits, complemented if negative."""
    negative, digits, point = split_digits(text)
    if not digits:
        return b"\x80"
    odd = point % 2
    pairs = ("0" if odd else "") + digits
    pairs += "0" if len(pairs) % 2 else ""
    values = [int(pairs[at : at + 2]) for at in range(0, len(pairs), 2)]
    exponent = (point + odd) // 2 + 192
    if not negative:
        return bytes([exponent, *(value + 1 for value in values)])
    # The closing byte sorts a negative number after those that extend it with more digits.
    closing = [102] if len(values) < 20 else []
    return bytes([exponent ^ 0xFF, *(101 - value for value in values), *closing])
