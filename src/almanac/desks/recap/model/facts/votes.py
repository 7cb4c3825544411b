"""How a vote was taken and what it counted, as the chair announces it."""

import re
from collections.abc import Iterator

from almanac.desks.recap.model.record import Ballot, Vote
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

# Standing (起立), show of hands (挙手), unanimously (全会一致), without objection (異議なし).
_MANNER = lazy_regex(
    r"起立多数|起立総員|起立少数|挙手多数|挙手総員|挙手少数|総員起立|総員挙手|全会一致|賛成多数|賛成総員|賛成少数|過半数(?=と認め)"
    r"|異議な[しい](?=と認め)|異議なし|多数(?=をもって|と認め)|少数(?=と認め)|総員(?=と認め)"
)
_METHODS = (
    ("記名投票", lazy_regex(r"(?<!無)記名投票|白[色票]?票|青[色票]?票")),
    ("無名投票", lazy_regex(r"無名投票|単記無名")),
    ("押しボタン", lazy_regex(r"投票ボタン|押しボタン")),
    ("起立", lazy_regex(r"起立を?(?:求め|願|請|お願|多数|総員|少数|命)|総員起立|御起立")),
    ("挙手", lazy_regex(r"挙手を?(?:求め|願|請|お願|多数|総員|少数)|総員挙手")),
    ("異議なし", lazy_regex(r"異議(?:は)?(?:あり|ござい)ません|異議な[しい]")),
)
_ROWS = (
    ("total", lazy_regex(rf"投票総数[\s　、は]*({NUMERAL_PATTERN})")),
    ("in_favour", lazy_regex(rf"(?:賛成(?:者)?|可とする者|白色?票)[\s　、は）)（白色票]*?({NUMERAL_PATTERN})")),
    ("against", lazy_regex(rf"(?:反対(?:者)?|否とする者|青色?票)[\s　、は）)（青色票]*?({NUMERAL_PATTERN})")),
)
_COUNTED = lazy_regex(r"投票総数|投票の結果")
# 石川　　茂君　二百九十一: a name and its votes; copies without lines have them one after the other.
_BALLOT = lazy_regex(
    r"(?:\A|[\n\s　。票])(?P<name>[^\s　、。（）]{1,10}(?:[ 　]+[^\s　、。（）]{1,8})?)君(?:（[^（）]{1,30}）)?"
    rf"[ 　]*(?P<votes>{NUMERAL_PATTERN})(?=票|[\s　]|\Z)"
)


def find_manner(text: str) -> str:
    """How it was decided, as in 起立多数 or 異議なし; empty if the text doesn't say."""
    match = _MANNER.search(text)
    return match[0].replace("異議ない", "異議なし") if match else ""


def find_method(text: str) -> str:
    """How a vote is taken, as in 起立 or 押しボタン; empty if the text doesn't say."""
    return next((method for method, pattern in _METHODS if pattern.search(text)), "")


def read_vote(text: str) -> Vote | None:
    """The count that was announced last; None without one. An election has a total and the votes of each name."""
    if not _COUNTED.search(text):
        return None
    counted = text[max(text.rfind("投票総数"), 0) :]
    counts = {name: parse_kanji_number(match[1]) for name, row in _ROWS if (match := row.search(counted))}
    if counts.get("total") is None and counts.get("in_favour") is None:
        return None
    ballots = tuple(_ballots(counted))
    sides = {} if ballots else counts
    return Vote(
        total=counts.get("total"), in_favour=sides.get("in_favour"), against=sides.get("against"), ballots=ballots
    )


def _ballots(text: str) -> Iterator[Ballot]:
    for match in _BALLOT.finditer(text):
        votes = parse_kanji_number(match["votes"])
        if votes is not None:
            yield Ballot(name=re.sub(r"[\s　]", "", match["name"]), votes=votes)
