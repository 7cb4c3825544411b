"""Dates, times, numbers and money as each interface language writes them, by the rules of CLDR through Babel.

Formatting through Babel takes tens of microseconds, and a page shows many times, so what recurs is kept.
English puts the day before the month, and every language uses the 24-hour clock.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Literal
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_timedelta, get_day_names
from babel.numbers import format_decimal

from almanac.kit.catalogs import locale_of, nearest_language
from almanac.kit.money import Money

_KEPT = 4096
_Unit = Literal["second", "minute", "hour", "day"]
_STEPS: tuple[tuple[int, int, _Unit], ...] = (
    (60, 1, "second"),
    (3600, 60, "minute"),
    (86400, 3600, "hour"),
    (30 * 86400, 86400, "day"),
)
_DAY_PATTERNS = {"en": "d MMMM yyyy"}
_FULL_PATTERNS = {
    "en": "EEEE, d MMMM yyyy",
    "de": "EEEE, d. MMMM yyyy",
    "ja": "yyyy年M月d日(EEEE)",
    "zh": "yyyy年M月d日EEEE",
    "ms": "EEEE, d MMMM yyyy",
}
_WITHOUT_COMMA = ("ja", "zh")
DayShape = Literal[
    "day",
    "short",
    "short_date",
    "full",
    "full_date",
    "long_date",
    "weekday",
    "month",
    "month_of_year",
    "whole_month",
    "first_of_span",
    "last_of_span",
]
_SHAPES: Mapping[DayShape, Mapping[str, str]] = {
    "day": {"en": "d MMMM", "de": "d. MMMM", "ja": "M月d日", "zh": "M月d日", "ms": "d MMMM"},
    "short": {"en": "d MMM", "de": "d. MMM", "ja": "M月d日", "zh": "M月d日", "ms": "d MMM"},
    "short_date": {
        "en": "d MMM yyyy",
        "de": "d. MMM yyyy",
        "ja": "yyyy年M月d日",
        "zh": "yyyy年M月d日",
        "ms": "d MMM yyyy",
    },
    "full": {
        "en": "EEEE d MMMM",
        "de": "EEEE, d. MMMM",
        "ja": "M月d日（EEEE）",
        "zh": "M月d日 EEEE",
        "ms": "EEEE, d MMMM",
    },
    "full_date": {
        "en": "EEEE d MMMM yyyy",
        "de": "EEEE, d. MMMM yyyy",
        "ja": "yyyy年M月d日（EEEE）",
        "zh": "yyyy年M月d日 EEEE",
        "ms": "EEEE, d MMMM yyyy",
    },
    "long_date": {
        "en": "EEEE, d MMMM yyyy",
        "de": "EEEE, d. MMMM yyyy",
        "ja": "yyyy年M月d日（EEEE）",
        "zh": "yyyy年M月d日 EEEE",
        "ms": "EEEE, d MMMM yyyy",
    },
    "weekday": {
        "en": "EEE, d MMMM yyyy",
        "de": "EEE, d. MMMM yyyy",
        "ja": "yyyy年M月d日（EEE）",
        "zh": "yyyy年M月d日 EEE",
        "ms": "EEE, d MMMM yyyy",
    },
    "month": {"en": "MMM", "de": "LLL", "ja": "M月", "zh": "M月", "ms": "LLL"},
    "month_of_year": {"en": "MMM yyyy", "de": "MMM yyyy", "ja": "yyyy年M月", "zh": "yyyy年M月", "ms": "MMM yyyy"},
    "whole_month": {"en": "MMMM yyyy", "de": "MMMM yyyy", "ja": "yyyy年M月", "zh": "yyyy年M月", "ms": "MMMM yyyy"},
    # A span within one year names it once: before the first day or after the last, as the language does.
    "first_of_span": {"en": "d MMMM", "de": "d. MMMM", "ja": "yyyy年M月d日", "zh": "yyyy年M月d日", "ms": "d MMMM"},
    "last_of_span": {"en": "d MMMM yyyy", "de": "d. MMMM yyyy", "ja": "M月d日", "zh": "M月d日", "ms": "d MMMM yyyy"},
}


@lru_cache(_KEPT)
def format_day(day: date, language: str) -> str:
    """`26 January 2026`, `26. Januar 2026`, `2026年1月26日`."""
    return format_date(day, _DAY_PATTERNS.get(language, "long"), locale_of(language))


def format_weekday(day: date, language: str) -> str:
    """A day with its weekday: `Tue, 1 April 2025`, `2025年4月1日（火）`."""
    return format_shape(day, "weekday", language)


@lru_cache(_KEPT)
def format_shape(day: date, shape: DayShape, language: str) -> str:
    """A day with less or more than usual: `2 Mar` is short, `Monday 2 March` full."""
    nearest = nearest_language(language)
    # British English shortens September to four letters, which no column expects.
    return format_date(day, _SHAPES[shape][nearest], "en" if nearest == "en" else locale_of(nearest))


@lru_cache(_KEPT)
def weekday_name(number: int, width: Literal["wide", "abbreviated", "narrow"], language: str) -> str:
    """The name of a weekday, 0 for Monday: `Monday`, `Mon`, `M`."""
    return str(get_day_names(width, "stand-alone", locale_of(language))[number])


@lru_cache(_KEPT)
def name_language(code: str, language: str) -> str:
    """What a language calls another: `German`; the code of one that it has no name for."""
    return str(locale_of(language).languages.get(code.replace("-", "_"), code))


@lru_cache(_KEPT)
def name_country(code: str, language: str) -> str:
    """What a language calls a country, such as `Malaysia` for MY; a code that it has no name for stays."""
    return str(locale_of(language).territories.get(code.upper(), code))


@lru_cache(_KEPT)
def format_exact(moment: datetime, zone: str, language: str) -> str:
    """The full date and time in a zone, with the zone's name."""
    local = moment.astimezone(ZoneInfo(zone))
    day = format_date(local, _FULL_PATTERNS.get(language, "full"), locale_of(language))
    return f"{day}{'' if language in _WITHOUT_COMMA else ','} {local:%H:%M:%S %Z}"


def format_relative(moment: datetime, now: datetime, zone: str, language: str) -> str:
    """`3 minutes ago`, `in 2 hours`; the local date if it is more than a month away."""
    seconds = (now - moment).total_seconds()
    distance = abs(seconds)
    for below, unit, name in _STEPS:
        if distance < below:
            return _format_distance(int(distance // unit) * unit * (-1 if seconds > 0 else 1), name, language)
    return format_day(moment.astimezone(ZoneInfo(zone)).date(), language)


@lru_cache(_KEPT)
def _format_distance(seconds: int, unit: _Unit, language: str) -> str:
    distance = format_timedelta(
        timedelta(seconds=seconds), granularity=unit, threshold=100, add_direction=True, locale=locale_of(language)
    )
    return distance.replace(" ", "") if language == "ja" else distance


@lru_cache(_KEPT)
def format_number(number: float | Decimal, language: str) -> str:
    """A number with the separators of the language: `1,234.5`, `1.234,5`."""
    return format_decimal(number, locale=locale_of(language))


@lru_cache(_KEPT)
def format_quantity(quantity: Decimal, language: str) -> str:
    """An amount with its own decimals: `2.50`, `2,50`; thousands aren't separated, as in a form."""
    if not quantity.is_finite():
        return str(quantity)
    decimals = max(0, -int(quantity.as_tuple().exponent))
    return format_decimal(quantity, "0" + ("." + "0" * decimals if decimals else ""), locale_of(language))


def format_money(money: Money, language: str) -> str:
    """An exact amount with its currency code: `1,500.00 EUR`, `1.500,00 EUR`."""
    return f"{format_figure(money.amount, language)} {money.currency}"


def format_figure(figure: Decimal, language: str) -> str:
    """A number with exactly its own decimals, thousands separated: `1,500.00`, `1.500,00`."""
    return _format_fixed(figure, max(0, -int(figure.as_tuple().exponent)), language)


@lru_cache(_KEPT)
def _format_fixed(amount: Decimal, decimals: int, language: str) -> str:
    pattern = "#,##0" + ("." + "0" * decimals if decimals else "")
    return format_decimal(amount, pattern, locale_of(language))
