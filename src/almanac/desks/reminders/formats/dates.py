"""Dates as people type them. Where day and month could change places, the rest of the column or a person tells."""

import re
from collections.abc import Iterable, Iterator
from datetime import date
from typing import Literal

from almanac.kit.dates import MONTHS, ORDINAL

DayOrder = Literal["dmy", "mdy"]

_FIRST_YEAR, _LAST_YEAR = 1990, 2100
_CENTURY, _MONTHS_OF_YEAR = 100, 12
# What stands around a day and says nothing of it: the name of the weekday, the time, the distance to Greenwich.
_AROUND = re.compile(r"^[^\W\d]{2,}\.?, ?|(?:[T ]\d{1,2}:\d{2}.*|Z|[+-]\d{2}:\d{2})$")
_ISO = re.compile(r"(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})|(\d{4})(\d{2})(\d{2})|(\d{4})年(\d{1,2})月(\d{1,2})日")
_PARTS = re.compile(r"(\d{1,2})([./-])\s?(\d{1,2})\2\s?(\d{4}|\d{2})")
_NAMED = re.compile(
    rf"(\d{{1,2}}){ORDINAL}[ -]+(?:de )?([^\W\d]{{3,}})\.?,?[ -]+(?:de )?(\d{{4}}|\d{{2}})"
    rf"|([^\W\d]{{3,}})\.? +(\d{{1,2}}){ORDINAL},? +(\d{{4}})"
)


class InvalidDate(ValueError):
    """One sentence saying why a cell is no date."""


class AmbiguousDate(InvalidDate):
    """It could be either of two dates."""


def detect_day_order(cells: Iterable[str]) -> DayOrder | None:
    """Day or month first, where the column's own dates leave no doubt."""
    seen = {order for cell in cells for order in _certain_orders(cell)}
    return seen.pop() if len(seen) == 1 else None


def _certain_orders(cell: str) -> Iterator[DayOrder]:
    found = _PARTS.fullmatch(_AROUND.sub("", cell.strip()))
    if found is None or found[2] == ".":
        return
    first, second = int(found[1]), int(found[3])
    if first > _MONTHS_OF_YEAR >= second:
        yield "dmy"
    if second > _MONTHS_OF_YEAR >= first:
        yield "mdy"


def parse_date(text: str, order: DayOrder | None) -> date:
    """A date; `order` is the column's. A date that could be two is refused with a sentence."""
    cell = _AROUND.sub("", text.strip())
    found = _split_date(cell, order)
    if found is None:
        raise InvalidDate(f"“{cell[:40]}” is no date; write it like 2025-09-21.")
    year, month, day = found
    year += 2000 if year < _CENTURY else 0
    try:
        read = date(year, month, day)
    except ValueError:
        raise InvalidDate(f"“{cell[:40]}” is no day of the calendar.") from None
    if not _FIRST_YEAR <= year <= _LAST_YEAR:
        raise InvalidDate(f"“{cell[:40]}” is too far away; look at the year.")
    return read


def _split_date(cell: str, order: DayOrder | None) -> tuple[int, int, int] | None:
    if found := _ISO.fullmatch(cell):
        year, month, day = (int(part) for part in found.groups() if part)
        return year, month, day
    if found := _PARTS.fullmatch(cell):
        return _order_parts(cell, int(found[1]), int(found[3]), int(found[4]), "dmy" if found[2] == "." else order)
    if found := _NAMED.fullmatch(cell):
        named = (found[1], found[2], found[3]) if found[1] else (found[5], found[4], found[6])
        number = MONTHS.get(named[1].casefold())
        return (int(named[2]), number, int(named[0])) if number else None
    return None


def _order_parts(cell: str, first: int, second: int, year: int, order: DayOrder | None) -> tuple[int, int, int]:
    if order is None and first != second and max(first, second) <= _MONTHS_OF_YEAR:
        raise AmbiguousDate(f"“{cell}” may begin with the day or the month; say which one the file uses.")
    by_day = order == "dmy" or (order is None and second <= _MONTHS_OF_YEAR)
    return (year, second, first) if by_day else (year, first, second)
