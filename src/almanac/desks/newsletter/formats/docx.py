"""Writes a Word file with real styles, lists and links. The same issue gives the same bytes."""

import zipfile
from dataclasses import dataclass, field
from datetime import UTC, datetime, time
from io import BytesIO
from typing import TYPE_CHECKING

from almanac.desks.newsletter.formats import docx_style
from almanac.desks.newsletter.formats.docx_style import ACCENT, QUIET, apply_styles
from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat, PaperSize, build_export_file
from almanac.desks.newsletter.formats.labels import (
    REFERENCES,
    is_right_to_left_text,
    issue_details,
    lead_text,
    source_details,
)
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
    numeric_columns,
)
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import translate

if TYPE_CHECKING:
    import docx.enum.text
    import docx.shared
    from docx.document import Document
    from docx.text.paragraph import Paragraph as WordParagraph
    from docx.text.run import Run
else:
    docx = lazy_module("docx")

_MAX_LIST_DEPTH = 3
_MAX_HEADING_LEVEL = 5


def write_docx(publication: Publication, paper: PaperSize = PaperSize.A4) -> ExportFile:
    """The issue as a Word file."""
    writer = _DocxWriter(publication, docx.Document())
    apply_styles(writer.document, publication.front, paper)
    writer.write()
    file = BytesIO()
    writer.document.save(file)
    return build_export_file(ExportFormat.DOCX, _without_timestamps(file), publication)


@dataclass(slots=True)
class _DocxWriter:
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
            self.document.add_heading(translate(REFERENCES, self.language), 1)
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
        if lead := lead_text(self.publication):
            self.document.add_paragraph(lead, "Subtitle")
        _set_quiet(self.document.add_paragraph().add_run(" · ".join(issue_details(front))))

    def _block(self, block: Block, style: str | None = None) -> None:
        match block:
            case Paragraph(spans):
                self._line(self.document.add_paragraph(style=style), spans)
            case Heading(level, spans):
                self._line(self.document.add_heading("", min(level + 1, _MAX_HEADING_LEVEL)), spans)
            case ListBlock():
                self._list(block, 1)
            case QuoteBlock(blocks):
                for inner in blocks:
                    self._block(inner, "Quote")
            case TableBlock():
                self._table(block)
            case HorizontalRule():
                self.document.add_paragraph("* * *").alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.CENTER

    def _list(self, block: ListBlock, depth: int) -> None:
        name = "List Number" if block.ordered else "List Bullet"
        level = min(depth, _MAX_LIST_DEPTH)
        style = name if level == 1 else f"{name} {level}"
        numbering = docx_style.add_numbering(self.document, style, block.start) if block.ordered else None
        for item in block.items:
            self._item(item, style, numbering, depth)

    def _item(self, item: tuple[Block, ...], style: str, numbering: int | None, depth: int) -> None:
        """The first paragraph carries the bullet; what follows is indented below it."""
        first, rest = (item[0], item[1:]) if item and isinstance(item[0], Paragraph) else (Paragraph(()), item)
        paragraph = self.document.add_paragraph(style=style)
        self._line(paragraph, first.spans)
        if numbering is not None:
            docx_style.set_numbering(paragraph, numbering)
        for block in rest:
            if isinstance(block, ListBlock):
                self._list(block, depth + 1)
            else:
                self._block(block, f"List Continue{f' {min(depth, _MAX_LIST_DEPTH)}' if depth > 1 else ''}")

    def _table(self, table: TableBlock) -> None:
        docx_table = self.document.add_table(rows=0, cols=len(table.header), style="Light Shading")
        numeric = numeric_columns(table)
        for row in (table.header, *table.rows):
            for place, (cell, spans) in enumerate(zip(docx_table.add_row().cells, row, strict=True)):
                self._line(cell.paragraphs[0], spans)
                if numeric[place]:
                    cell.paragraphs[0].alignment = docx.enum.text.WD_ALIGN_PARAGRAPH.RIGHT
        self.document.add_paragraph()

    def _line(self, paragraph: "WordParagraph", spans: Spans) -> None:
        for span in spans:
            self._span(paragraph, span)
        if is_right_to_left_text(spans):
            docx_style.set_right_to_left(paragraph)

    def _span(self, paragraph: "WordParagraph", span: Span) -> None:
        match span:
            case Citation(numbers):
                self._citation(paragraph, numbers)
            case LineBreak():
                paragraph.add_run().add_break()
            case TextSpan(text, link=link):
                run = docx_style.add_link(paragraph, link, text) if link else paragraph.add_run(text)
                run.bold, run.italic = span.bold or None, span.italic or None
                if span.code:
                    run.font.name = "Consolas"

    def _citation(self, paragraph: "WordParagraph", numbers: tuple[int, ...]) -> None:
        paragraph.add_run("[").font.superscript = True
        for place, number in enumerate(numbers):
            if place:
                paragraph.add_run(", ").font.superscript = True
            docx_style.add_bookmark_link(paragraph, _bookmark(number), str(number)).font.superscript = True
        paragraph.add_run("]").font.superscript = True

    def _reference(self, reference: NumberedReference) -> None:
        source = reference.source
        paragraph = self.document.add_paragraph()
        paragraph.paragraph_format.left_indent = docx.shared.Mm(9)
        paragraph.paragraph_format.first_line_indent = docx.shared.Mm(-9)
        docx_style.add_bookmark(paragraph, _bookmark(reference.number), reference.number)
        _set_quiet(paragraph.add_run(f"[{reference.number}]\t"))
        self._span(paragraph, TextSpan(source.title, bold=True, link=source.url))
        for fact in source_details(source, self.language):
            _set_quiet(paragraph.add_run(f" · {fact}"))
        if source.url:
            paragraph.add_run().add_break()
            docx_style.add_link(paragraph, source.url, source.url).font.size = docx.shared.Pt(8.5)


def _bookmark(number: int) -> str:
    return f"reference_{number}"


def _set_quiet(run: "Run") -> None:
    run.font.color.rgb = docx.shared.RGBColor.from_string(QUIET)
    run.font.size = docx.shared.Pt(9.5)


def _without_timestamps(file: BytesIO) -> bytes:
    """The same archive without modification times, so that exports of the same issue are identical."""
    written = BytesIO()
    with zipfile.ZipFile(file) as source, zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as target:
        for name in source.namelist():
            target.writestr(zipfile.ZipInfo(name), source.read(name), zipfile.ZIP_DEFLATED)
    return written.getvalue()
