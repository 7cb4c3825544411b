"""Words that announce a rounded number and its direction: about, nearly, over, 約, 将近, lebih daripada."""

import re
from decimal import Decimal
from enum import Enum
from functools import cache

from almanac.verify.normalization import Span
from almanac.verify.word_lists import read_lines


class Rounding(Enum):
    """How a number is rounded."""

    EXACT = "exactly"
    ABOUT = "about"
    NEARLY = "nearly"
    OVER = "more than"
    UNDER = "less than"


_FARTHEST = 24
_CLOSE = Decimal("0.05")
_NEAR = Decimal("0.9")
_FARTHEST_BOUND = Decimal(2)


def find_rounding(text: str, start: int, end: int) -> Rounding:
    """The rounding announced around this span; EXACT without such words."""
    return locate_rounding(text, start, end)[0]


def locate_rounding(text: str, start: int, end: int) -> tuple[Rounding, Span]:
    """The rounding announced around this span and where its words are; EXACT and an empty span without such words."""
    low = max(0, start - _FARTHEST)
    before = text[low:start]
    for rounding, pattern in _patterns("before"):
        if match := pattern.search(before):
            return rounding, (low + match.start(), start)
    for rounding, pattern in _patterns("after"):
        if match := pattern.match(text, end):
            return rounding, match.span()
    return Rounding.EXACT, (start, start)


@cache
def _patterns(where: str) -> list[tuple[Rounding, re.Pattern[str]]]:
    """Patterns of the rounding words on one side of a number, the more specific first."""
    shape = (
        r"(?i)(?<![A-Za-z])(?:{}) ?(?:(?<!under )(?<!over )(?<!above )(?<!below )(?:the |a |an )|[在于为])?$"
        if where == "before"
        else r"(?i) ?[^\W\d_a-z]{{0,3}}?(?:{})(?![a-z])"
    )
    rows = (line.split(" ", 2) for line in read_lines("hedges.txt"))
    return [(Rounding[name.upper()], re.compile(shape.format(words))) for side, name, words in rows if side == where]


def rounding_allows(rounding: Rounding, claimed: Decimal, sourced: Decimal) -> bool:
    """Whether a rounded number may stand for an exact one, in the announced direction."""
    if sourced == 0 or (claimed < 0) != (sourced < 0):
        return claimed == sourced
    ratio = claimed / sourced
    match rounding:
        case Rounding.ABOUT:
            return abs(1 - ratio) <= _CLOSE or _rounds_to(claimed, sourced)
        case Rounding.NEARLY:
            return 1 <= ratio <= 1 / _NEAR
        case Rounding.OVER:
            return 1 / _FARTHEST_BOUND <= ratio <= 1
        case Rounding.UNDER:
            return 1 <= ratio <= _FARTHEST_BOUND
        case Rounding.EXACT:
            return claimed == sourced


def roundings_contradict(claimed: Rounding, sourced: Rounding) -> bool:
    """Whether one is a lower and the other an upper bound."""
    below = {Rounding.UNDER, Rounding.NEARLY}
    return (claimed is Rounding.OVER and sourced in below) or (claimed in below and sourced is Rounding.OVER)


def _rounds_to(claimed: Decimal, sourced: Decimal) -> bool:
    """`about 10` for 9.6: rounded at the last nonzero digit, unless that is too coarse."""
    unit = Decimal(10) ** claimed.normalize().as_tuple().exponent  # type: ignore[operator]  # finite: it was read from digits
    return abs(claimed - sourced) * 2 <= unit and abs(claimed - sourced) <= abs(sourced) / 5
