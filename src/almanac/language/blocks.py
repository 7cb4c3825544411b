"""A text cut into blocks that no sentence crosses: paragraphs, headings, items of lists, labels of speakers.

Lines that were wrapped at a fixed width are put together again.
"""

import re
import string
from itertools import pairwise
from typing import NamedTuple

from almanac.language.scripts import width

_LINE = re.compile(r"[^\n\r\v\f\x85\u2028\u2029]+")
_SPACE = string.whitespace + "\u00a0\u1680\u2000\u2001\u2002\u2003\u2009\u200a\u200b\u202f\u205f\u3000\ufeff"
_ITEM = re.compile(
    r"(?:[•●◦◯◎■□◆◇▪▫‣⁃・▶►※☆★·○]\s*|[-–—*+]\s+|[#>]{1,6}\s+"
    r"|[(（]?\d{1,3}[)）]\s*|\d{1,3}[.．]\s+|\d{1,3}、\s*|[(（][一二三四五六七八九十ivx]{1,4}[)）]\s*"
    r"|[①-⑳]\s*|[一二三四五六七八九十]{1,3}、\s*|\(?[a-zA-Z][)]\s+)"
)
_SPEAKER = re.compile(
    r"[○〇◯]\s?([^\s\u3000、。「」]{1,40}(?:君|氏|さん|[)）]|委員長?|議長|大臣|議員|参考人|公述人))[\u3000 ]+"
)
_CLOSED = tuple('。．！？.!?…」』”"’)）】:：;；」')
_WRAPPED_AT_MOST = 120
_WRAPPED_AT_LEAST = 40
_SHORT_OF_THE_EDGE = 0.62


class Block(NamedTuple):
    """A stretch of the text, from `start` to `end`, and the number of its paragraph."""

    start: int
    end: int
    paragraph: int


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    after_blank: bool


def blocks(text: str) -> list[Block]:
    """The blocks of a text in order, without the marks of lists and the white space around them."""
    lines = _lines(text)
    edge = _wrapped_at(lines)
    found: list[Block] = []
    previous: _Line | None = None
    for line in lines:
        if previous is not None and _continues(previous, line, edge):
            found[-1] = found[-1]._replace(end=line.end)
        else:
            found += _opened(line, found[-1].paragraph + 1 if found else 0)
        previous = line
    return [block for block in found if block.start < block.end]


def _lines(text: str) -> list[_Line]:
    lines: list[_Line] = []
    last_end = 0
    for match in _LINE.finditer(text):
        inner = match[0].strip(_SPACE)
        if not inner:
            continue
        start = match.start() + len(match[0]) - len(match[0].lstrip(_SPACE))
        gap = text[last_end:start]
        lines.append(_Line(start, start + len(inner), inner, gap.replace("\r\n", "\n").count("\n") != 1))
        last_end = lines[-1].end
    return lines


def _wrapped_at(lines: list[_Line]) -> int | None:
    """The width at which lines were wrapped, or None where each line is a paragraph of its own."""
    inner = [before for before, after in pairwise(lines) if not after.after_blank]
    widths = sorted(width(line.text) for line in inner)
    if len(inner) < max(2, len(lines) / 2) or not _WRAPPED_AT_LEAST <= widths[-1] <= _WRAPPED_AT_MOST:
        return None
    unfinished = sum(not line.text.endswith(_CLOSED) for line in inner)
    level = sum(w >= _SHORT_OF_THE_EDGE * widths[-1] for w in widths)
    return widths[-1] if unfinished >= 0.6 * len(inner) and level >= 0.8 * len(inner) else None


def _continues(before: _Line, line: _Line, edge: int | None) -> bool:
    if line.after_blank or _ITEM.match(line.text) or _SPEAKER.match(line.text):
        return False
    if edge is not None:
        return width(before.text) >= _SHORT_OF_THE_EDGE * edge
    unfinished = not before.text.endswith(_CLOSED) and width(before.text) >= _WRAPPED_AT_LEAST
    return unfinished and line.text[0].islower()


def _opened(line: _Line, paragraph: int) -> list[Block]:
    if speaker := _SPEAKER.match(line.text):
        label = Block(line.start + speaker.start(1), line.start + speaker.end(1), paragraph)
        return [label, Block(line.start + speaker.end(), line.end, paragraph + 1)]
    mark = _ITEM.match(line.text)
    return [Block(line.start + (mark.end() if mark else 0), line.end, paragraph)]
