"""How well a text fits the charset that it was decoded by: wrong ones give rare characters in place of common ones.

The standards that made charsets put common characters first, so their own order tells which are common.
"""

import unicodedata
from collections.abc import Iterator
from functools import cache

GOOD = 0.9
EAST_ASIAN = ("gb18030", "big5hkscs", "cp932", "cp949")
_SAMPLE = 20_000
# The rows of each standard that hold its common characters, by first byte and then by second byte.
_COMMON_ROWS = {
    "gb18030": ((0xA1, 0xA3), (0xB0, 0xD7)),
    "big5hkscs": ((0xA1, 0xA3), (0xA4, 0xC6)),
    "cp932": ((0x81, 0x83), (0x88, 0x98)),
    "cp949": ((0xA1, 0xA3), (0xB0, 0xC8)),
}
_LEAST_SECOND = {"gb18030": 0xA1, "big5hkscs": 0x40, "cp932": 0x40, "cp949": 0xA1}
_TYPOGRAPHY = frozenset("‘’“”–—…•€£©®°«»·×\u00a0")


def fit(text: str, charset: str) -> float:
    """The share of what is not ASCII that is common in texts of the charset; 1 where everything is ASCII."""
    sample = text[:_SAMPLE]
    if sample.isascii():
        return 1.0
    told = [at for at, character in enumerate(sample) if not character.isascii()]
    if charset in EAST_ASIAN:
        return sum(sample[at] in _common(charset) for at in told) / len(told)
    return sum(_is_usual(sample, at) for at in told) / len(told)


@cache
def _common(charset: str) -> frozenset[str]:
    return frozenset(_characters(charset))


def _characters(charset: str) -> Iterator[str]:
    for first, last in _COMMON_ROWS[charset]:
        for lead in range(first, last + 1):
            for trail in range(_LEAST_SECOND[charset], 0xFF):
                yield from bytes((lead, trail)).decode(charset, "ignore")


def _is_usual(text: str, at: int) -> bool:
    """A letter among plain letters, or a mark of typography: several strange letters in a row are no Western word."""
    if text[at] in _TYPOGRAPHY:
        return True
    beside = text[max(0, at - 1)] + text[min(len(text) - 1, at + 1)]
    return unicodedata.category(text[at])[0] == "L" and any(one.isascii() for one in beside.replace(text[at], "", 1))
