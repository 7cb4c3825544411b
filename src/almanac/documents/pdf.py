"""PDF: lines joined into paragraphs by distance, headings detected by font size, running heads and feet dropped."""

import ctypes
import re
import statistics
from collections import Counter
from collections.abc import Iterator
from datetime import date
from itertools import pairwise
from typing import Any, NamedTuple

from almanac.documents.dates import find_ymd_date
from almanac.documents.model import ParsedDocument, TextBlock, Unreadable
from almanac.documents.plain_text import join_lines
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext, ngettext

pdfium = lazy_module("pypdfium2")
pdfium_c = lazy_module("pypdfium2.raw")

_FEWEST_CHARACTERS = 20
# PDFium puts this in place of a hyphen and the end of the line where a word is broken.
BROKEN_WORD = "\x02"
_MOST_CHARACTERS = 200_000
_LINE_ENDS = frozenset((0x02, 0x0A, 0x0D))
_CLOSED = tuple('.!?。！？…:："”」』)）')
_BULLET = re.compile(r"[•●◦■▪‣–—*-]\s")
_NUMBERED = re.compile(r"\(?(?:\d{1,3}|[a-z])[.)]\s")
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(r"[-–—\s]*(?:page\s*)?\d{1,4}(?:\s*(?:/|of)\s*\d{1,4})?[-–—\s]*", re.IGNORECASE)
_HEADING_RATIO = 1.12
_GAP_RATIO = 1.35
_SHORT_LINE = 0.8
_HEADING_LIMIT = 200
_EDGE_LINES = 2
_APART_RATIO = 1.6
_RUNNING_PAGES = 3


class PdfLine(NamedTuple):
    """One line: its words, the size of its letters, its baseline and its right edge in points."""

    text: str
    size: float
    bottom: float
    right: float


def read_pdf(content: bytes, *, max_pages: int) -> tuple[ParsedDocument, list[str]]:
    """The paragraphs of a PDF with their pages, and what could not be read of it."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise Unreadable(_why(str(error))) from error
    if (count := len(document)) > max_pages:
        raise Unreadable(
            gettext(
                "This PDF has %(count)s pages; at most %(limit)s are read. Split it and add the parts.",
                count=f"{count:,}",
                limit=f"{max_pages:,}",
            )
        )
    pages = [_page_lines(document, number) for number in range(count)]
    blocks = build_paragraphs(pages)
    if sum(len(block.text) for block in blocks) < _FEWEST_CHARACTERS:
        raise Unreadable(
            gettext(
                "This PDF has only images of pages, no text; run it through text recognition (OCR) and add the result."
            )
        )
    return ParsedDocument(blocks=blocks, title=_title(document, blocks), published=_own_date(document)), _empty_pages(
        pages
    )


def _page_lines(document: Any, number: int) -> list[PdfLine]:
    try:
        page = document[number]
        text = page.get_textpage()
    except pdfium.PdfiumError:
        return []
    try:
        return extract_lines(text)
    finally:
        text.close()
        page.close()


def _why(words: str) -> str:
    if "password" in words.lower():
        return gettext("This PDF is protected by a password; remove it and add the file again.")
    return gettext("This PDF is damaged; open it in a viewer, save it again and add that.")


def _empty_pages(pages: list[list[PdfLine]]) -> list[str]:
    empty = [str(number) for number, lines in enumerate(pages, 1) if not lines]
    if not empty:
        return []
    shown, more = ", ".join(empty[:10]), len(empty) - 10
    if more > 0:
        return [
            str(
                gettext(
                    "Pages %(shown)s and %(more)s more: no text, perhaps a scanned picture.", shown=shown, more=more
                )
            )
        ]
    return [
        str(
            ngettext(
                "Page %(shown)s: no text, perhaps a scanned picture.",
                "Pages %(shown)s: no text, perhaps a scanned picture.",
                len(empty),
                shown=shown,
            )
        )
    ]


def _title(document: Any, blocks: list[TextBlock]) -> str:
    """The heading on the first page before the stated title, which is often the name of a template."""
    heading = next((block.text for block in blocks if block.level and block.page == 1), "")
    return heading or join_lines(document.get_metadata_dict().get("Title", ""))


def _own_date(document: Any) -> date | None:
    stated = document.get_metadata_dict()
    return find_ymd_date(stated.get("CreationDate", "")) or find_ymd_date(stated.get("ModDate", ""))


def extract_lines(page: Any) -> list[PdfLine]:
    """The lines of a page from top to bottom, as far as the file keeps that order."""
    count = min(page.count_chars(), _MOST_CHARACTERS)
    codes = [pdfium_c.FPDFText_GetUnicode(page.raw, index) for index in range(count)]
    lines: list[PdfLine] = []
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


def _line(page: Any, codes: list[int], start: int, end: int, broken: str) -> PdfLine:
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
    return PdfLine(words, size if size > 1.5 else top.value - bottom.value, origin_y.value, right.value)


def build_paragraphs(pages: list[list[PdfLine]]) -> list[TextBlock]:
    """The blocks of a document; a paragraph that runs over the end of a page stays one."""
    kept = drop_running_lines(pages)
    everything = [line for page in kept for line in page]
    if not everything:
        return []
    levels = _levels(everything)
    blocks: list[TextBlock] = []
    for number, page in enumerate(kept, 1):
        on_page = list(_on_page(page, number, levels))
        if blocks and on_page and _runs_on(blocks[-1], on_page[0]):
            blocks[-1] = TextBlock(_joined(blocks[-1].text, on_page[0].text), 0, blocks[-1].page)
            on_page = on_page[1:]
        blocks += on_page
    return [TextBlock(join_lines(block.text.removesuffix(BROKEN_WORD)), block.level, block.page) for block in blocks]


def drop_running_lines(pages: list[list[PdfLine]]) -> list[list[PdfLine]]:
    """Without page numbers and the heads and feet that most pages share, all of which stand apart from the text.

    Lines that are alike and don't stand apart are kept: they are text, and losing it would be worse.
    """
    apart = [_standing_apart(page) for page in pages]
    seen = Counter(_shape(line) for lines in apart for line in lines)
    enough = max(_RUNNING_PAGES, len(pages) // 2)

    def runs(line: PdfLine) -> bool:
        return seen[_shape(line)] >= enough or bool(_PAGE_NUMBER.fullmatch(line.text))

    return [
        [line for line in page if not (line in lines and runs(line))] for page, lines in zip(pages, apart, strict=True)
    ]


def _standing_apart(page: list[PdfLine]) -> list[PdfLine]:
    """The first and last lines of a page that a wide gap separates from the rest."""
    ordered = sorted(page, key=lambda line: -line.bottom)
    wide = _usual_gap(ordered) * _APART_RATIO
    apart: list[PdfLine] = []
    for lines in (ordered, ordered[::-1]):
        for number in range(1, min(_EDGE_LINES, len(lines) - 1) + 1):
            if abs(lines[number - 1].bottom - lines[number].bottom) > wide:
                apart += lines[:number]
    return apart


def _shape(line: PdfLine) -> str:
    return _DIGITS.sub("0", line.text.casefold())


def _usual_size(lines: list[PdfLine]) -> float:
    """The size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0]


def _levels(lines: list[PdfLine]) -> dict[float, int]:
    """Sizes clearly above the usual one are those of headings, the largest first."""
    body = _usual_size(lines)
    larger = sorted({round(line.size, 1) for line in lines if line.size > body * _HEADING_RATIO}, reverse=True)
    return {size: min(rank, 6) for rank, size in enumerate(larger, 1)}


def _on_page(page: list[PdfLine], number: int, levels: dict[float, int]) -> Iterator[TextBlock]:
    gap, width = _usual_gap(page), max((line.right for line in page), default=0.0)
    text, level, previous = "", 0, None
    for line in page:
        here = levels.get(round(line.size, 1), 0) if len(line.text) <= _HEADING_LIMIT else 0
        if previous is not None and (here != level or _begins(previous, line, gap, width, heading=bool(here))):
            yield TextBlock(text, level, number)
            text = ""
        text = _joined(text, line.text) if text else line.text
        level, previous = here, line
    if text:
        yield TextBlock(text, level, number)


def _usual_gap(page: list[PdfLine]) -> float:
    gaps = [above.bottom - below.bottom for above, below in pairwise(page)]
    usual = [gap for gap in gaps if gap > 0]
    return statistics.median_low(usual) if usual else 0.0


def _begins(previous: PdfLine, line: PdfLine, gap: float, width: float, *, heading: bool) -> bool:
    """Whether a line begins a new paragraph after the one above it."""
    distance = previous.bottom - line.bottom
    if distance < 0 or distance > max(gap, line.size) * _GAP_RATIO:
        return not (distance < 0 and line.text[:1].islower())
    if heading:
        return False
    ended = previous.text.endswith(_CLOSED)
    if _BULLET.match(line.text) or (ended and _NUMBERED.match(line.text)):
        return True
    return ended and previous.right < width * _SHORT_LINE


def _joined(above: str, below: str) -> str:
    """Two lines as one; a word that was broken between them is whole again."""
    if above.endswith(BROKEN_WORD) or (
        above.endswith(("-", "\xad")) and above[-2:-1].isalpha() and below[:1].islower()
    ):
        return above[:-1] + below
    return f"{above}\n{below}"


def _runs_on(last: TextBlock, first: TextBlock) -> bool:
    return not last.level and not first.level and not last.text.rstrip().endswith(_CLOSED)
