"""Words that say a number is rounded, and which way: about, nearly, over, 約, 将近, lebih daripada."""

import re
from decimal import Decimal
from enum import Enum
from functools import cache

from almanac.verify.word_lists import read_lines


class Rounding(Enum):
    """How a number is meant."""

    EXACT = "exactly"
    ABOUT = "about"
    NEARLY = "nearly"
    OVER = "more than"
    UNDER = "less than"


_FARTHEST = 24
_CLOSE = Decimal("0.05")
_NEAR = Decimal("0.9")
_BEYOND = Decimal("1.25")


def find_rounding(text: str, start: int, end: int) -> Rounding:
    """How the number in this part of a text is meant."""
    before = text[max(0, start - _FARTHEST) : start]
    for rounding, pattern in _patterns("before"):
        if pattern.search(before):
            return rounding
    for rounding, pattern in _patterns("after"):
        if pattern.match(text, end):
            return rounding
    return Rounding.EXACT


@cache
def _patterns(where: str) -> list[tuple[Rounding, re.Pattern[str]]]:
    """The words of each rounding on one side of a number; in the list, the narrower sense stands first."""
    shape = (
        r"(?i)(?<![A-Za-z])(?:{}) ?(?:the |a |an |[在于为])?$"
        if where == "before"
        else r"(?i) ?[^\W\d_a-z]{{0,3}}?(?:{})(?![a-z])"
    )
    rows = (line.split(" ", 2) for line in read_lines("hedges.txt"))
    return [(Rounding[name.upper()], re.compile(shape.format(words))) for side, name, words in rows if side == where]


def rounding_allows(rounding: Rounding, said: Decimal, meant: Decimal) -> bool:
    """Whether a rounded number may stand for an exact one, in the direction that its word says."""
    if meant == 0 or (said < 0) != (meant < 0):
        return said == meant
    ratio = said / meant
    match rounding:
        case Rounding.ABOUT:
            return abs(1 - ratio) <= _CLOSE or _rounds_to(said, meant)
        case Rounding.NEARLY:
            return 1 <= ratio <= 1 / _NEAR
        case Rounding.OVER:
            return 1 / _BEYOND <= ratio <= 1
        case Rounding.UNDER:
            return 1 <= ratio <= _BEYOND
        case Rounding.EXACT:
            return said == meant


def roundings_contradict(said: Rounding, meant: Rounding) -> bool:
    """More than, where the source says less than, or the other way round."""
    below = {Rounding.UNDER, Rounding.NEARLY}
    return (said is Rounding.OVER and meant in below) or (said in below and meant is Rounding.OVER)


def _rounds_to(said: Decimal, meant: Decimal) -> bool:
    """`about 10` for 9.6: rounded at the last figure that is not a zero, while that is not too coarse."""
    unit = Decimal(10) ** said.normalize().as_tuple().exponent  # type: ignore[operator]  # finite: it was read from digits
    return abs(said - meant) * 2 <= unit and abs(said - meant) <= abs(meant) / 5
