"""The types of a publication: its front matter, sections, blocks, spans and references. Data only."""

import datetime as dt
import re
from collections.abc import Iterator
from dataclasses import dataclass

# A number with sign, unit and separators.
_FIGURE = re.compile(r"[^\w]*\d[\d\s.,’']*\W*(?:\w{1,3})?")


@dataclass(frozen=True, slots=True)
class CitedSource:
    """The details of a chunk that a reference list needs."""

    title: str
    source: str = ""
    url: str | None = None
    date: dt.date | None = None


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What is printed around the text. `language` is a tag such as `en`, `zh` or `ms`."""

    title: str
    code: str
    date: dt.date
    language: str = "en"
    organisation: str = ""
    audience: str = ""
    preheader: str = ""


@dataclass(frozen=True, slots=True)
class MarkdownSection:
    """A section as drafted: Markdown with a marker such as `[@chunk-id]` after each sourced sentence."""

    id: str
    name: str
    text: str


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A run of text in one style; a link is http, https or mailto."""

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """References to the list at the end: ascending numbers without duplicates."""

    numbers: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class LineBreak:
    """A line break inside a paragraph."""


Span = TextSpan | Citation | LineBreak
Spans = tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running text."""

    spans: Spans


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a section: 1 is directly below the section's name, and no level is ever skipped."""

    level: int
    spans: Spans


@dataclass(frozen=True, slots=True)
class ListBlock:
    """A bulleted list, or a numbered one that begins at `start`; each item holds blocks."""

    items: tuple[tuple["Block", ...], ...]
    ordered: bool = False
    start: int = 1


@dataclass(frozen=True, slots=True)
class QuoteBlock:
    """A block quotation."""

    blocks: tuple["Block", ...]


@dataclass(frozen=True, slots=True)
class TableBlock:
    """A simple table: one header row, and rows of as many cells."""

    header: tuple[Spans, ...]
    rows: tuple[tuple[Spans, ...], ...]


@dataclass(frozen=True, slots=True)
class HorizontalRule:
    """A thematic break."""


Block = Paragraph | Heading | ListBlock | QuoteBlock | TableBlock | HorizontalRule


@dataclass(frozen=True, slots=True)
class PublishedSection:
    """A named part of the issue."""

    id: str
    name: str
    blocks: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class NumberedReference:
    """An entry of the reference list; `chunk_id` is the id in its markers."""

    number: int
    chunk_id: str
    source: CitedSource


@dataclass(frozen=True, slots=True)
class Publication:
    """A whole issue. `notes` tell a person what couldn't be printed as written."""

    front: FrontMatter
    sections: tuple[PublishedSection, ...]
    references: tuple[NumberedReference, ...]
    notes: tuple[str, ...] = ()


def numeric_columns(table: TableBlock) -> list[bool]:
    """Which columns contain only numbers; they are aligned right."""
    columns = zip(*table.rows, strict=True) if table.rows else ([] for _ in table.header)
    return [bool(cells) and all(_FIGURE.fullmatch(plain_text(cell)) for cell in cells) for cells in columns]


def iterate_spans(blocks: tuple[Block, ...]) -> Iterator[Span]:
    """Every span of the blocks in reading order."""
    for block in blocks:
        match block:
            case Paragraph(spans) | Heading(_, spans):
                yield from spans
            case ListBlock(items):
                for item in items:
                    yield from iterate_spans(item)
            case QuoteBlock(inner):
                yield from iterate_spans(inner)
            case TableBlock(header, rows):
                for row in (header, *rows):
                    for cell in row:
                        yield from cell
            case HorizontalRule():
                pass


def plain_text(spans: Spans) -> str:
    """The text of the spans, without citations."""
    return "".join(
        span.text if isinstance(span, TextSpan) else " " if isinstance(span, LineBreak) else "" for span in spans
    )
