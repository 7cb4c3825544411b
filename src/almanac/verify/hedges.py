"""Words that say a number is rounded, and which way: about, nearly, over, 約, 将近, lebih daripada."""

import re
from decimal import Decimal
from enum import Enum


class Hedge(Enum):
    """How a number is meant."""

    EXACT = "exactly"
    ABOUT = "about"
    NEARLY = "nearly"
    OVER = "more than"
    UNDER = "less than"


_BEFORE = {
    Hedge.UNDER: (
        r"less than|fewer than|under|below|no more than|not more than|at most|up to|kurang daripada|kurang dari|di bawah"
        r"|tidak melebihi|tidak lebih daripada|sehingga|不足|不到|少于|低于|不超过|未满|最多|至多|最大|最大で"
    ),
    Hedge.OVER: (
        r"more than|over|above|exceeding|exceeded|exceeds|in excess of|upwards of|at least|greater than|topped|surpassing"
        r"|lebih daripada|lebih dari|lebih|melebihi|sekurang-kurangnya|melepasi|超过|逾|超|高于|多于|至少|突破|少なくとも|最低でも"
    ),
    Hedge.NEARLY: r"nearly|almost|close to|approaching|just under|hampir|将近|接近|近|几乎|ほぼ",
    Hedge.ABOUT: (
        r"about|around|approximately|roughly|some|circa|an estimated|or so|kira-kira|sekitar|lebih kurang|anggaran"
        r"|kira kira|約|およそ|おおよそ|ざっと|大约|约|大概|约为|左右"
    ),
}
_AFTER = {
    Hedge.OVER: r"or more|以上|超|余り|余|強|多|を超え|を上回|あまり|ke atas|and above|lebih",
    Hedge.NEARLY: r"近く|弱|に迫る",
    Hedge.UNDER: r"or less|or fewer|以下|未満|以内|以内|を下回|ke bawah|まで",
    Hedge.ABOUT: r"程度|前後|左右|ほど|上下|くらい|ぐらい|or so",
}
_BEFORE_PATTERNS = [
    (hedge, re.compile(rf"(?i)(?:(?<![A-Za-z])(?:{words}))[ ]?(?:the |a |an )?$")) for hedge, words in _BEFORE.items()
]
_AFTER_PATTERNS = [
    (hedge, re.compile(rf"(?i) ?[^\W\d_a-z]{{0,3}}?(?:{words})(?![a-z])")) for hedge, words in _AFTER.items()
]
_FARTHEST = 24
_CLOSE = Decimal("0.05")
_NEAR = Decimal("0.9")
_BEYOND = Decimal("1.25")


def hedge_of(text: str, start: int, end: int) -> Hedge:
    """How the number in this part of a text is meant."""
    before = text[max(0, start - _FARTHEST) : start]
    for hedge, pattern in _BEFORE_PATTERNS:
        if pattern.search(before):
            return hedge
    for hedge, pattern in _AFTER_PATTERNS:
        if pattern.match(text, end):
            return hedge
    return Hedge.EXACT


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
