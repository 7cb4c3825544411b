"""Reads a section's Markdown into blocks. Raw HTML is text, and a link that is not http, https or mailto is text too.

What Markdown has and the tree has not (images, indented code, link definitions) is read in the nearest form that loses
no word.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.token import Token
from markdown_it.tree import SyntaxTreeNode

from almanac.desks.newsletter.publication.markers import CITATION, with_markers
from almanac.desks.newsletter.publication.spans import SpanLine, Style
from almanac.desks.newsletter.publication.tree import (
    Block,
    Code,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Source,
    Spans,
    Table,
)

_SAFE_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
# Beyond this the parser drops text, so that such a section is read as plain paragraphs instead.
_DEEPEST_PARSED = 60
# Beyond this no format has room left for an indent: what stands deeper moves up to here.
_DEEPEST_PRINTED = 5
_DEEPEST_HEADING = 4


def safe_link(address: str) -> bool:
    """Whether an address may become a link in something that is sent to people."""
    return _SAFE_LINK.fullmatch(address) is not None


@dataclass(slots=True)
class Numbers:
    """Gives each cited source its number at first sight, and keeps the markers that name none."""

    sources: Mapping[str, Source]
    cited: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)

    def of(self, ids: list[str]) -> tuple[int, ...]:
        """The numbers of some ids, ascending and each once."""
        for name in ids:
            if name not in self.sources:
                self.unknown[name] = None
            else:
                self.cited.setdefault(name, len(self.cited) + 1)
        return tuple(sorted({self.cited[name] for name in ids if name in self.cited}))


def read_section(name: str, text: str, numbers: Numbers) -> tuple[Block, ...]:
    """The blocks of a section's text; numbers are given to its markers in the order of reading.

    A heading at the very top that repeats the section's name is left out, since the name is printed anyway.
    """
    parser = _parser()
    tokens = parser.parse(text)
    if any(token.level >= _DEEPEST_PARSED - 1 for token in tokens):
        tokens = [token for piece in re.split(r"\n\s*\n", text) for token in _plain_paragraph(parser, piece)]
    if len(tokens) > 1 and tokens[0].type == "heading_open" and tokens[1].content.casefold() == name.casefold():
        del tokens[:3]
    return tuple(_Reader(numbers).blocks(SyntaxTreeNode(tokens).children, 1))


@cache
def _parser() -> MarkdownIt:
    parser = _Parser("commonmark", {"html": False, "maxNesting": _DEEPEST_PARSED})
    return with_markers(parser.enable("table").disable(["code", "reference"]))


class _Parser(MarkdownIt):
    def validateLink(self, url: str) -> bool:  # noqa: N802 # the parser calls it by this name
        return safe_link(url)


def _plain_paragraph(parser: MarkdownIt, text: str) -> list[Token]:
    return [Token("paragraph_open", "p", 1), *parser.parseInline(text), Token("paragraph_close", "p", -1)]


@dataclass(slots=True)
class _Reader:
    numbers: Numbers
    headings: list[int] = field(default_factory=list)
    """The levels of the headings that stand above, as written: their count is the level that is printed."""

    def blocks(self, nodes: list[SyntaxTreeNode], depth: int) -> Iterator[Block]:
        for node in nodes:
            if depth > _DEEPEST_PRINTED and node.type in {"blockquote", "bullet_list", "ordered_list", "list_item"}:
                yield from self.blocks(node.children, depth)
            else:
                yield self._block(node, depth)

    def _block(self, node: SyntaxTreeNode, depth: int) -> Block:
        match node.type:
            case "bullet_list" | "ordered_list":
                items = tuple(tuple(self.blocks(item.children, depth + 1)) for item in node.children)
                return ListBlock(items, node.type == "ordered_list", int(node.attrs.get("start", 1)))
            case "blockquote":
                return Quote(tuple(self.blocks(node.children, depth + 1)))
            case "table":
                header, *rows = (tuple(self._spans(cell) for cell in row.children) for row in _rows(node))
                return Table(header, tuple(rows))
            case _:
                return self._leaf(node)

    def _leaf(self, node: SyntaxTreeNode) -> Block:
        match node.type:
            case "heading":
                return Heading(self._heading_level(int(node.tag[1])), self._spans(node))
            case "fence":
                return Code(node.content.rstrip("\n"))
            case "hr":
                return Rule()
            case _:
                return Paragraph(self._spans(node))

    def _heading_level(self, written: int) -> int:
        while self.headings and self.headings[-1] >= written:
            self.headings.pop()
        self.headings.append(written)
        return min(len(self.headings), _DEEPEST_HEADING)

    def _spans(self, node: SyntaxTreeNode) -> Spans:
        line = SpanLine()
        for inline in node.children:
            self._write(line, inline.children, Style())
        return line.spans()

    def _write(self, line: SpanLine, nodes: list[SyntaxTreeNode], style: Style) -> None:
        for node in nodes:
            match node.type:
                case "text":
                    line.add(node.content, style)
                case "code_inline":
                    line.add(node.content, style.having(code=True))
                case "softbreak":
                    line.wrap()
                case "hardbreak":
                    line.end_line()
                case "image":
                    line.add(node.content or str(node.attrs["src"]), style.having(link=str(node.attrs["src"])))
                case "strong":
                    self._write(line, node.children, style.having(bold=True))
                case "em":
                    self._write(line, node.children, style.having(italic=True))
                case "link":
                    self._write(line, node.children, style.having(link=str(node.attrs["href"])))
                case name if name == CITATION:
                    line.cite(self.numbers.of(node.meta["ids"]))


def _rows(table: SyntaxTreeNode) -> Iterator[SyntaxTreeNode]:
    for part in table.children:
        yield from part.children
