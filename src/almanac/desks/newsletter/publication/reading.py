"""Reads a section's Markdown into blocks, and numbers its references in the order of reading.

What Markdown has and the tree has not (images, blocks of code, link definitions, wide tables) is read in the nearest
form that loses no word.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from almanac.desks.newsletter.publication.markers import CITATION
from almanac.desks.newsletter.publication.parsing import Node, parse
from almanac.desks.newsletter.publication.spans import SpanLine, Style, join
from almanac.desks.newsletter.publication.tree import (
    Block,
    Heading,
    ListBlock,
    Paragraph,
    Quote,
    Rule,
    Source,
    Spans,
    Table,
)

# Beyond this no format has room left for an indent: what stands deeper moves up to here.
_DEEPEST = 5
_DEEPEST_HEADING = 4
_WIDEST = 6
_CONTAINERS = {"blockquote", "bullet_list", "ordered_list", "list_item"}


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
    """The blocks of a section's text.

    A heading at the very top that repeats the section's name is left out, since the name is printed anyway.
    """
    nodes = parse(text)
    if nodes and nodes[0].type == "heading" and nodes[0].children[0].content.casefold() == name.casefold():
        del nodes[0]
    return tuple(_Reader(numbers).blocks(nodes, 1))


@dataclass(slots=True)
class _Reader:
    numbers: Numbers
    headings: list[int] = field(default_factory=list)
    """The levels of the headings that stand above, as written: their count is the level that is printed."""

    def blocks(self, nodes: list[Node], depth: int) -> Iterator[Block]:
        for node in nodes:
            if depth > _DEEPEST and node.type in _CONTAINERS:
                yield from self.blocks(node.children, depth)
            elif block := self._block(node, depth):
                yield block

    def _block(self, node: Node, depth: int) -> Block | None:
        match node.type:
            case "bullet_list" | "ordered_list":
                items = tuple(tuple(self.blocks(item.children, depth + 1)) for item in node.children)
                return ListBlock(items, node.type == "ordered_list", node.start)
            case "blockquote":
                inner = tuple(self.blocks(node.children, depth + 1))
                return Quote(inner) if inner else None
            case "table":
                header, *rows = (tuple(self._spans(cell) for cell in row.children) for row in _rows(node))
                return Table(header, tuple(rows)) if len(header) <= _WIDEST else _as_list(header, rows)
            case _:
                return self._leaf(node)

    def _leaf(self, node: Node) -> Block | None:
        match node.type:
            case "heading":
                spans = self._spans(node)
                return Heading(self._heading_level(node.heading_level), spans) if spans else None
            case "hr":
                return Rule()
            case _:
                spans = self._spans(node)
                return Paragraph(spans) if spans else None

    def _heading_level(self, written: int) -> int:
        while self.headings and self.headings[-1] >= written:
            self.headings.pop()
        self.headings.append(written)
        return min(len(self.headings), _DEEPEST_HEADING)

    def _spans(self, node: Node) -> Spans:
        line = SpanLine()
        for inline in node.children:
            self._write(line, inline.children, Style())
        return line.spans()

    def _write(self, line: SpanLine, nodes: list[Node], style: Style) -> None:
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
                    line.add(node.content or node.address, style.having(link=node.address))
                case "strong":
                    self._write(line, node.children, style.having(bold=True))
                case "em":
                    self._write(line, node.children, style.having(italic=True))
                case "link":
                    self._write(line, node.children, style.having(link=node.address))
                case name if name == CITATION:
                    line.cite(self.numbers.of(node.ids))


def _as_list(header: tuple[Spans, ...], rows: list[tuple[Spans, ...]]) -> ListBlock:
    """A table that is too wide for a page: an item for each row, in which each cell is named by its column."""
    lines = [[join(name, cell) for name, cell in zip(header, row, strict=True)] for row in rows] or [list(header)]
    return ListBlock(tuple(tuple(Paragraph(spans) for spans in line if spans) for line in lines))


def _rows(table: Node) -> Iterator[Node]:
    for part in table.children:
        yield from part.children
