"""Parses the Markdown of a section into blocks, with citations numbered in reading order.

Raw HTML and unsafe links stay text. What the blocks can't represent (images, code blocks, wide tables) is converted to
the nearest form that keeps every word.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING

from almanac.desks.newsletter.formats.publication import (
    Block,
    Citation,
    CitedSource,
    Heading,
    HorizontalRule,
    LineBreak,
    ListBlock,
    Paragraph,
    QuoteBlock,
    Span,
    Spans,
    TableBlock,
    TextSpan,
)
from almanac.kit.lazy import lazy_module
from almanac.verify.markers import OWN

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.rules_inline import StateInline
if TYPE_CHECKING:
    import markdown_it
    from markdown_it import MarkdownIt
    from markdown_it.token import Token
else:
    markdown_it = lazy_module("markdown_it")

CITATION = "citation"

_ID = r"[^\s\[\]@;,]+"
_MARKER = re.compile(rf"\[\s*@({_ID}(?:\s*[;,]\s*@{_ID})*)\s*\]")
_BETWEEN = re.compile(r"\s*[;,]\s*@")
_SAFE_LINK = re.compile(r"(?:https?://|mailto:)\S+", re.IGNORECASE)
# The parser drops deeper text, so such a text is parsed as plain paragraphs instead.
_MAX_NESTING = 60
# Formats have no room for deeper indents; deeper blocks move up to this level.
_MAX_DEPTH = 5
_MAX_HEADING_LEVEL = 4
_WIDEST = 6
_CONTAINERS = {"blockquote", "bullet_list", "ordered_list", "list_item"}


def enable_markers(parser: "MarkdownIt") -> "MarkdownIt":
    """Make the parser read `[@id]` markers before links, which start with the same character."""
    parser.inline.ruler.before("link", CITATION, _marker)
    return parser


def _marker(state: "StateInline", silent: bool) -> bool:
    match = _MARKER.match(state.src, state.pos, state.posMax)
    if not match:
        return False
    if not silent:
        state.push(CITATION, "", 0).meta = {"ids": _BETWEEN.split(match[1])}
    state.pos = match.end()
    return True


@dataclass(slots=True)
class MarkdownNode:
    """A parsed token and the tokens inside it."""

    type: str
    token: "Token"
    children: list["MarkdownNode"] = field(default_factory=list)

    @property
    def content(self) -> str:
        """The text of a leaf."""
        return self.token.content

    @property
    def heading_level(self) -> int:
        """The level of a heading, from 1 to 6."""
        return int(self.token.tag[1])

    @property
    def address(self) -> str:
        """The target of a link or an image."""
        return str(self.token.attrs.get("href") or self.token.attrs.get("src", ""))

    @property
    def start(self) -> int:
        """The first number of a numbered list."""
        return int(self.token.attrs.get("start", 1))

    @property
    def ids(self) -> list[str]:
        """The ids that a marker names."""
        return list(self.token.meta.get("ids", []))


def is_safe_link(address: str) -> bool:
    """Whether an address is http, https or mailto."""
    return _SAFE_LINK.fullmatch(address) is not None


def parse_nodes(text: str) -> list[MarkdownNode]:
    """The text as a tree of nodes, blocks outermost."""
    parser = _parser()
    tokens = parser.parse(text)
    if any(token.level >= _MAX_NESTING - 1 for token in tokens):
        return [MarkdownNode("paragraph", *_inline(parser, piece)) for piece in re.split(r"\n\s*\n", text)]
    return list(_nested(iter(tokens)))


@cache
def _parser() -> "MarkdownIt":
    parser = markdown_it.MarkdownIt("commonmark", {"html": False, "maxNesting": _MAX_NESTING})
    parser.validateLink = is_safe_link  # type: ignore[method-assign,assignment] # the documented way to set it
    return enable_markers(parser.enable("table").disable(["code", "fence", "reference"]))


def _inline(parser: "MarkdownIt", text: str) -> tuple["Token", list[MarkdownNode]]:
    (token,) = parser.parseInline(text)
    return token, [MarkdownNode("inline", token, list(_nested(iter(token.children or ()))))]


def _nested(tokens: Iterator["Token"]) -> Iterator[MarkdownNode]:
    """The nodes up to the end, or up to the token that closes the enclosing one."""
    for token in tokens:
        if token.nesting < 0:
            return
        if token.nesting > 0:
            yield MarkdownNode(token.type.removesuffix("_open"), token, list(_nested(tokens)))
        else:
            # The children of an image repeat its description, which is also its content.
            inner = token.children if token.type == "inline" and token.children else ()
            yield MarkdownNode(token.type, token, list(_nested(iter(inner))))


@dataclass(frozen=True, slots=True)
class TextStyle:
    """The style of the next run of text."""

    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str | None = None

    def having(
        self, *, bold: bool = False, italic: bool = False, code: bool = False, link: str | None = None
    ) -> "TextStyle":
        """This style with more properties."""
        return TextStyle(self.bold or bold, self.italic or italic, self.code or code, link or self.link)


@dataclass(slots=True)
class SpanBuilder:
    """Collects the spans of a line; `spans()` returns them without space at either end."""

    _spans: list[Span] = field(default_factory=list)
    _wrapped: bool = False

    def add(self, text: str, style: TextStyle) -> None:
        """Add a run of text, joined to the previous one if the style is the same."""
        if not text:
            return
        if self._wrapped:
            self._wrapped = False
            if not (_is_wide(self._last_character()) and _is_wide(text[0])):
                text = " " + text
        run = TextSpan(text, style.bold, style.italic, style.code, style.link)
        last = self._spans[-1] if self._spans else None
        if isinstance(last, TextSpan) and replace(last, text=text) == run:
            self._spans[-1] = replace(last, text=last.text + text)
        else:
            self._spans.append(run)

    def wrap(self) -> None:
        """The source continues on the next line: a space, but none between two Chinese characters."""
        self._wrapped = True

    def end_line(self) -> None:
        """Add a hard line break."""
        self._trim_end()
        self._wrapped = False
        self._spans.append(LineBreak())

    def cite(self, numbers: tuple[int, ...]) -> None:
        """Cite sources for the text before; adjacent citations become one."""
        self._trim_end()
        if self._spans and isinstance(last := self._spans[-1], Citation):
            self._spans[-1] = Citation(tuple(sorted({*last.numbers, *numbers})))
        elif numbers:
            self._spans.append(Citation(numbers))

    def spans(self) -> Spans:
        """The spans so far."""
        self._trim_end()
        return tuple(self._spans)

    def _trim_end(self) -> None:
        if self._spans and isinstance(last := self._spans[-1], TextSpan) and not last.code:
            if kept := last.text.rstrip():
                self._spans[-1] = replace(last, text=kept)
            else:
                self._spans.pop()

    def _last_character(self) -> str:
        last = self._spans[-1] if self._spans else None
        return last.text[-1] if isinstance(last, TextSpan) else ""


def join_spans(name: Spans, value: Spans) -> Spans:
    """The spans of `name: value`."""
    return (*name, TextSpan(": "), *value) if name and value else name or value


def _is_wide(character: str) -> bool:
    return bool(character) and unicodedata.east_asian_width(character) in "WF"


@dataclass(slots=True)
class CitationNumbers:
    """Numbers each cited source at its first citation, and collects markers that name no source."""

    sources: Mapping[str, CitedSource]
    cited: dict[str, int] = field(default_factory=dict)
    unknown: dict[str, None] = field(default_factory=dict)

    def numbers_for(self, ids: list[str]) -> tuple[int, ...]:
        """The numbers of these ids, ascending and without duplicates; an editor's own sentence has none."""
        for name in ids:
            if name == OWN:
                continue
            if name not in self.sources:
                self.unknown[name] = None
            else:
                self.cited.setdefault(name, len(self.cited) + 1)
        return tuple(sorted({self.cited[name] for name in ids if name in self.cited}))


def parse_section(name: str, text: str, numbers: CitationNumbers) -> tuple[Block, ...]:
    """The blocks of a section's text.

    A heading at the top that repeats the section's name is left out, since the name is printed anyway.
    """
    nodes = parse_nodes(text)
    if nodes and nodes[0].type == "heading" and nodes[0].children[0].content.casefold() == name.casefold():
        del nodes[0]
    return tuple(_join_table_references(_SectionParser(numbers).blocks(nodes, 1)))


@dataclass(slots=True)
class _SectionParser:
    numbers: CitationNumbers
    headings: list[int] = field(default_factory=list)
    """The levels of the enclosing headings as written; their count is the level that is printed."""

    def blocks(self, nodes: list[MarkdownNode], depth: int) -> Iterator[Block]:
        for node in nodes:
            if depth > _MAX_DEPTH and node.type in _CONTAINERS:
                yield from self.blocks(node.children, depth)
            elif block := self._block(node, depth):
                yield block

    def _block(self, node: MarkdownNode, depth: int) -> Block | None:
        match node.type:
            case "bullet_list" | "ordered_list":
                items = tuple(tuple(self.blocks(item.children, depth + 1)) for item in node.children)
                return ListBlock(items, node.type == "ordered_list", node.start)
            case "blockquote":
                inner = tuple(self.blocks(node.children, depth + 1))
                return QuoteBlock(inner) if inner else None
            case "table":
                header, *rows = (tuple(self._spans(cell) for cell in row.children) for row in _rows(node))
                rows = _join_references(rows)
                return TableBlock(header, tuple(rows)) if len(header) <= _WIDEST else _table_as_list(header, rows)
            case _:
                return self._leaf(node)

    def _leaf(self, node: MarkdownNode) -> Block | None:
        match node.type:
            case "heading":
                spans = self._spans(node)
                return Heading(self._heading_level(node.heading_level), spans) if spans else None
            case "hr":
                return HorizontalRule()
            case _:
                spans = self._spans(node)
                return Paragraph(spans) if spans else None

    def _heading_level(self, written: int) -> int:
        while self.headings and self.headings[-1] >= written:
            self.headings.pop()
        self.headings.append(written)
        return min(len(self.headings), _MAX_HEADING_LEVEL)

    def _spans(self, node: MarkdownNode) -> Spans:
        line = SpanBuilder()
        for inline in node.children:
            self._write(line, inline.children, TextStyle())
        return line.spans()

    def _write(self, line: SpanBuilder, nodes: list[MarkdownNode], style: TextStyle) -> None:
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
                    line.cite(self.numbers.numbers_for(node.ids))


def _join_references(rows: list[tuple[Spans, ...]]) -> list[tuple[Spans, ...]]:
    """A last row of nothing but references goes to the end of the row before it: it is the table's reference."""
    if len(rows) < 2 or not _is_references(span for cell in rows[-1] for span in cell):
        return rows
    return _with_references(rows[:-1], tuple(span for cell in rows[-1] for span in cell))


def _join_table_references(blocks: Iterable[Block]) -> Iterator[Block]:
    """A paragraph of nothing but references below a table goes to the end of the table."""
    table: TableBlock | None = None
    for block in blocks:
        if table is not None and isinstance(block, Paragraph) and _is_references(block.spans):
            yield TableBlock(table.header, tuple(_with_references(list(table.rows), block.spans)))
            table = None
            continue
        if table is not None:
            yield table
        table = block if isinstance(block, TableBlock) and block.rows else None
        if table is None:
            yield block
    if table is not None:
        yield table


def _with_references(rows: list[tuple[Spans, ...]], references: Spans) -> list[tuple[Spans, ...]]:
    *cells, last = rows[-1]
    return [*rows[:-1], (*cells, (*last, *references))]


def _is_references(spans: Iterable[Span]) -> bool:
    return all(isinstance(span, Citation) for span in spans)


def _table_as_list(header: tuple[Spans, ...], rows: list[tuple[Spans, ...]]) -> ListBlock:
    """A table that is too wide for a page as a list: one item per row, each cell named by its column."""
    lines = [[join_spans(name, cell) for name, cell in zip(header, row, strict=True)] for row in rows] or [list(header)]
    return ListBlock(tuple(tuple(Paragraph(spans) for spans in line if spans) for line in lines))


def _rows(table: MarkdownNode) -> Iterator[MarkdownNode]:
    for part in table.children:
        yield from part.children
