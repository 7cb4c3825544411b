"""Writes plain text: the text part of a mail, wrapped for any reader, with numbered references at the end."""

from collections.abc import Iterator

from almanac.desks.newsletter.exports.facts import facts_of_issue, facts_of_source, lead_of
from almanac.desks.newsletter.exports.model import Export, Format, export_as
from almanac.desks.newsletter.exports.words import words_in
from almanac.desks.newsletter.exports.wrapping import width_of, wrapped
from almanac.desks.newsletter.publication import (
    Block,
    Citation,
    Heading,
    LineBreak,
    ListBlock,
    Paragraph,
    Publication,
    Quote,
    Reference,
    Rule,
    Span,
    Table,
    Text,
)
from almanac.desks.newsletter.publication.tree import Spans

_WIDTH = 72


def write_text(publication: Publication) -> Export:
    """The issue as a text file."""
    return export_as(Format.TEXT, text_of(publication).encode(), publication)


def text_of(publication: Publication) -> str:
    """The issue as text."""
    return "\n".join(_issue(publication)).rstrip() + "\n"


def _issue(publication: Publication) -> Iterator[str]:
    front = publication.front
    yield from _underlined(front.title, "=")
    yield from wrapped(" · ".join(filter(None, (front.organisation, *facts_of_issue(front)))), _WIDTH)
    if lead := lead_of(publication):
        yield from ("", *wrapped(lead, _WIDTH))
    for section in publication.sections:
        yield from ("", "", *_underlined(section.name, "-"))
        for block in section.blocks:
            yield ""
            yield from _block(block, _WIDTH)
    if publication.references:
        yield from ("", "", *_underlined(words_in(front.language).references, "-"))
        for reference in publication.references:
            yield ""
            yield from _reference(reference, front.language)


def _underlined(title: str, mark: str) -> Iterator[str]:
    lines = wrapped(title, _WIDTH)
    yield from lines
    yield mark * max(map(width_of, lines), default=0)


def _block(block: Block, width: int) -> Iterator[str]:
    match block:
        case Paragraph(spans) | Heading(_, spans):
            for line in _text(spans).split("\n"):
                yield from wrapped(line, width)
        case ListBlock(items, ordered, start):
            for number, item in enumerate(items, start):
                yield from _indented(_blocks(item, width - 4), f"{number}. " if ordered else "- ")
        case Quote(blocks):
            for line in _blocks(blocks, width - 2):
                yield f"> {line}".rstrip()
        case Table(header, rows):
            yield from _table([[_text(cell) for cell in row] for row in (header, *rows)], width)
        case Rule():
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
        case Text(text, link=link):
            address = (link or "").removeprefix("mailto:")
            return text if not link or address in text or link in text else f"{text} <{address}>"


def _table(rows: list[list[str]], width: int) -> Iterator[str]:
    """Columns side by side where they fit, or else each cell below the name of its column."""
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    if sum(widths) + 2 * len(widths) <= width:
        for row in rows:
            yield "  ".join(
                cell + " " * (space - width_of(cell)) for cell, space in zip(row, widths, strict=True)
            ).rstrip()
        return
    header, *body = rows
    for row in body or [[""] * len(header)]:
        cells = [line for name, cell in zip(header, row, strict=True) for line in wrapped(f"{name}: {cell}", width - 2)]
        yield from _indented(iter(cells), "- ")


def _reference(reference: Reference, language: str) -> Iterator[str]:
    mark = f"[{reference.number}] "
    line = " · ".join((reference.source.title, *facts_of_source(reference.source, language)))
    yield from _indented(iter(wrapped(line, _WIDTH - len(mark))), mark)
    if reference.source.url:
        yield " " * len(mark) + reference.source.url
