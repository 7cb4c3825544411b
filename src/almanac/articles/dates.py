"""The day of publication as pages write it for people: in figures, in words of several languages, or in the address."""

import re
from collections.abc import Iterable
from datetime import date
from urllib.parse import urlsplit

from almanac.kit.months import MONTHS, ORDINAL
from almanac.reading.dates import date_in, plausible

_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}}){ORDINAL}(?:\s+(?:of\s+|de\s+)?|[-/])({_NAME})\b\.?,?(?:\s+(?:de\s+)?|[-/])(\d{{4}})\b",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\b\.?\s+(\d{{1,2}}){ORDINAL},?\s+(\d{{4}})\b", re.IGNORECASE)
_FIGURES = re.compile(r"(?<![\d/.-])(\d{1,2})(?:([/-])|(\.) ?)(\d{1,2})(?:\2|\3 ?)(\d{4})(?![\d/.-])")
_NUMERALS = "〇一二三四五六七八九"
_IN_CHINESE = re.compile(rf"([{_NUMERALS}零○]{{4}})年([{_NUMERALS}十]{{1,3}})月([{_NUMERALS}十廿]{{1,3}})日")
_CHANGED = re.compile(r"updated|modified|edited|kemas ?kini|diubah|更新|修改", re.IGNORECASE)
_PUBLISHED = re.compile(r"publish|posted|terbit|disiar|发布|發布|发表", re.IGNORECASE)
_ANOTHER_DAY = re.compile(
    r"\b(?:until|till|before|after|since|starting|hingga|sehingga|mulai|sejak|sebelum|selepas)\b|截至|直到",
    re.IGNORECASE,
)
_MONTHS_OF_A_YEAR = 12
# What programs write that know no day.
_CLOCK_AT_ZERO = date(1970, 1, 1)
# As in /2026/03/01/title, /2026/3/1/title, /2026/mar/01/title, /title-20260301.html and /t20260301_12.html.
_IN_ADDRESS = re.compile(
    rf"(?:/t?|-)(20\d{{2}})(?:[/-]?(0[1-9]|1[0-2])[/-]?([0-2]\d|3[01])|/(\d{{1,2}}|{_NAME})/(\d{{1,2}}))(?=[/_.-]|$)",
    re.IGNORECASE,
)
_DATELINE = 120


def day_in_address(url: str) -> date | None:
    """The day in an address such as /2026/03/01/title."""
    found = _IN_ADDRESS.search(urlsplit(url).path)
    if found is None:
        return None
    month, day = found[2] or found[4], found[3] or found[5]
    return _day(int(found[1]), MONTHS.get(month.lower()) or int(month), int(day))


def day_in_lines(lines: Iterable[str]) -> date | None:
    """The first day that a short line near the top names; long lines are prose, whose dates are other days."""
    for line in lines:
        if len(line) <= _DATELINE and (day := day_in_text(_told_of_publication(line))):
            return day
    return None


def _told_of_publication(line: str) -> str:
    """A line from where it tells of the publication; nothing of one that tells of a change or of what is to be."""
    if found := _PUBLISHED.search(line):
        return line[found.start() :]
    return "" if _CHANGED.search(line) or _ANOTHER_DAY.search(line) else line


def day_in_text(text: str) -> date | None:
    """The first day that is written in any of the usual ways; figures that may mean two days mean none."""
    return known_day(_first_day(text))


def known_day(day: date | None) -> date | None:
    """The day unless no document can have it, or only because a program that knew no day wrote its clock's first."""
    return None if day == _CLOCK_AT_ZERO else plausible(day)


def _first_day(text: str) -> date | None:
    if found := _DAY_FIRST.search(text):
        return _day(int(found[3]), MONTHS[found[2].lower()], int(found[1]))
    if found := _MONTH_FIRST.search(text):
        return _day(int(found[3]), MONTHS[found[1].lower()], int(found[2]))
    if found := _IN_CHINESE.search(text):
        year = "".join(str(_numeral(one)) for one in found[1])
        return _day(int(year), _number(found[2]), _number(found[3]))
    if found := _FIGURES.search(text):
        return _day_of_figures(int(found[1]), int(found[4]), int(found[5]))
    return date_in(text)


def _day_of_figures(first: int, second: int, year: int) -> date | None:
    if min(first, second) <= _MONTHS_OF_A_YEAR < max(first, second) or first == second:
        return _day(year, min(first, second), max(first, second))
    return None


def _numeral(character: str) -> int:
    return max(0, _NUMERALS.find(character))


def _number(text: str) -> int:
    """A number below a hundred in Chinese numerals: 三, 十, 十二, 二十一, 廿一, 二三; nought for what is none."""
    tens, ten, ones = text.replace("廿", "二十").partition("十")
    if not ten:
        return int("".join(str(_numeral(one)) for one in tens))
    if len(tens) > 1 or len(ones) > 1:
        return 0
    return 10 * (_numeral(tens) if tens else 1) + _numeral(ones or "〇")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return plausible(date(year, month, day))
    except ValueError:
        return None
