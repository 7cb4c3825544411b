"""Dates that documents and pages state: in metadata, in prose of several languages, or in the URL.

A date that can't be true is ignored.
"""

import re
from collections.abc import Iterable
from datetime import UTC, date, datetime, timedelta
from urllib.parse import urlsplit

from almanac.kit.dates import MONTHS, ORDINAL
from almanac.language.kanji_numerals import KANJI_ZERO_TO_NINE

_YEAR_MONTH_DAY = re.compile(r"(?<!\d)(\d{4})(?:[-/]|\. ?| ?[年년] ?)?(\d{1,2})(?:[-/]|\. ?| ?[月월] ?)?(\d{1,2})")
_EARLIEST = date(1900, 1, 1)
_AHEAD = timedelta(days=2)
_NAME = "|".join(sorted(MONTHS, key=len, reverse=True))
_DAY_FIRST = re.compile(
    rf"\b(\d{{1,2}}){ORDINAL}(?:\s+(?:of\s+|de\s+)?|[-/])({_NAME})\b\.?,?(?:\s+(?:de\s+)?|[-/])(\d{{4}})\b",
    re.IGNORECASE,
)
_MONTH_FIRST = re.compile(rf"\b({_NAME})\b\.?\s+(\d{{1,2}}){ORDINAL},?\s+(\d{{4}})\b", re.IGNORECASE)
_FIGURES = re.compile(r"(?<![\d/.-])(\d{1,2})(?:([/-])|(\.) ?)(\d{1,2})(?:\2|\3 ?)(\d{4})(?![\d/.-])")
_IN_CHINESE = re.compile(
    rf"([{KANJI_ZERO_TO_NINE}零○]{{4}})年([{KANJI_ZERO_TO_NINE}十]{{1,3}})月([{KANJI_ZERO_TO_NINE}十廿]{{1,3}})日"
)
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


def find_ymd_date(text: str) -> date | None:
    """The first day written as year, month, day: `2026-03-01T…`, `D:20260301…`, `2026 年 3 月 1 日`."""
    match = _YEAR_MONTH_DAY.search(text)
    if not match:
        return None
    try:
        return plausible_date(date(int(match[1]), int(match[2]), int(match[3])))
    except ValueError:
        return None


def plausible_date(day: date | None) -> date | None:
    """The day itself unless no document can have it: files without a clock say 1601, 1904 or tomorrow's century."""
    if day is None or day < _EARLIEST or day > datetime.now(UTC).date() + _AHEAD:
        return None
    return day


def find_date_in_url(url: str) -> date | None:
    """The day in an address such as /2026/03/01/title."""
    match = _IN_ADDRESS.search(urlsplit(url).path)
    if match is None:
        return None
    month, day = match[2] or match[4], match[3] or match[5]
    return _day(int(match[1]), MONTHS.get(month.lower()) or int(month), int(day))


def find_dateline(lines: Iterable[str]) -> date | None:
    """The first day that a short line near the top names; long lines are prose, whose dates are other days."""
    for line in lines:
        if len(line) <= _DATELINE and (day := find_date(_told_of_publication(line))):
            return day
    return None


def _told_of_publication(line: str) -> str:
    """A line from where it tells of the publication; nothing of one that tells of a change or of what is to be."""
    if match := _PUBLISHED.search(line):
        return line[match.start() :]
    return "" if _CHANGED.search(line) or _ANOTHER_DAY.search(line) else line


def find_date(text: str) -> date | None:
    """The first day that is written in any of the usual ways; figures that may mean two days mean none."""
    return publication_date(_first_day(text))


def publication_date(day: date | None) -> date | None:
    """The day unless no document can have it, or only because a program that knew no day wrote its clock's first."""
    return None if day == _CLOCK_AT_ZERO else plausible_date(day)


def _first_day(text: str) -> date | None:
    if match := _DAY_FIRST.search(text):
        return _day(int(match[3]), MONTHS[match[2].lower()], int(match[1]))
    if match := _MONTH_FIRST.search(text):
        return _day(int(match[3]), MONTHS[match[1].lower()], int(match[2]))
    if match := _IN_CHINESE.search(text):
        year = "".join(str(_numeral(numeral)) for numeral in match[1])
        return _day(int(year), _number(match[2]), _number(match[3]))
    if match := _FIGURES.search(text):
        return _day_of_figures(int(match[1]), int(match[4]), int(match[5]))
    return find_ymd_date(text)


def _day_of_figures(first: int, second: int, year: int) -> date | None:
    if min(first, second) <= _MONTHS_OF_A_YEAR < max(first, second) or first == second:
        return _day(year, min(first, second), max(first, second))
    return None


def _numeral(character: str) -> int:
    return max(0, KANJI_ZERO_TO_NINE.find(character))


def _number(text: str) -> int:
    """A number below a hundred in Chinese numerals: 三, 十, 十二, 二十一, 廿一, 二三; nought for what is none."""
    tens, ten, units = text.replace("廿", "二十").partition("十")
    if not ten:
        return int("".join(str(_numeral(numeral)) for numeral in tens))
    if len(tens) > 1 or len(units) > 1:
        return 0
    return 10 * (_numeral(tens) if tens else 1) + _numeral(units or "〇")


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return plausible_date(date(year, month, day))
    except ValueError:
        return None
