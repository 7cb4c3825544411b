"""Wraps text to a width in columns, of which a Chinese character takes two; an address is never broken."""

import re
import unicodedata
from functools import cache

# A word, or a single wide character with the punctuation that may not begin a line after it.
_WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(rf"\s+|[{_WIDE}][、。，．：；？！）」』】》”’]*|[^\s{_WIDE}]+")


def wrapped(text: str, width: int) -> list[str]:
    """The lines of a paragraph."""
    lines, line, used = [], "", 0
    for piece in _PIECE.findall(text):
        room = width_of(piece)
        if line and used + room > width and not piece.isspace():
            lines.append(line.rstrip())
            line, used = "", 0
        if line or not piece.isspace():
            line, used = line + piece, used + room
    return [*lines, line.rstrip()] if line.strip() else lines


def width_of(text: str) -> int:
    """The columns that a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


@cache
def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
