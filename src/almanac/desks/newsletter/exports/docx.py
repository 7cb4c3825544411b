"""Writes a Word file: real styles, lists and links, the same bytes for the same issue."""

import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from io import BytesIO
from typing import TYPE_CHECKING

from almanac.desks.newsletter.exports import docx_parts as parts
from almanac.desks.newsletter.exports.docx_look import ACCENT, QUIET, dress
from almanac.desks.newsletter.exports.facts import facts_of_issue, facts_of_source, lead_of
from almanac.desks.newsletter.exports.model import Export, Format, Paper, export_as
from almanac.desks.newsletter.exports.reading_direction import begins_at_the_right
from almanac.desks.newsletter.exports.words import words_in
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
from almanac.desks.newsletter.publication.tree import Spans, numeric_columns
from almanac.kit.lazy import lazy_module

if TYPE_CHECKING:
    import docx.enum.text
    import docx.shared
    from docx.document import Document
    from docx.text.paragraph import Paragraph as WordParagraph
    from docx.text.run import Run
else:
    docx = lazy_module("docx")

_DEEPEST_LIST = 3
_DEEPEST_HEADING = 5


def write_docx(publication: Publication, paper: Paper = Paper.A4) -> Export:
    """The issue as a Word file."""
    writer = _Writer(publication, docx.Document())
    dress(writer.document, publication.front, paper)
    writer.write()
    file = BytesIO()
    writer.document.save(file)
    return export_as(Format.DOCX, _undated(file), publication)


@dataclass(slots=True)
class _Writer:
    publication: Publication
    document: "Document"
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.language = self.publication.front.language

    def write(self) -> None:
        self._properties()
        self._masthead()
        for section in self.publication.sections:
            self.document.add_heading(section.name, 1)
            for block in section.blocks:
                self._block(block)
        if self.publication.references:
            self.document.add_heading(words_in(self.language).references, 1)
            for reference in self.publication.references:
                self._reference(reference)

    def _properties(self) -> None:
        front, properties = self.publication.front, self.document.core_properties
        moment = datetime.combine(front.date, time(), UTC)
        properties.title, properties.subject = front.title[:255], front.preheader[:255]
        properties.author, properties.last_modified_by = front.organisation[:255], ""
        properties.identifier, properties.language = front.code, front.language
        properties.created = properties.modified = moment
        properties.comments = properties.keywords = ""

    def _masthead(self) -> None:
        front = self.publication.front
        if front.organisation:
            run = self.document.add_paragraph().add_run(front.organisation)
            run.bold, run.font.color.rgb = True, docx.shared.RGBColor.from_string(ACCENT)
        self.document.add_paragraph(front.title, "Title")
        if lead := lead_of(self.publication):
            self.document.add_paragraph(lead, "Subtitle")
        _quiet(self.document.add_paragraph().add_run(" · ".join(facts_of_issue(front))))

    def _block(self, block: Block, style: str | None = None) -> None:
        match block:
            case Paragraph(spans):
                self._line(self.document.add_paragraph(style=style), spans)
            case Heading(level, spans):
                self._line(self.document.add_heading("", min(level + 1, _DEEPEST_HEADING)), spans)
            case ListBlock():
                self._list(block, 1)
            case Quote(blocks):
                for inner in blocks:
                    self._block(inner, "Quote")
            case Table():
                self._table(block)
            case Rule():
                self.document.add_paragraph("* * *").alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.CENTER

    def _list(self, block: ListBlock, depth: int) -> None:
        name = "List Number" if block.ordered else "List Bullet"
        level = min(depth, _DEEPEST_LIST)
        style = name if level == 1 else f"{name} {level}"
        numbering = parts.numbering_from(self.document, style, block.start) if block.ordered else None
        for item in block.items:
            self._item(item, style, numbering, depth)

    def _item(self, item: tuple[Block, ...], style: str, numbering: int | None, depth: int) -> None:
        """The first paragraph carries the mark; what follows it is indented below."""
        first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (Paragraph(()), item)
        paragraph = self.document.add_paragraph(style=style)
        self._line(paragraph, first.spans)
        if numbering is not None:
            parts.number_by(paragraph, numbering)
        for block in rest:
            if isinstance(block, ListBlock):
                self._list(block, depth + 1)
            else:
                self._block(block, f"List Continue{f' {min(depth, _DEEPEST_LIST)}' if depth > 1 else ''}")

    def _table(self, table: Table) -> None:
        made = self.document.add_table(rows=0, cols=len(table.header), style="Light Shading")
        numeric = numeric_columns(table)
        for row in (table.header, *table.rows):
            for place, (cell, spans) in enumerate(zip(made.add_row().cells, row, strict=True)):
                self._line(cell.paragraphs[0], spans)
                if numeric[place]:
                    cell.paragraphs[0].alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.RIGHT
        self.document.add_paragraph()

    def _line(self, paragraph: "WordParagraph", spans: Spans) -> None:
        for span in spans:
            self._span(paragraph, span)
        if begins_at_the_right(spans):
            parts.set_right_to_left(paragraph)

    def _span(self, paragraph: "WordParagraph", span: Span) -> None:
        match span:
            case Citation(numbers):
                self._citation(paragraph, numbers)
            case LineBreak():
                paragraph.add_run().add_break()
            case Text(text, link=link):
                run = parts.link_to_address(paragraph, link, text) if link else paragraph.add_run(text)
                run.bold, run.italic = span.bold or None, span.italic or None
                if span.code:
                    run.font.name = "Consolas"

    def _citation(self, paragraph: "WordParagraph", numbers: tuple[int, ...]) -> None:
        paragraph.add_run("[").font.superscript = True
        for place, number in enumerate(numbers):
            if place:
                paragraph.add_run(", ").font.superscript = True
            parts.link_to_bookmark(paragraph, _bookmark(number), str(number)).font.superscript = True
        paragraph.add_run("]").font.superscript = True

    def _reference(self, reference: Reference) -> None:
        source = reference.source
        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.left_indent = docx.shared.Mm(9)
        paragraph.paragraph_format.first_line_indent = docx.shared.Mm(-9)
        parts.bookmark(paragraph, _bookmark(reference.number), reference.number)
        _quiet(paragraph.add_run(f"[{reference.number}]\t"))
        self._span(paragraph, Text(source.title, bold=True, link=source.url))
        for fact in facts_of_source(source, self.language):
            _quiet(paragraph.add_run(f" · {fact}"))
        if source.url:
            paragraph.add_run().add_break()
            parts.link_to_address(paragraph, source.url, source.url).font.size = docx.shared.Pt(8.5)


def _bookmark(number: int) -> str:
    return f"reference_{number}"


def _quiet(run: "Run") -> None:
    run.font.color.rgb = docx.shared.RGBColor.from_string(QUIET)
    run.font.size = docx.shared.Pt(9.5)


def _undated(file: BytesIO) -> bytes:
    """The same archive without the moment of writing, which would make each export another file."""
    written = BytesIO()
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED)
    return written.getvalue()
