"""How a vote was taken and what it counted, as the chair announces it."""

from almanac.desks.recap.model.record import Vote
from almanac.kit.lazy import lazy_regex
from almanac.language.kanji_numerals import NUMERAL_PATTERN, parse_kanji_number

# Standing (起立), show of hands (挙手), unanimously (全会一致), without objection (異議なし).
_MANNER = lazy_regex(
    r"起立多数|起立総員|起立少数|挙手多数|挙手総員|挙手少数|総員起立|全会一致|賛成多数|賛成総員|賛成少数|過半数(?=と認め)"
    r"|異議な[しい](?=と認め)|異議なし|多数(?=をもって|と認め)|少数(?=と認め)|総員(?=と認め)"
)
_ROWS = (
    ("total", lazy_regex(rf"投票総数[\s　、は]*({NUMERAL_PATTERN})")),
    ("in_favour", lazy_regex(rf"(?:賛成(?:者)?|可とする者|白色?票)[\s　、は）)（白色票]*?({NUMERAL_PATTERN})")),
    ("against", lazy_regex(rf"(?:反対(?:者)?|否とする者|青色?票)[\s　、は）)（青色票]*?({NUMERAL_PATTERN})")),
)
_COUNTED = lazy_regex(r"投票総数|投票の結果")


def find_manner(text: str) -> str:
    """How it was decided, as in 起立多数 or 異議なし; empty if the text doesn't say."""
    match = _MANNER.search(text)
    return match[0].replace("異議ない", "異議なし") if match else ""


def read_vote(text: str) -> Vote | None:
    """The count that was announced; None without one. A vote on names has a total only."""
    if not _COUNTED.search(text):
        return None
    counts = {name: parse_kanji_number(match[1]) for name, row in _ROWS if (match := row.search(text))}
    return Vote(**counts) if counts.get("total") is not None or counts.get("in_favour") is not None else None
