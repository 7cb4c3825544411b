"""Lines of PDF pages put together: paragraphs by distance, headings by size, words that were broken, running heads."""

import re
import statistics
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from almanac.reading.pdf_lines import BROKEN_WORD, Line
from almanac.reading.plain import joined_lines
from almanac.reading.result import Block

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


def paragraphs_of(pages: list[list[Line]]) -> list[Block]:
    """The blocks of a document; a paragraph that runs over the end of a page stays one."""
    kept = without_running_lines(pages)
    everything = [line for page in kept for line in page]
    if not everything:
        return []
    levels = _levels(everything)
    blocks: list[Block] = []
    for number, page in enumerate(kept, 1):
        found = list(_on_page(page, number, levels))
        if blocks and found and _runs_on(blocks[-1], found[0]):
            blocks[-1] = Block(_joined(blocks[-1].text, found[0].text), 0, blocks[-1].page)
            found = found[1:]
        blocks += found
    return [Block(joined_lines(block.text.removesuffix(BROKEN_WORD)), block.level, block.page) for block in blocks]


def without_running_lines(pages: list[list[Line]]) -> list[list[Line]]:
    """Without page numbers and the heads and feet that most pages share, all of which stand apart from the text.

    Lines that are alike and don't stand apart are kept: they are text, and losing it would be worse.
    """
    apart = [_standing_apart(page) for page in pages]
    seen = Counter(_shape(line) for lines in apart for line in lines)
    enough = max(_RUNNING_PAGES, len(pages) // 2)

    def runs(line: Line) -> bool:
        return seen[_shape(line)] >= enough or bool(_PAGE_NUMBER.fullmatch(line.text))

    return [
        [line for line in page if not (line in lines and runs(line))] for page, lines in zip(pages, apart, strict=True)
    ]


def _standing_apart(page: list[Line]) -> list[Line]:
    """The first and last lines of a page that a wide gap separates from the rest."""
    ordered = sorted(page, key=lambda line: -line.bottom)
    wide = _usual_gap(ordered) * _APART_RATIO
    found: list[Line] = []
    for lines in (ordered, ordered[::-1]):
        for number in range(1, min(_EDGE_LINES, len(lines) - 1) + 1):
            if abs(lines[number - 1].bottom - lines[number].bottom) > wide:
                found += lines[:number]
    return found


def _shape(line: Line) -> str:
    return _DIGITS.sub("0", line.text.casefold())


def _usual_size(lines: list[Line]) -> float:
    """The size in which most of the text is set."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[round(line.size, 1)] += len(line.text)
    return sizes.most_common(1)[0][0]


def _levels(lines: list[Line]) -> dict[float, int]:
    """Sizes clearly above the usual one are those of headings, the largest first."""
    body = _usual_size(lines)
    larger = sorted({round(line.size, 1) for line in lines if line.size > body * _HEADING_RATIO}, reverse=True)
    return {size: min(rank, 6) for rank, size in enumerate(larger, 1)}


def _on_page(page: list[Line], number: int, levels: dict[float, int]) -> Iterator[Block]:
    gap, width = _usual_gap(page), max((line.right for line in page), default=0.0)
    text, level, previous = "", 0, None
    for line in page:
        here = levels.get(round(line.size, 1), 0) if len(line.text) <= _HEADING_LIMIT else 0
        if previous is not None and (here != level or _begins(previous, line, gap, width, heading=bool(here))):
            yield Block(text, level, number)
            text = ""
        text = _joined(text, line.text) if text else line.text
        level, previous = here, line
    if text:
        yield Block(text, level, number)


def _usual_gap(page: list[Line]) -> float:
    gaps = [above.bottom - below.bottom for above, below in pairwise(page)]
    usual = [gap for gap in gaps if gap > 0]
    return statistics.median_low(usual) if usual else 0.0


def _begins(previous: Line, line: Line, gap: float, width: float, *, heading: bool) -> bool:
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


def _runs_on(last: Block, first: Block) -> bool:
    return not last.level and not first.level and not last.text.rstrip().endswith(_CLOSED)
