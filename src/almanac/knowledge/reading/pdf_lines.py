"""The lines of a PDF page with their place and size, as PDFium tells them."""

import ctypes
from typing import Any, NamedTuple

from almanac.kit.lazy import lazy_module

pdfium = lazy_module("pypdfium2")
pdfium_c = lazy_module("pypdfium2.raw")

# PDFium marks a hyphen at the end of a line with this character.
BROKEN_WORD = "\x02"
_LONGEST_PAGE = 200_000


class Line(NamedTuple):
    """One line: its words, the size of its letters, and its top, bottom and right edge in points."""

    text: str
    size: float
    top: float
    bottom: float
    right: float


def lines_of(page: Any) -> list[Line]:
    """The lines of a page from top to bottom, as far as the file keeps that order."""
    text = page.get_text_range(0, min(page.count_chars(), _LONGEST_PAGE), errors="ignore")
    lines: list[Line] = []
    at = 0
    for raw in text.split("\n"):
        line = raw.rstrip("\r")
        if words := line.strip():
            first = at + len(line) - len(line.lstrip())
            lines.append(_line(page, words, first, at + len(line.rstrip()) - 1))
        at += len(raw) + 1
    return lines


def _line(page: Any, words: str, first: int, last: int) -> Line:
    size = float(pdfium_c.FPDFText_GetFontSize(page.raw, first))
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium_c.FPDFText_GetCharBox(page.raw, first, left, right, bottom, top)
    edge = ctypes.c_double()
    pdfium_c.FPDFText_GetCharBox(page.raw, last, left, edge, ctypes.c_double(), ctypes.c_double())
    origin_x, origin_y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(page.raw, first, origin_x, origin_y)
    height = top.value - bottom.value
    return Line(words, size if size > 1.5 else height, origin_y.value + (size or height), origin_y.value, edge.value)
