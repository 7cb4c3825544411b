"""Renders plain text, wrapped to 72 columns, with numbered references at the end."""

import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat, build_export_file
from almanac.desks.newsletter.formats.labels import REFERENCES, issue_details, lead_text, source_details
from almanac.desks.newsletter.formats.publication import (
    Block,
    Citation,
    Heading,
    HorizontalRule,
    LineBreak,
    ListBlock,
    NumberedReference,
    Paragraph,
    Publication,
    QuoteBlock,
    Span,
    Spans,
    TableBlock,
    TextSpan,
)
from almanac.kit.messages import translate

# A word, or a single wide character with the punctuation that may not start the next line.
_WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_PIECE = re.compile(rf"\s+|[{_WIDE}][、。，．：；？！）」』】》”’]*|[^\s{_WIDE}]+")
_WIDTH = 72


def wrap_text(text: str, width: int) -> list[str]:
    """The lines of a paragraph. Chinese characters take two columns; an address is never broken."""
    lines, line, used = [], "", 0
    for piece in _PIECE.findall(text):
        room = text_width(piece)
        if line and used + room > width and not piece.isspace():
            lines.append(line.rstrip())
            line, used = "", 0
        if line or not piece.isspace():
            line, used = line + piece, used + room
    return [*lines, line.rstrip()] if line.strip() else lines


def text_width(text: str) -> int:
    """The number of columns that a text takes."""
    return len(text) if text.isascii() else sum(map(_width, text))


@cache
def _width(character: str) -> int:
    if unicodedata.combining(character):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def write_text(publication: Publication) -> ExportFile:
    """The issue as a text file."""
    return build_export_file(ExportFormat.TEXT, render_text(publication).encode(), publication)


def render_text(publication: Publication) -> str:
    """The issue as text."""
    return "\n".join(_issue(publication)).rstrip() + "\n"


def _issue(publication: Publication) -> Iterator[str]:
    front = publication.front
    yield from _underlined(front.title, "=")
    yield from wrap_text(" · ".join(filter(None, (front.organisation, *issue_details(front)))), _WIDTH)
    if lead := lead_text(publication):
        yield from ("", *wrap_text(lead, _WIDTH))
    for section in publication.sections:
        yield from ("", "", *_underlined(section.name, "-"))
        for block in section.blocks:
            yield ""
            yield from _block(block, _WIDTH)
    if publication.references:
        yield from ("", "", *_underlined(translate(REFERENCES, front.language), "-"))
        for reference in publication.references:
            yield ""
            yield from _reference(reference, front.language)


def _underlined(title: str, mark: str) -> Iterator[str]:
    lines = wrap_text(title, _WIDTH)
    yield from lines
    yield mark * max(map(text_width, lines), default=0)


def _block(block: Block, width: int) -> Iterator[str]:
    match block:
        case Paragraph(spans) | Heading(_, spans):
            for line in _text(spans).split("\n"):
                yield from wrap_text(line, width)
        case ListBlock(items, ordered, start):
            for number, item in enumerate(items, start):
                yield from _indented(_blocks(item, width - 4), f"{number}. " if ordered else "- ")
        case QuoteBlock(blocks):
            for line in _blocks(blocks, width - 2):
                yield f"> {line}".rstrip()
        case TableBlock(header, rows):
            yield from _table([[_text(cell) for cell in row] for row in (header, *rows)], width)
        case HorizontalRule():
            yield "* * *"


def _blocks(blocks: tuple[Block, ...], width: int) -> Iterator[str]:
    for place, block in enumerate(blocks):
        if place and not isinstance(block, ListBlock):
            yield ""
        yield from _block(block, max(width, 20))


def _indented(lines: Iterator[str], mark: str) -> Iterator[str]:
    indent = " " * len(mark)
    for place, line in enumerate(lines):
        yield (f"{indent if place else mark}{line}").rstrip()


def _text(spans: Spans) -> str:
    return "".join(map(_span, spans)).strip()


def _span(span: Span) -> str:
    match span:
        case Citation(numbers):
            return f" [{', '.join(map(str, numbers))}]"
        case LineBreak():
            return "\n"
        case TextSpan(text, link=link):
            address = (link or "").removeprefix("mailto:")
            return text if not link or address in text or link in text else f"{text} <{address}>"


def _table(rows: list[list[str]], width: int) -> Iterator[str]:
    """Columns side by side if they fit, otherwise each cell below the name of its column."""
    widths = [max(map(text_width, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= width:
        for row in rows:
            yield "  ".join(
                cell + " " * (space - text_width(cell)) for cell, space in zip(row, widths, strict=True)
            ).rstrip()
        return
    header, *body = rows
    for row in body or [[""] * len(header)]:
        cells = [
            line for name, cell in zip(header, row, strict=True) for line in wrap_text(f"{name}: {cell}", width - 2)
        ]
        yield from _indented(iter(cells), "- ")


def _reference(reference: NumberedReference, language: str) -> Iterator[str]:
    mark = f"[{reference.number}] "
    line = " · ".join((reference.source.title, *source_details(reference.source, language)))
    yield from _indented(iter(wrap_text(line, _WIDTH - len(mark))), mark)
    if reference.source.url:
        yield " " * len(mark) + reference.source.url
