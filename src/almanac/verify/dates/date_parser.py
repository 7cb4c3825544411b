"""Parses dates: the day, month, quarter or year they may mean, in four languages and Japanese eras.

Times of day, weekdays and words such as yesterday are left to `moments`.
"""

import re
from collections.abc import Iterator
from datetime import date
from typing import NamedTuple

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_DIGITS
from almanac.verify.dates.calendar import DECADES, ERA_LETTERS, ERAS, MONTHS, ORDER, SEASONS, UNSURE_MONTHS
from almanac.verify.normalization import Span, SpanTracker
from almanac.verify.quantities.numerals import parse_numeral
from almanac.verify.quantities.units import currency_before, measure_after


class DateParts(NamedTuple):
    """One reading of a date; parts that aren't given are None.

    `part` is a quarter (Q1 to Q4), a half (H1, H2) or a season; of a decade (1990s), which has no year.
    """

    year: int | None = None
    month: int | None = None
    day: int | None = None
    part: str | None = None

    @property
    def weekday(self) -> int | None:
        """The day of the week, 0 for Monday; None unless the date is complete."""
        if self.year is None or self.month is None or self.day is None:
            return None
        return date(self.year, self.month, self.day).weekday()


DateReading = tuple[Span, frozenset[DateParts]]

_MONTH = rf"(?:{'|'.join(sorted(MONTHS, key=len, reverse=True))})(?![a-z])\.?"
_MONTH_UPPER = rf"(?:{_MONTH}|{'|'.join(name.upper() for name in MONTHS if len(name) > 3)})"
_DAY = r"(?:0?[1-9]|[12][0-9]|3[01])"
_NTH = r"(?:st|nd|rd|th|hb)?"
_DAY_WORDS = {
    word: day
    for day, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth twenty-first twenty-second twenty-third "
        "twenty-fourth twenty-fifth twenty-sixth twenty-seventh twenty-eighth twenty-ninth thirtieth "
        "thirty-first".split(),
        start=1,
    )
}
_DECADE_END = 1930
_YEAR = r"(?:19|20)[0-9]{2}"
_N = rf"[0-9{''.join(KANJI_DIGITS)}十]"
_ERA = "|".join(ERAS)
_TO = r" ?(?:-|to|and|hingga|dan|until) ?"

_NUMERIC = lazy_regex(
    rf"(?<![0-9./-])(?:(?P<y>{_YEAR})(?P<s>[-/.])(?P<m>[0-9]{{1,2}})(?P=s)(?P<d>[0-9]{{1,2}})"
    rf"|(?P<a>[0-9]{{1,2}})(?P<t>[-/.])(?P<b>[0-9]{{1,2}})(?P=t)(?P<c>{_YEAR}|[0-9]{{2}})"
    r"|(?P<letter>[RHST])(?P<n>[0-9]{1,2})\.(?P<em>[0-9]{1,2})\.(?P<ed>[0-9]{1,2}))(?![0-9]|[-/.][0-9])"
)
_DAY_MONTH = lazy_regex(
    rf"(?<![0-9.,])(?:(?P<from>{_DAY}){_NTH}{_TO})?(?P<day>{_DAY}){_NTH}(?: of| haribulan|-)? ?"
    rf"(?P<month>{_MONTH_UPPER})"
    rf"(?:,?[ -](?P<year>{_YEAR})(?![0-9]))?"
)
_MONTH_DAY = lazy_regex(
    rf"(?<![A-Za-z])(?P<month>{_MONTH_UPPER}) (?P<from>{_DAY}){_NTH}(?![0-9,.]*[0-9]| ?(?:%|percent|per cent))"
    rf"(?:{_TO}(?P<day>{_DAY}){_NTH}(?![0-9,.]*[0-9]))?(?:,? (?P<year>{_YEAR})(?![0-9]))?"
)
_MONTH_YEAR = lazy_regex(rf"(?<![A-Za-z])(?P<month>{_MONTH_UPPER}),?(?: of| tahun)? (?P<year>{_YEAR})(?![0-9])")
_CJK = lazy_regex(
    rf"(?:(?:(?P<era>{_ERA})(?P<n>元|{_N}{{1,3}})|(?P<year>[0-9{''.join(KANJI_DIGITS)}]{{4}}))年(?P<fiscal>度)?"
    rf"(?:\((?:{_ERA})(?:元|{_N}{{1,3}})年\))?)?(?:の)?(?:(?P<month>{_N}{{1,3}})月(?![曜間])(?:(?P<day>{_N}{{1,3}})[日号])?)?"
    rf"(?:\((?P<gregorian>{_YEAR})年?\)年?)?"
)
_LONE_DAY = lazy_regex(
    rf"(?<![0-9月{_N[1:-1]}.,])(?P<day>{_N}{{1,3}})[日号](?!間|本|以|内|目|後|前|ごと|经|後|连|機|机|楼|线|線|炉|館|馆|车|車)"
)
_QUARTER = lazy_regex(
    r"(?i)\bQ(?P<q>[1-4])\b|\b(?P<en>first|second|third|fourth|[1-4](?:st|nd|rd|th))[ -]quarter\b"
    r"|\bsuku (?:tahun )?(?P<ms>pertama|kedua|ketiga|keempat)\b|第?(?P<ja>[1-4一二三四])(?:・|-)?四半期"
    r"|第?(?P<zh>[1-4一二三四])季度"
)
_HALF = lazy_regex(
    r"(?i)\b(?P<en>first|second) half\b|\bseparuh (?P<ms>pertama|kedua)\b|(?P<cjk>[上下])半[期年]|年度?(?P<ja>[前後])半"
)
_YEAR_ONLY = lazy_regex(
    rf"(?:\bFY ?)?(?<![0-9.,$第-])(?P<year>{_YEAR})(?:s\b|[/-][0-9]{{2}}(?![0-9-]))?"
    r"(?![0-9]|[.,:][0-9]|[-/][A-Za-z0-9])"
)
_DAY_WORD_MONTH = lazy_regex(
    rf"(?i)\b(?P<day>{'|'.join(sorted(_DAY_WORDS, key=len, reverse=True))}) of (?P<month>(?-i:{_MONTH}))"
    rf"(?:,? (?P<year>{_YEAR})(?![0-9]))?"
)
_DECADE = lazy_regex(
    rf"(?<![0-9.,$-])(?P<full>(?:1[5-9]|20)[0-9]0)(?:'?s\b|-an\b|年代)|(?<![0-9.,$])'?(?P<short>[2-9]0)(?:s\b|-an\b|年代)"
    rf"|\b(?P<word>{'|'.join(DECADES)})\b|(?P<kanji>[二三四五六七八九]十)年代"
)
_SEASON = lazy_regex(
    rf"(?i)\b(?P<before>spring|summer|autumn|fall|winter|musim (?:bunga|semi|panas|luruh|gugur|sejuk|dingin))"
    rf"(?: of|,| tahun)? (?P<year>{_YEAR})(?![0-9])|(?P<cjk>(?:1[89]|20)[0-9]{{2}})年の?(?P<after>[春夏秋冬]季?)"
    r"|(?<=\b[Tt]his )(?P<this>spring|summer|autumn|winter)\b|(?<=\b[Ll]ast )(?P<last>spring|summer|autumn|winter)\b"
    r"|(?<=\b[Nn]ext )(?P<next>spring|summer|autumn|winter)\b|(?<=\b[Ii]n the )(?P<in>spring|summer|autumn|winter)\b"
)
_FISCAL = lazy_regex(r"\bFY ?'?(?P<year>[0-9]{2})(?![0-9])")
_INTRODUCED = lazy_regex(
    r"(?i)\b(?:in|since|until|by|last|this|next|early|late|mid|during|from|to|between|of|through|before|after|for|and"
    r"|pada|bulan|sejak|hingga|sehingga|awal|akhir|pertengahan|dari|dan"
    r"|selepas|sebelum|menjelang|mulai|dalam)[ -]$"
)
_MONTH_ONLY = lazy_regex(rf"(?<![A-Za-z])(?P<month>{_MONTH})(?![A-Za-z'])")


def find_dates(text: str) -> list[DateReading]:
    """Find the dates of a normalized text with every reading of each, without overlaps.

    An impossible day such as 31 February stays a date, so that no other number of the source can support it.
    """
    taken = SpanTracker(text)
    readings_found: list[DateReading] = []
    for span, parts in _all(text):
        possible = frozenset(each for each in parts if _possible(each))
        readings = possible or frozenset(each for each in parts if each.month and each.day)
        if readings and taken.reserve(*span):
            readings_found.append((span, readings))
    return sorted(readings_found, key=lambda reading: reading[0])


def _all(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    """All readings, the most specific forms first, so that the year inside a date isn't read by itself."""
    yield from _numeric(text)
    yield from _seasons(text)
    yield from _decades(text)
    yield from _cjk(text)
    yield from _worded(text)
    for match in [*_QUARTER.finditer(text)]:
        yield match.span(), [DateParts(part=f"Q{_ordinal(match)}")]
    for match in _HALF.finditer(text):
        yield match.span(), [DateParts(part=f"H{_ordinal(match)}")]
    yield from _years(text)
    for match in _LONE_DAY.finditer(text):
        yield match.span(), [DateParts(day=_number(match["day"]))]
    yield from _months(text)


def _seasons(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for match in _SEASON.finditer(text):
        name = next(match[group] for group in ("before", "after", "this", "last", "next", "in") if match[group])
        yield match.span(), [DateParts(_number(match["year"] or match["cjk"]), part=SEASONS[name.lower()])]


def _decades(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    """`the 1990s`, `the nineties`, 90年代; a short form may mean the decade of this century or the last one."""
    for match in _DECADE.finditer(text):
        if match["full"]:
            years = [int(match["full"])]
        else:
            tens = _number(match["kanji"]) or DECADES.get(match["word"] or "") or int(match["short"])
            years = [1900 + tens, *([2000 + tens] if 2000 + tens <= _DECADE_END + 100 else [])]
        yield match.span(), [DateParts(part=f"{year}s") for year in years]


def _numeric(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for match in _NUMERIC.finditer(text):
        if match["y"]:
            parts = [DateParts(int(match["y"]), int(match["m"]), int(match["d"]))]
        elif match["letter"]:
            year = ERAS[ERA_LETTERS[match["letter"]]] + int(match["n"])
            parts = [DateParts(year, int(match["em"]), int(match["ed"]))]
        else:
            first, second, year = int(match["a"]), int(match["b"]), int(match["c"])
            year += 2000 if year < 100 else 0
            parts = [DateParts(year, second, first), DateParts(year, first, second)]
        yield match.span(), parts


def _cjk(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for match in _CJK.finditer(text):
        if not match[0]:
            continue
        year = _number(match["year"] or match["gregorian"])
        if match["era"]:
            year = ERAS[match["era"]] + (1 if match["n"] == "元" else _number(match["n"]) or 0)
        if year is not None and not 1000 <= year < 3000:
            continue
        parts = DateParts(year, _number(match["month"]), _number(match["day"]))
        if any(parts):
            yield match.span(), [parts]


def _worded(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for pattern in (_DAY_MONTH, _MONTH_DAY):
        for match in pattern.finditer(text):
            month, year = _month(match["month"]), _number(match["year"])
            days = [int(day) for day in (match["from"], match["day"]) if day]
            if len(days) == 1:
                yield match.span(), [DateParts(year, month, days[0])]
            else:
                yield (match.start(), match.start("from") + len(match["from"])), [DateParts(year, month, days[0])]
                yield (match.start("day"), match.end()), [DateParts(year, month, days[1])]
    for match in _DAY_WORD_MONTH.finditer(text):
        yield (
            match.span(),
            [DateParts(_number(match["year"]), _month(match["month"]), _DAY_WORDS[match["day"].lower()])],
        )
    for match in _MONTH_YEAR.finditer(text):
        yield match.span(), [DateParts(int(match["year"]), _month(match["month"]))]


def _years(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for match in _FISCAL.finditer(text):
        yield match.span(), [DateParts(2000 + int(match["year"]))]
    for match in _YEAR_ONLY.finditer(text):
        measured = measure_after(text, match.end("year"))
        counted = measured is not None and measured[0].symbols != frozenset({"year", "month"})
        if not counted and currency_before(text, match.start()) is None and not _counts_something(text, match):
            yield match.span(), [DateParts(int(match["year"]))]


def _counts_something(text: str, match: re.Match[str]) -> bool:
    """Whether the digits continue: 2000万, 2000多."""
    return text[match.end("year") : match.end("year") + 1] in set("万萬億亿兆千百多余個个件社台頭")


def _months(text: str) -> Iterator[tuple[Span, list[DateParts]]]:
    for match in _MONTH_ONLY.finditer(text):
        name = match["month"].rstrip(".")
        if name not in UNSURE_MONTHS or _INTRODUCED.search(text, max(0, match.start() - 14), match.start()):
            yield match.span(), [DateParts(month=MONTHS[name])]


def _month(written: str) -> int:
    name = written.rstrip(".")
    return MONTHS.get(name) or MONTHS[name.capitalize()]


def _ordinal(match: re.Match[str]) -> int:
    return ORDER[next(group for group in match.groups() if group).lower()]


def _number(written: str | None) -> int | None:
    if not written:
        return None
    return next((int(value) for value in parse_numeral(written)), None)


def _possible(parts: DateParts) -> bool:
    if parts.month is not None and not 1 <= parts.month <= 12:
        return False
    if parts.day is None:
        return True
    try:
        date(parts.year or 2024, parts.month or 1, parts.day)
    except ValueError:
        return False
    return True
