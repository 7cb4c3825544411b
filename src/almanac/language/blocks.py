"""A text split into blocks that no sentence crosses: paragraphs, headings, list items, speaker labels.

Lines that were wrapped at a fixed width are joined again.
"""

import re
import string
from itertools import pairwise
from typing import NamedTuple

from almanac.language.scripts import display_width

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
_SENTENCE_ENDS = tuple('。．！？.!?…」』”"’)）】:：;；」')
_WRAPPED_AT_MOST = 120
_WRAPPED_AT_LEAST = 40
_FULL_LINE_SHARE = 0.62


class ParagraphBlock(NamedTuple):
    """The characters of a text from `start` to `end`, and the number of their paragraph."""

    start: int
    end: int
    paragraph: int


class _Line(NamedTuple):
    start: int
    end: int
    text: str
    after_blank: bool


def split_blocks(text: str) -> list[ParagraphBlock]:
    """The blocks of a text in order, without list markers and surrounding white space."""
    lines = _lines(text)
    wrap_width = _wrap_width(lines)
    blocks: list[ParagraphBlock] = []
    previous: _Line | None = None
    for line in lines:
        if previous is not None and _continues(previous, line, wrap_width):
            blocks[-1] = blocks[-1]._replace(end=line.end)
        else:
            blocks += _new_blocks(line, blocks[-1].paragraph + 1 if blocks else 0)
        previous = line
    return [block for block in blocks if block.start < block.end]


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


def _wrap_width(lines: list[_Line]) -> int | None:
    """The width at which lines were wrapped, or None if each line is a paragraph of its own."""
    inner = [before for before, after in pairwise(lines) if not after.after_blank]
    widths = sorted(display_width(line.text) for line in inner)
    if len(inner) < max(2, len(lines) / 2) or not _WRAPPED_AT_LEAST <= widths[-1] <= _WRAPPED_AT_MOST:
        return None
    unfinished = sum(not line.text.endswith(_SENTENCE_ENDS) for line in inner)
    level = sum(w >= _FULL_LINE_SHARE * widths[-1] for w in widths)
    return widths[-1] if unfinished >= 0.6 * len(inner) and level >= 0.8 * len(inner) else None


def _continues(before: _Line, line: _Line, wrap_width: int | None) -> bool:
    if line.after_blank or _ITEM.match(line.text) or _SPEAKER.match(line.text):
        return False
    if wrap_width is not None:
        return display_width(before.text) >= _FULL_LINE_SHARE * wrap_width
    unfinished = not before.text.endswith(_SENTENCE_ENDS) and display_width(before.text) >= _WRAPPED_AT_LEAST
    return unfinished and line.text[0].islower()


def _new_blocks(line: _Line, paragraph: int) -> list[ParagraphBlock]:
    if speaker := _SPEAKER.match(line.text):
        label = ParagraphBlock(line.start + speaker.start(1), line.start + speaker.end(1), paragraph)
        return [label, ParagraphBlock(line.start + speaker.end(), line.end, paragraph + 1)]
    mark = _ITEM.match(line.text)
    return [ParagraphBlock(line.start + (mark.end() if mark else 0), line.end, paragraph)]
