"""The lines of a PDF page with their place and size, as PDFium tells them."""

import ctypes
from typing import Any, NamedTuple

from almanac.kit.lazy import lazy_module

pdfium = lazy_module("pypdfium2")
pdfium_c = lazy_module("pypdfium2.raw")

# PDFium puts this in place of a hyphen and the end of the line where a word is broken.
BROKEN_WORD = "\x02"
_MOST_CHARACTERS = 200_000
_LINE_ENDS = frozenset((0x02, 0x0A, 0x0D))


class Line(NamedTuple):
    """One line: its words, the size of its letters, its baseline and its right edge in points."""

    text: str
    size: float
    bottom: float
    right: float


def lines_of(page: Any) -> list[Line]:
    """The lines of a page from top to bottom, as far as the file keeps that order."""
    count = min(page.count_chars(), _MOST_CHARACTERS)
    codes = [pdfium_c.FPDFText_GetUnicode(page.raw, index) for index in range(count)]
    lines: list[Line] = []
    start = 0
    for index, code in enumerate([*codes, 0x0A]):
        if code in _LINE_ENDS:
            broken = BROKEN_WORD if code == ord(BROKEN_WORD) else ""
            if any(_is_ink(inner) for inner in codes[start:index]):
                lines.append(_line(page, codes, start, index, broken))
            start = index + 1
    return lines


def _is_ink(code: int) -> bool:
    return code > 0x20 and code not in (0xA0, 0x3000)


def _line(page: Any, codes: list[int], start: int, end: int, broken: str) -> Line:
    first = next(index for index in range(start, end) if _is_ink(codes[index]))
    last = next(index for index in range(end - 1, start - 1, -1) if _is_ink(codes[index]))
    text = "".join(chr(code) for code in codes[first : last + 1] if code)
    # Characters beyond the basic plane come as pairs.
    words = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") + broken
    size = float(pdfium_c.FPDFText_GetFontSize(page.raw, first))
    left, right, bottom, top = (ctypes.c_double() for _ in range(4))
    pdfium_c.FPDFText_GetCharBox(page.raw, last, left, right, bottom, top)
    origin_x, origin_y = ctypes.c_double(), ctypes.c_double()
    pdfium_c.FPDFText_GetCharOrigin(page.raw, first, origin_x, origin_y)
    # A page that scales its text says 1 for every size; the height of a letter tells more then.
    return Line(words, size if size > 1.5 else top.value - bottom.value, origin_y.value, right.value)
