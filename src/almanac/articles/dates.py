"""The day of publication as pages write it for people: in figures, in English, Malay or Chinese, or in the address."""

import re
from collections.abc import Iterable
from datetime import date
from urllib.parse import urlsplit

from almanac.knowledge.reading.dates import date_in, plausible

_MONTHS = {
    name: number
    for number, names in enumerate(
        ("january januari jan", "february februari feb", "march mac mar", "april apr", "may mei", "june jun",
         "july julai jul", "august ogos aug", "september sept sep", "october oktober oct okt", "november nov",
         "december disember dec dis"), 1,
    )
    for name in names.split()
}  # fmt: skip
_NAME = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+({_NAME})\.?,?\s+(\d{{4}})\b", re.IGNORECASE)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\.?\s+(\d{{1,2}})(?:st|nd|rd|th)?,?\s+(\d{{4}})\b", re.IGNORECASE)
_IN_ADDRESS = re.compile(r"/(20\d{2})[/-]?(0[1-9]|1[0-2])[/-]?([0-2]\d|3[01])(?=[/_-]|$)")
_DATELINE = 120


def day_in_address(url: str) -> date | None:
    """The day in an address such as /2026/03/01/title."""
    found = _IN_ADDRESS.search(urlsplit(url).path)
    return _day(int(found[1]), int(found[2]), int(found[3])) if found else None


def day_in_lines(lines: Iterable[str]) -> date | None:
    """The first day that a short line near the top names; long lines are prose, whose dates are other days."""
    for line in lines:
        if len(line) <= _DATELINE and (day := _written(line)):
            return day
    return None


def _written(line: str) -> date | None:
    if found := _DAY_FIRST.search(line):
        return _day(int(found[3]), _MONTHS[found[2].lower()], int(found[1]))
    if found := _MONTH_FIRST.search(line):
        return _day(int(found[3]), _MONTHS[found[1].lower()], int(found[2]))
    return date_in(line)


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return plausible(date(year, month, day))
    except ValueError:
        return None
