"""Words that say a number is rounded, and which way: about, nearly, over, 約, 将近, lebih daripada."""

import re
from decimal import Decimal
from enum import Enum
from functools import cache

from almanac.verify.vocabulary import lines_of


class Hedge(Enum):
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


def hedge_of(text: str, start: int, end: int) -> Hedge:
    """How the number in this part of a text is meant."""
    before = text[max(0, start - _FARTHEST) : start]
    for hedge, pattern in _patterns("before"):
        if pattern.search(before):
            return hedge
    for hedge, pattern in _patterns("after"):
        if pattern.match(text, end):
            return hedge
    return Hedge.EXACT


@cache
def _patterns(where: str) -> list[tuple[Hedge, re.Pattern[str]]]:
    """The words of each hedge on one side of a number; in the list, the narrower sense stands first."""
    shape = (
        r"(?i)(?<![A-Za-z])(?:{}) ?(?:the |a |an |[在于为])?$"
        if where == "before"
        else r"(?i) ?[^\W\d_a-z]{{0,3}}?(?:{})(?![a-z])"
    )
    rows = (line.split(" ", 2) for line in lines_of("hedges.txt"))
    return [(Hedge[name.upper()], re.compile(shape.format(words))) for side, name, words in rows if side == where]


def allows(hedge: Hedge, said: Decimal, meant: Decimal) -> bool:
    """Whether a rounded number may stand for an exact one, in the direction that its word says."""
    if meant == 0 or (said < 0) != (meant < 0):
        return said == meant
    ratio = said / meant
    match hedge:
        case Hedge.ABOUT:
            return abs(1 - ratio) <= _CLOSE or _rounds_to(said, meant)
        case Hedge.NEARLY:
            return 1 <= ratio <= 1 / _NEAR
        case Hedge.OVER:
            return 1 / _BEYOND <= ratio <= 1
        case Hedge.UNDER:
            return 1 <= ratio <= _BEYOND
        case Hedge.EXACT:
            return said == meant


def contradicts(said: Hedge, meant: Hedge) -> bool:
    """More than, where the source says less than, or the other way round."""
    below = {Hedge.UNDER, Hedge.NEARLY}
    return (said is Hedge.OVER and meant in below) or (said in below and meant is Hedge.OVER)


def _rounds_to(said: Decimal, meant: Decimal) -> bool:
    """`about 10` for 9.6: rounded at the last figure that is not a zero, while that is not too coarse."""
    unit = Decimal(10) ** said.normalize().as_tuple().exponent  # type: ignore[operator]  # finite: it was read from digits
    return abs(said - meant) * 2 <= unit and abs(said - meant) <= abs(meant) / 5
