"""Finds moments (dates, weekdays, times of day, relative days) in a text and decides when two of them match."""

import re
from collections.abc import Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_DIGITS
from almanac.verify.dates.calendar import RELATIVE, SAME_YEAR, WEEKDAYS
from almanac.verify.dates.date_parser import DateParts, find_dates
from almanac.verify.normalization import Span, mask_spans
from almanac.verify.quantities.numerals import parse_numeral


class MomentKind(Enum):
    """Kinds of moments."""

    DATE = "date"
    WEEKDAY = "day of the week"
    TIME = "time"
    RELATIVE = "relative day"


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in a text with its readings: dates, the number of a weekday, minutes of a day, or a relative word."""

    start: int
    end: int
    text: str
    kind: MomentKind
    dates: frozenset[DateParts] = frozenset()
    numbers: frozenset[int] = frozenset()
    word: str = ""


_N = rf"[0-9{''.join(KANJI_DIGITS)}十]"
_LATIN_TIME = lazy_regex(
    r"(?i)(?<![0-9.,:])(?:(?P<at>pukul |jam |at )(?P<h1>[01]?[0-9]|2[0-3])(?:[.:](?P<m1>[0-5][0-9]))?(?![0-9.,:]*[0-9]"
    r"|\s?(?:%|per ?cent|peratus|(?:m|b|tr)illion|juta|bilion|thousand|ribu|degrees|darjah|tonnes|kg|km|metres|meter))"
    r"|(?P<h2>[01]?[0-9]|2[0-3])(?::(?P<m2>[0-5][0-9])(?![0-9:])|(?:\.(?P<m3>[0-5][0-9]))?(?=\s?(?:[ap]\.?m\b|pagi|petang|malam"
    r"|tengah ?hari)|[ap]m\b)))(?:\s?(?P<half>[ap]\.?m\b\.?|pagi|petang|malam|tengah ?hari))?"
)
_CJK_TIME = lazy_regex(
    rf"(?P<half>午前|午後|上午|下午|晚上|早上|凌晨|中午|傍晚)?(?P<hour>{_N}{{1,3}})(?P<mark>時|时|点钟|点|:)(?!間|间)"
    rf"(?:(?P<thirty>半)|(?P<minute>{_N}{{1,3}})分?)?"
)
_LATE = lazy_regex(r"(?i)p|午後|下午|晚上|傍晚|petang|malam")
_EARLY = lazy_regex(r"(?i)a\.?m|午前|上午|早上|凌晨|pagi")
_WEEKDAY = lazy_regex(
    "|".join(rf"\b{name}\b" if name.isascii() else re.escape(name) for name in sorted(WEEKDAYS, key=len, reverse=True))
    + r"|(?<=[日号]\()(?P<short>[月火水木金土日])(?=\))"
)
_SHORT = {character: number for number, character in enumerate("月火水木金土日")}
_RELATIVE = lazy_regex(
    "|".join(
        rf"(?i:\b{name}\b)" if name.isascii() else re.escape(name)
        for name in sorted([*RELATIVE, *SAME_YEAR], key=len, reverse=True)
    )
)
POINTS_BACK = "same year"


def find_moments(text: str) -> list[Moment]:
    """Find the moments of a normalized text, in order, without overlaps."""
    moments = [Moment(*span, text[slice(*span)], MomentKind.DATE, dates=parts) for span, parts in find_dates(text)]
    rest = mask_spans(text, [(moment.start, moment.end) for moment in moments])
    for span, minutes in _times(rest):
        moments.append(Moment(*span, text[slice(*span)].strip(), MomentKind.TIME, numbers=minutes))
    for match in _WEEKDAY.finditer(mask_spans(text, [])):
        number = _SHORT[match["short"]] if match["short"] else WEEKDAYS[match[0]]
        moments.append(Moment(*match.span(), match[0], MomentKind.WEEKDAY, numbers=frozenset({number})))
    for match in _RELATIVE.finditer(rest):
        word = RELATIVE.get(match[0].lower(), POINTS_BACK)
        moments.append(Moment(*match.span(), match[0], MomentKind.RELATIVE, word=word))
    return sorted(moments, key=lambda moment: moment.start)


def _times(text: str) -> Iterator[tuple[Span, frozenset[int]]]:
    for match in _LATIN_TIME.finditer(text):
        hour = int(match["h1"] or match["h2"])
        minute = int(match["m1"] or match["m2"] or match["m3"] or 0)
        bare = match["at"] and match["at"].lower() == "at " and not match["half"] and not match["m1"]
        spent = (match["at"] or "").lower().startswith("jam") and not match["m1"]  # `jam 3` may be three hours
        if (not bare and not spent) or match["half"]:
            yield match.span(), _minutes(hour, minute, match["half"] or "")
    for match in _CJK_TIME.finditer(text):
        if match["mark"] == "点" and not match["half"]:
            continue
        hours, minutes = parse_numeral(match["hour"]), parse_numeral(match["minute"] or "0")
        if hours and minutes and match["mark"] != ":":
            minute = 30 if match["thirty"] else int(min(minutes))
            yield match.span(), _minutes(int(min(hours)), minute, match["half"] or "")


def _minutes(hour: int, minute: int, half: str) -> frozenset[int]:
    """Minutes since midnight; both halves of the day where the text doesn't say which."""
    if not half or hour > 12:
        return frozenset({hour * 60 + minute, (hour + 12) % 24 * 60 + minute} if hour <= 12 else {hour * 60 + minute})
    if _LATE.match(half) or (half.lower().startswith("tengah") and hour < 6):
        return frozenset({(hour % 12 + 12) * 60 + minute})
    return frozenset({hour % 12 * 60 + minute if _EARLY.match(half) else hour * 60 + minute})


@dataclass(frozen=True, slots=True)
class DateContext:
    """The years, months and parts of a year that a text names; its dates may leave them out."""

    years: frozenset[int] = frozenset()
    months: frozenset[int] = frozenset()
    parts: frozenset[str] = frozenset()

    @classmethod
    def from_moments(cls, moments: Iterable[Moment]) -> "DateContext":
        dates = [date for moment in moments for date in moment.dates]
        return cls(
            frozenset(date.year for date in dates if date.year is not None),
            frozenset(date.month for date in dates if date.month is not None),
            frozenset(date.part for date in dates if date.part is not None),
        )


NO_DATE_CONTEXT = DateContext()


def moments_match(claimed: Moment, sourced: Moment, around: DateContext) -> bool:
    """Whether a source's moment supports a claimed one; `around` supplies a year or month that it leaves out."""
    if claimed.kind is MomentKind.WEEKDAY and sourced.kind is MomentKind.DATE:
        return any(day.weekday in claimed.numbers for day in with_context_years(sourced, around))
    if claimed.kind is not sourced.kind:
        return False
    if claimed.kind is MomentKind.DATE:
        return any(
            _covers(claimed_date, sourced_date, around)
            for claimed_date in claimed.dates
            for sourced_date in sourced.dates
        )
    return bool(claimed.numbers & sourced.numbers) if claimed.numbers else claimed.word == sourced.word


def with_context_years(moment: Moment, around: DateContext) -> list[DateParts]:
    """The readings of a date, completed with the years of its context."""
    lent = [parts._replace(year=year) for parts in moment.dates if parts.year is None for year in sorted(around.years)]
    return [parts for parts in [*moment.dates, *lent] if _exists(parts)]


def _exists(parts: DateParts) -> bool:
    try:
        return parts.weekday is not None
    except ValueError:
        return False


def _covers(claimed: DateParts, sourced: DateParts, around: DateContext) -> bool:
    """Whether the source's date has the claimed finest part itself and the coarser parts itself or in its context."""
    if claimed.part and claimed.part.endswith("0s") and sourced.year is not None:
        return claimed.part == f"{sourced.year // 10}0s"
    finest = next(name for name in ("day", "month", "part", "year") if getattr(claimed, name) is not None)
    if getattr(claimed, finest) != getattr(sourced, finest):
        return False
    return (
        _lent(claimed.year, sourced.year, around.years)
        and _lent(claimed.month, sourced.month, around.months)
        and _lent(claimed.part, sourced.part, around.parts)
    )


def _lent(wanted: int | str | None, given: int | str | None, around: AbstractSet[int | str]) -> bool:
    """Whether a part of a date is as wanted, or left out and named nearby."""
    return wanted is None or wanted == given or (given is None and wanted in around)
