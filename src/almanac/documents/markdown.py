"""Markdown: headings, paragraphs, items and rows, without their marks; what a front matter says of title and date."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from almanac.documents.dates import find_ymd_date
from almanac.documents.html import html_blocks
from almanac.documents.model import ParsedDocument, TextBlock
from almanac.documents.plain_text import join_lines
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    from markdown_it.token import Token

markdown_it = lazy_module("markdown_it")

_FRONT = re.compile(r"\A---[ \t]*\n(.{0,5000}?)\n(?:---|\.\.\.)[ \t]*\n", re.DOTALL)
_FIELD = re.compile(r"^(title|date|published)[ \t]*:[ \t]*(.+?)[ \t]*$", re.MULTILINE | re.IGNORECASE)


def read_markdown(text: str) -> ParsedDocument:
    """The blocks of a Markdown text; the title is that of the front matter or the first heading."""
    front = _FRONT.match(text)
    fields = {name.lower(): value.strip("\"'") for name, value in _FIELD.findall(front[1])} if front else {}
    body = text[front.end() :] if front else text
    tokens = markdown_it.MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(body)
    blocks = list(_blocks(tokens))
    heading = next((block.text for block in blocks if block.level), "")
    published = find_ymd_date(fields.get("date") or fields.get("published") or "")
    return ParsedDocument(blocks=blocks, title=fields.get("title") or heading, published=published)


def _blocks(tokens: list["Token"]) -> Iterator[TextBlock]:
    level = 0
    cells: list[str] | None = None
    for token in tokens:
        if token.type == "heading_open":
            level = int(token.tag[1:])
        elif token.type == "heading_close":
            level = 0
        elif token.type == "tr_open":
            cells = []
        elif token.type == "tr_close" and cells is not None:
            yield TextBlock(" | ".join(cell for cell in cells if cell))
            cells = None
        elif token.type == "inline":
            text = join_lines(_inline_text(token))
            if cells is not None:
                cells.append(text)
            elif text:
                yield TextBlock(text, level)
        elif token.type == "html_block":
            yield from html_blocks(token.content)
        elif token.type in ("fence", "code_block") and token.content.strip():
            yield TextBlock(join_lines(token.content))


def _inline_text(token: "Token") -> str:
    """What a reader sees of a line: words, the names of links and pictures, and code."""
    shown: list[str] = []
    for child in token.children or ():
        if child.type in ("softbreak", "hardbreak"):
            shown.append("\n")
        elif child.type == "image":
            shown.append(_inline_text(child))
        elif child.type in ("text", "code_inline"):
            shown.append(child.content)
    return "".join(shown)
