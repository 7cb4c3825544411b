"""Dates as people type them. If day and month could be swapped, the rest of the column or a person decides."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal

from almanac.kit.dates import MONTHS, ORDINAL
from almanac.kit.messages import gettext

DayOrder = Literal["dmy", "mdy"]

_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_CENTURY, _MONTHS_OF_YEAR = 100, 12
# Parts around a date that don't change it: weekday, time and UTC offset.
_SURROUNDING_TEXT = re.compile(r"^[^\W\d]{2,}\.?, ?|(?:[T ]\d{1,2}:\d{2}.*|Z|[+-]\d{2}:\d{2})$")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{4})(\d{2})(\d{2})|(\d{4})年(\d{1,2})月(\d{1,2})日")
_PARTS = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})")
_NAMED = re.compile(
    rf"(\d{{1,2}}){ORDINAL}[ -]+(?:de )?([^\W\d]{{3,}})\.?,?[ -]+(?:de )?(\d{{4}}|\d{{2}})"
    rf"|([^\W\d]{{3,}})\.? +(\d{{1,2}}){ORDINAL},? +(\d{{4}})"
)


class InvalidDate(ValueError):
    """Why a cell isn't a valid date, as a sentence."""


class AmbiguousDate(InvalidDate):
    """The cell could be either of two dates."""


def detect_day_order(cells: Iterable[str]) -> DayOrder | None:
    """Day or month first; None if the column's dates don't say."""
    seen = {order for cell in cells for order in _certain_orders(cell)}
    return seen.pop() if len(seen) == 1 else None


def _certain_orders(cell: str) -> Iterator[DayOrder]:
    match = _PARTS.fullmatch(_SURROUNDING_TEXT.sub("", cell.strip()))
    if match is None or match[2] == ".":
        return
    first, second = int(match[1]), int(match[3])
    if first > _MONTHS_OF_YEAR >= second:
        yield "dmy"
    if second > _MONTHS_OF_YEAR >= first:
        yield "mdy"


def parse_date(text: str, order: DayOrder | None) -> date:
    """A date; `order` is the column's. AmbiguousDate if it could be two."""
    cell = _SURROUNDING_TEXT.sub("", text.strip())
    parts = _split_date(cell, order)
    if parts is None:
        raise InvalidDate(gettext("“%(cell)s” isn't a date; use 2025-09-21.", cell=cell[:40]))
    year, month, day = parts
    year += 2000 if year < _CENTURY else 0
    try:
        read = date(year, month, day)
    except ValueError:
        raise InvalidDate(gettext("“%(cell)s” isn't a day of the calendar.", cell=cell[:40])) from None
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise InvalidDate(gettext("“%(cell)s” is too far away; check the year.", cell=cell[:40]))
    return read


def _split_date(cell: str, order: DayOrder | None) -> tuple[int, int, int] | None:
    if match := _ISO.fullmatch(cell):
        year, month, day = (int(part) for part in match.groups() if part)
        return year, month, day
    if match := _PARTS.fullmatch(cell):
        return _order_parts(cell, int(match[1]), int(match[3]), int(match[4]), "dmy" if match[2] == "." else order)
    if match := _NAMED.fullmatch(cell):
        parts = (match[1], match[2], match[3]) if match[1] else (match[5], match[4], match[6])
        number = MONTHS.get(parts[1].casefold())
        return (int(parts[2]), number, int(parts[0])) if number else None
    return None


def _order_parts(cell: str, first: int, second: int, year: int, order: DayOrder | None) -> tuple[int, int, int]:
    if order is None and first != second and max(first, second) <= _MONTHS_OF_YEAR:
        raise AmbiguousDate(
            gettext("“%(cell)s” may start with the day or the month; choose which one the file uses.", cell=cell)
        )
    by_day = order == "dmy" or (order is None and second <= _MONTHS_OF_YEAR)
    return (year, second, first) if by_day else (year, first, second)
