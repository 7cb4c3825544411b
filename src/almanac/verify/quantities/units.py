"""Units and currencies in four languages, with their dimension and factor to the base unit.

`units.txt` has a dimension, a factor and names on each line; `currencies.txt` has codes in place of the dimension.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from almanac.kit.lazy import lazy_regex
from almanac.verify.word_lists import read_lines


@dataclass(frozen=True, slots=True)
class Measure:
    """A unit. `symbols` has several entries where a sign is shared, such as `$`."""

    dimension: str
    factor: Decimal
    symbols: frozenset[str]

    def is_compatible(self, other: "Measure") -> bool:
        """Whether both measure the same dimension; for money, whether they may be the same currency."""
        dimensions = {self.dimension, other.dimension}
        if KILO in dimensions:
            return dimensions <= _KILO_OF  # キロ is short for both a kilometre and a kilogram
        if dimensions == _VOTERS:
            return True  # 31 people voted for it: 31 votes
        return len(dimensions) == 1 and (self.dimension != MONEY or bool(self.symbols & other.symbols))


MONEY, SHARE, KILO = "money", "share", "kilo"
_VOTERS = frozenset({"people", "votes"})
_KILO_OF = frozenset({KILO, "length", "mass"})
_ANY_CASE = 4
_LONGEST = 26
_SHORT_SCALE = lazy_regex(r"(?i)(k|m|b)(?![A-Za-z])")
_SCALE_OF = {"k": 10**3, "m": 10**6, "b": 10**9}


@cache
def _measures() -> Mapping[str, Measure]:
    table: dict[str, Measure] = {}
    for dimension, factor, names in _rows("units.txt"):
        table |= dict.fromkeys(names, Measure(dimension, factor, frozenset({names[0]})))
    for codes, factor, names in _rows("currencies.txt"):
        table |= dict.fromkeys(names, Measure(MONEY, factor, frozenset(codes.split(","))))
    return table


@cache
def _other_words() -> Mapping[str, str]:
    """Units in kanji that also begin other words, with the characters that follow: 人 is a unit, 人口 is not."""
    return dict(line.split(" ") for line in read_lines("not_units.txt"))


@cache
def _caseless() -> Mapping[str, Measure]:
    """Names long enough to ignore case: MW and mw differ, megawatt and Megawatt don't."""
    return {name.lower(): measure for name, measure in _measures().items() if len(name) >= _ANY_CASE and name.isascii()}


def _rows(name: str) -> list[tuple[str, Decimal, list[str]]]:
    fields = (line.split(" ", 2) for line in read_lines(name))
    return [(first, Decimal(factor), names.split("|")) for first, factor, names in fields]


def measure_after(text: str, position: int) -> tuple[Measure, int] | None:
    """The unit or currency right after a number and where it ends; None without one."""
    start = position + 1 if text[position : position + 1] in {" ", "-"} else position
    for end in range(min(len(text), start + _LONGEST), start, -1):
        measure = _measure_by_name(text[start:end])
        if measure is not None and _ends_there(text, start, end):
            return measure, end
    return None


def is_unit(word: str) -> bool:
    """Whether a word is the name of a unit or currency."""
    return _measure_by_name(word) is not None


def currency_before(text: str, position: int) -> tuple[Measure, int] | None:
    """The currency right before a number and where it begins; None without one."""
    end = position - 1 if text[position - 1 : position] == " " else position
    for start in range(max(0, end - _LONGEST), end):
        measure = _measure_by_name(text[start:end])
        if measure is None or measure.dimension != MONEY or not _is_sign(text[start:end]):
            continue
        if not (_is_latin(text[start]) and _is_latin(text[max(0, start - 1) : start])):
            return measure, start
    return None


def short_scale(text: str, position: int) -> tuple[int, int]:
    """The scale of `5m`, `3.5b`, `20k` after a currency sign, and where it ends."""
    match = _SHORT_SCALE.match(text, position)
    return (1, position) if match is None else (_SCALE_OF[match[1].lower()], match.end())


def _measure_by_name(written: str) -> Measure | None:
    name = written.replace("-", " ") if "-" in written else written
    return _measures().get(written) or _measures().get(name) or _caseless().get(name.lower())


def _ends_there(text: str, start: int, end: int) -> bool:
    """Whether a unit's name ends here and isn't the beginning of another word."""
    last, following = text[end - 1], text[end : end + 1]
    if last.isascii() and last.isalnum():
        return not (following.isascii() and following.isalnum())
    return not following or following not in _other_words().get(text[start:end], "")


def _is_latin(character: str) -> bool:
    return character.isascii() and character.isalpha()


def _is_sign(written: str) -> bool:
    """Whether it may precede a number: signs and codes, and `人民币`."""
    return written.isascii() or written in {"€", "£", "¥", "₹", "₩", "₱", "₫", "₽", "人民币"}
