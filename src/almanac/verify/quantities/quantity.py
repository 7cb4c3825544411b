"""Finds quantities (numbers with unit and rounding) and decides when two of them match."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from decimal import Decimal

from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import KANJI_DIGITS, SMALL_UNITS
from almanac.verify.model import FindingKind
from almanac.verify.normalization import SpanTracker
from almanac.verify.quantities.numerals import Numeral, find_numerals, parse_numeral, scale_word
from almanac.verify.quantities.rounding import Rounding, find_rounding, rounding_allows
from almanac.verify.quantities.units import MONEY, SHARE, Measure, currency_before, measure_after, short_scale

_PER_CENT = Measure(SHARE, Decimal(1), frozenset({"%"}))
_YEARS = Measure("months", Decimal(12), frozenset({"year"}))
_PERIODS = {"decade": 10, "century": 100, "dekad": 10, "dasawarsa": 10, "abad": 100}
_PERIOD = lazy_regex(
    r"(?i)(?:\b(?:an?|one|past|last)|(?<=\bsatu)|\bse) ?(?P<period>decade|century|dekad|dasawarsa|abad)\b"
)
_POINTS = Measure("percentage-points", Decimal(1), frozenset({"percentage point"}))
_K = f"{''.join(KANJI_DIGITS)}{''.join(SMALL_UNITS)}0-9"
_SHARES = lazy_regex(
    rf"百分之(?P<zh>[{_K}.点]+)|(?P<wari>[{_K}.]+)割(?:(?P<bu>[{_K}]+)分)?(?:(?P<rin>[{_K}]+)厘)?|(?P<cheng>[{_K}.两]+)成(?![立功为員员都长長年果本])"
    rf"|(?P<bottom>[{_K}]+)分[のノ之](?P<top>[{_K}]+)"
)
_FRACTIONS = lazy_regex(
    r"(?i)(?:\b(?P<fraction>half|(?:a|an|one|three)[ -]quarters?|quarter|a tenth|a fifth|a third|two[ -]thirds)(?: of)?"
    r"(?: an?)?[ -](?P<point>percentage[ -]point|percentage[ -]points|point)s?\b)"
    r"|\b(?P<count>an?|one|two|three|four|satu|dua|tiga|[1-9])[ -](?P<part>half|halves|quarters?|thirds|fifths|tenths"
    r"|(?:third|fifth|tenth)(?= (?:of|in|more|less|fewer|from|to|off|lower|higher|on|by|were|was|are|is|said)\b"
    r"| ?(?:[,.;:)]|$))|per tiga|pertiga|per empat|perempat|per lima|perlima|suku)\b"
    r"|\b(?P<whole>half|separuh|setengah|sepertiga|suku)\b(?= (?:of|the|its|their|all|daripada\w*|dari|that)\b|[,.;]|$)"
    r"|(?P<slash>[1-9][0-9]?)[/⁄](?P<under>[1-9][0-9]?)(?![0-9/⁄])"
    r"|半数|一半|過半数|过半数|半分"
)
_PARTS = {
    "tenth": 10,
    "tenths": 10,
    "half": 2,
    "halves": 2,
    "third": 3,
    "thirds": 3,
    "quarter": 4,
    "quarters": 4,
    "fifth": 5,
    "fifths": 5,
    "separuh": 2,
    "setengah": 2,
    "suku": 4,
    "sepertiga": 3,
    "per tiga": 3,
    "pertiga": 3,
    "per empat": 4,
    "perempat": 4,
    "per lima": 5,
    "perlima": 5,
}
_COUNTS = {"a": 1, "an": 1, "one": 1, "satu": 1, "two": 2, "dua": 2, "three": 3, "tiga": 3, "four": 4}
_MINUS = lazy_regex(r"(?i)(?:(?<![\w)-])-|minus |negatif |マイナス|零下|▲|△|负)$")
_PLACES = 9
_ROUNDED_BELOW = Decimal(10) ** 18


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text with its unit and rounding."""

    start: int
    end: int
    text: str
    values: frozenset[Decimal]
    measure: Measure | None = None
    rounding: Rounding = Rounding.EXACT
    ordinal: bool = False
    in_words: bool = False

    @property
    def kind(self) -> FindingKind:
        if self.measure is None:
            return FindingKind.NUMBER
        return {MONEY: FindingKind.AMOUNT, SHARE: FindingKind.PERCENTAGE}.get(
            self.measure.dimension, FindingKind.NUMBER
        )

    @property
    def scaled(self) -> frozenset[Decimal]:
        """The readings in the base unit, so that 1.5 tonnes equals 1,500 kg."""
        factor = self.measure.factor if self.measure else Decimal(1)
        return frozenset(_rounded(value * factor) for value in self.values)


def _rounded(value: Decimal) -> Decimal:
    """Without the noise of a division; very large numbers have none."""
    return round(value, _PLACES) if abs(value) < _ROUNDED_BELOW else value


def find_quantities(text: str) -> list[Quantity]:
    """Find the quantities of a normalized text, in order."""
    taken = SpanTracker(text)
    read = [
        *_shares(text),
        *_fractions(text),
        *_periods(text),
        *(_measured(text, each) for each in find_numerals(text)),
    ]
    quantities = [quantity for quantity in read if taken.reserve(quantity.start, quantity.end)]
    return _shared_measures(text, sorted(quantities, key=lambda quantity: quantity.start))


def quantities_match(claimed: Quantity, sourced: Quantity) -> bool:
    """Whether a source's quantity supports a claimed one: the same value, or a rounding that the claim announces."""
    if claimed.measure and sourced.measure and not claimed.measure.is_compatible(sourced.measure):
        return False
    if (claimed.measure and sourced.ordinal) or (sourced.measure and claimed.ordinal):
        return False
    if claimed.measure and sourced.measure:
        left, right = claimed.scaled, sourced.scaled
    else:
        left, right = claimed.values, sourced.values
    if _meet(left, right, claimed, sourced):
        return True
    rounds = sourced.rounding is Rounding.EXACT or (
        sourced.rounding is Rounding.ABOUT and claimed.rounding is not Rounding.ABOUT
    )
    return (
        rounds
        and claimed.rounding is not Rounding.EXACT
        and any(rounding_allows(claimed.rounding, value, source_value) for value in left for source_value in right)
    )


def is_age(quantity: Quantity, text: str) -> bool:
    """Whether a figure stands between commas behind a name: `Lim Boon Keat, 49, said`."""
    return quantity.measure is None and bool(re.search(rf"[A-Za-z], {re.escape(quantity.text)},", text))


def same_figure(claimed: Quantity, sourced: Quantity) -> bool:
    """Whether the values are equal as written, whatever the units."""
    return bool(claimed.values & sourced.values)


def _meet(left: frozenset[Decimal], right: frozenset[Decimal], claimed: Quantity, sourced: Quantity) -> bool:
    if left & right:
        return True
    degrees = any(each.measure and each.measure.dimension == "temperature" for each in (claimed, sourced))
    return not degrees and bool({abs(value) for value in left} & {abs(value) for value in right})


def _measured(text: str, numeral: Numeral) -> Quantity:
    start, end, values = numeral.start, numeral.end, numeral.values
    measure: Measure | None = None
    before = currency_before(text, start)
    if before is not None:
        measure, start = before
        scale, end = short_scale(text, end)
        values = frozenset(value * scale for value in values)
    else:
        after = None if numeral.ordinal else measure_after(text, end)
        if after is not None:
            measure, end = after
    if minus := _MINUS.search(text, max(0, start - 8), start):
        start, values = minus.start(), frozenset(-value for value in values)
    return Quantity(
        start,
        end,
        text[start:end].strip(),
        values,
        measure,
        find_rounding(text, start, end),
        numeral.ordinal,
        numeral.in_words,
    )


def _shares(text: str) -> list[Quantity]:
    quantities = []
    for match in _SHARES.finditer(text):
        value = _share(match)
        if value is not None:
            span = match.span()
            quantities.append(Quantity(*span, match[0], frozenset({value}), _PER_CENT, find_rounding(text, *span)))
    return quantities


def _share(match: re.Match[str]) -> Decimal | None:
    if match["zh"]:
        return _value(match["zh"])
    if match["bottom"]:
        top, bottom = _value(match["top"]), _value(match["bottom"])
        return None if top is None or not bottom else round(top / bottom * 100, _PLACES)
    tens = _value(match["wari"] or match["cheng"])
    if tens is None:
        return None
    return tens * 10 + (_value(match["bu"]) or Decimal(0)) + (_value(match["rin"]) or Decimal(0)) / 10


def _value(written: str | None) -> Decimal | None:
    return None if not written else next(iter(sorted(parse_numeral(written))), None)


def _fractions(text: str) -> list[Quantity]:
    quantities = []
    for match in _FRACTIONS.finditer(text):
        part = (match["part"] or match["whole"] or "").lower()
        if match["fraction"]:
            quantities.append(_fraction_of_point(text, match))
            continue
        if match["slash"]:
            value = Decimal(match["slash"]) / Decimal(match["under"])
        elif part:
            count = match["count"] or "a"
            value = Decimal(_COUNTS.get(count.lower()) or count) / _PARTS[part]
        else:
            value = Decimal("0.5")
        share = frozenset({round(value * 100, _PLACES)})
        quantities.append(
            Quantity(
                *match.span(),
                match[0],
                share,
                _PER_CENT,
                find_rounding(text, *match.span()),
                in_words=not match["slash"],
            )
        )
    return quantities


def _periods(text: str) -> Iterator[Quantity]:
    """`a decade`, which is ten years."""
    for match in _PERIOD.finditer(text):
        values = frozenset({Decimal(_PERIODS[match["period"].lower()])})
        yield Quantity(*match.span(), match[0], values, _YEARS, find_rounding(text, *match.span()), in_words=True)


def _fraction_of_point(text: str, match: re.Match[str]) -> Quantity:
    """`a quarter of a percentage point`, `half a point`."""
    *count, part = match["fraction"].lower().replace("-", " ").split()
    value = Decimal(_COUNTS.get(count[0] if count else "a", 1)) / _PARTS[part]
    values = frozenset({round(value, _PLACES)})
    return Quantity(*match.span(), match[0], values, _POINTS, find_rounding(text, *match.span()), in_words=True)


_TO = lazy_regex(r" ?(?:-|to|and|or|hingga|sehingga|sampai|dan|から|至|到|~|〜|か|、)(?: ?)$")


def _shared_measures(text: str, quantities: list[Quantity]) -> list[Quantity]:
    """`10-15 km`, `RM5 to 7 million`: one end of a range takes the unit of the other."""
    shared = list(quantities)
    for number in range(len(shared) - 1):
        first, second = shared[number], shared[number + 1]
        between = text[first.end : second.start]
        if not _TO.fullmatch(between):
            continue
        if first.measure is None and second.measure is not None:
            first = shared[number] = replace(first, measure=second.measure)
        scale = scale_word(second.text)
        if scale and not scale_word(first.text) and min(first.values) < min(second.values) / scale:
            values = first.values | {value * scale for value in first.values}
            shared[number] = replace(first, values=frozenset(values))
    return shared
