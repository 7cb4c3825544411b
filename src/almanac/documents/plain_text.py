"""Plain text: paragraphs by blank lines, with lines that were wrapped at a fixed width put together again."""

import re

from almanac.documents.model import ParsedDocument, TextBlock
from almanac.language.blocks import split_blocks

_RUN = re.compile(r"\s+")
_CJK = re.compile(r"[\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]")
_SPACE = re.compile(r"[^\S\u3000]+")
_TITLE_LIMIT = 120


def read_plain_text(text: str) -> ParsedDocument:
    """The paragraphs of a text; a short first line that ends without a stop is its title."""
    paragraphs = [TextBlock(join_lines(text[block.start : block.end])) for block in split_blocks(text)]
    title = ""
    if (
        len(paragraphs) > 1
        and len(paragraphs[0].text) <= _TITLE_LIMIT
        and not paragraphs[0].text.endswith((".", "。", "!", "?", ":"))
    ):
        title = paragraphs[0].text
        paragraphs = [TextBlock(title, 1), *paragraphs[1:]]
    return ParsedDocument(blocks=paragraphs, title=title)


def join_lines(text: str) -> str:
    """One paragraph on one line; between Chinese or Japanese characters a line break is no space."""
    if "\n" in text and not text.isascii():
        return _RUN.sub(_between, text).strip()
    return _SPACE.sub(" ", text).strip()


def _between(run: re.Match[str]) -> str:
    text, start, end = run.string, run.start(), run.end()
    if "\n" not in run[0]:
        return _SPACE.sub(" ", run[0])
    return "" if start and _CJK.match(text, start - 1) and _CJK.match(text, end) else " "
