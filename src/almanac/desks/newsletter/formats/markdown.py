"""Writes CommonMark with tables and footnotes, in which every character of the text is escaped."""

import re
from collections.abc import Iterator
from itertools import count

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

_SPECIAL = re.compile(r"[\\`*\[\]<>~|]|(?<![^\W_])_|_(?![^\W_])|&(?=#?\w+;)")
_AT_THE_START = re.compile(r"^(\s*)(?:([#+=-])|(\d+)([.)]))", re.MULTILINE)
_EDGES = re.compile(r"(\s*)(.*?)(\s*)", re.DOTALL)


def write_markdown(publication: Publication) -> ExportFile:
    """The issue as a Markdown file."""
    return build_export_file(ExportFormat.MARKDOWN, render_markdown(publication).encode(), publication)


def render_markdown(publication: Publication) -> str:
    """The issue as Markdown."""
    return "\n\n".join(_issue(publication)) + "\n"


def render_blocks(blocks: tuple[Block, ...], *, tight: bool = False) -> str:
    """Blocks as Markdown; a citation is the footnote of its number."""
    written, before, other = "", None, False
    for block in blocks:
        if before:
            written += "\n" if isinstance(block, ListBlock) and isinstance(before, Paragraph) and tight else "\n\n"
        other = _follows_same_list(block, before) and not other
        written += _list(block, other) if isinstance(block, ListBlock) else _block(block)
        before = block
    return written


def _follows_same_list(block: Block, before: Block | None) -> bool:
    return isinstance(block, ListBlock) and isinstance(before, ListBlock) and block.ordered == before.ordered


def _issue(publication: Publication) -> Iterator[str]:
    front = publication.front
    yield f"# {_escaped(front.title)}"
    yield _escape_line_start(_escaped(" · ".join(filter(None, (front.organisation, *issue_details(front))))))
    if lead := lead_text(publication):
        yield _styled(TextSpan(lead, italic=True))
    for section in publication.sections:
        yield f"## {_escaped(section.name)}"
        yield render_blocks(section.blocks)
    if publication.references:
        yield f"## {translate(REFERENCES, front.language)}"
        yield from (_reference(reference, front.language) for reference in publication.references)


def _block(block: Paragraph | Heading | QuoteBlock | TableBlock | HorizontalRule) -> str:
    match block:
        case Paragraph(spans):
            return _escape_line_start(_line(spans))
        case Heading(level, spans):
            return f"{'#' * (level + 2)} {_one_line(spans)}"
        case QuoteBlock(blocks):
            return "\n".join(f"> {line}".rstrip() for line in render_blocks(blocks).split("\n"))
        case TableBlock(header, rows):
            lines = [header, *rows]
            cells = ["| " + " | ".join(_one_line(cell) for cell in row) + " |" for row in lines]
            return "\n".join([cells[0], "|" + " --- |" * len(header), *cells[1:]])
        case HorizontalRule():
            return "***"


def _list(block: ListBlock, other: bool) -> str:
    """A list directly after one of the same kind uses the other bullet, or the two would be parsed as one."""
    bullet, end = ("*", ")") if other else ("-", ".")
    marks = (f"{number}{end} " if block.ordered else f"{bullet} " for number in count(block.start))
    return "\n".join(_item(item, mark) for item, mark in zip(block.items, marks, strict=False))


def _item(blocks: tuple[Block, ...], mark: str) -> str:
    first, *rest = render_blocks(blocks, tight=True).split("\n")
    return "\n".join([(mark + first).rstrip(), *((" " * len(mark) + line).rstrip() for line in rest)])


def _line(spans: Spans) -> str:
    return "".join(map(_span, spans))


def _one_line(spans: Spans) -> str:
    return _line(spans).replace("\\\n", " ")


def _span(span: Span) -> str:
    match span:
        case Citation(numbers):
            return "".join(f"[^{number}]" for number in numbers)
        case LineBreak():
            return "\\\n"
        case TextSpan():
            return _styled(span)


def _styled(text: TextSpan) -> str:
    words = _code(text.text) if text.code else _escaped(text.text)
    before, body, after = _split_spaces(words)
    if not body:
        return words
    if text.italic:
        body = f"*{body}*"
    if text.bold:
        body = f"**{body}**"
    if text.link:
        body = f"<{text.link}>" if body == text.link else f"[{body}]({_address(text.link)})"
    return before + body + after


def _address(link: str) -> str:
    safe = re.sub(r"[<>\\]", lambda match: f"%{ord(match[0]):02X}", link)
    return f"<{safe}>" if "(" in safe or ")" in safe else safe


def _split_spaces(words: str) -> tuple[str, str, str]:
    """Leading space, words, trailing space: emphasis marks must touch a word."""
    match = _EDGES.fullmatch(words)
    assert match
    return match[1], match[2], match[3]


def _code(text: str) -> str:
    fence = "`" * (max((len(run) for run in re.findall("`+", text)), default=0) + 1)
    pad = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{pad}{text}{pad}{fence}"


def _escaped(text: str) -> str:
    return _SPECIAL.sub(r"\\\g<0>", text)


def _escape_line_start(line: str) -> str:
    """Escape characters that would start a heading, a list or a quotation."""
    return _AT_THE_START.sub(lambda m: f"{m[1]}\\{m[2]}" if m[2] else f"{m[1]}{m[3]}\\{m[4]}", line)


def _reference(reference: NumberedReference, language: str) -> str:
    source = reference.source
    facts = ", ".join(source_details(source, language))
    title = _styled(TextSpan(source.title, link=source.url))
    return f"[^{reference.number}]: {title}" + (f". {_escaped(facts)}" if facts else "") + "."
