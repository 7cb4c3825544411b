"""Renders a PDF with Typst from plain data, so that no text is ever read as markup."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

from almanac.desks.newsletter.formats.export_file import ExportFile, ExportFormat, PaperSize, build_export_file
from almanac.desks.newsletter.formats.labels import (
    CONTENTS,
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
    PublishedSection,
    QuoteBlock,
    Span,
    Spans,
    TableBlock,
    TextSpan,
    iterate_spans,
    numeric_columns,
    plain_text,
)
from almanac.kit.json_text import encode_json
from almanac.kit.messages import translate
from almanac.pdf import add_break_points, is_east_asian, render_pdf, sans_fonts, text_fonts

Data = dict[str, object]

_MIN_WORDS_FOR_CONTENTS = 900
_SHORT_QUOTE = 600
_FITS_A_LINE, _FITS_A_CELL = 25, 16


@dataclass(frozen=True, slots=True)
class PdfData:
    """Builds the data of the Typst template. `signs` maps characters that no font has to what is printed instead."""

    publication: Publication
    paper: PaperSize
    signs: Mapping[int, str] = field(default_factory=dict)

    def encoded(self) -> str:
        """The data as JSON."""
        return encode_json(self._issue()).decode()

    def _issue(self) -> Data:
        front = self.publication.front
        lang, _, rest = front.language.partition("-")
        return {
            "paper": {PaperSize.A4: "a4", PaperSize.LETTER: "us-letter"}[self.paper],
            "fonts": text_fonts(front.language),
            "sans": sans_fonts(front.language),
            "wide": is_east_asian(front.language),
            "lang": lang.lower(),
            "region": next((part for part in rest.split("-") if len(part) == 2 and part.isalpha()), None),
            "date": [front.date.year, front.date.month, front.date.day],
            "code": front.code,
            "title": self._text(front.title),
            "organisation": self._text(front.organisation),
            "lead": self._text(lead_text(self.publication)),
            "facts": [self._text(fact) for fact in issue_details(front)],
            "contents": self._text(translate(CONTENTS, front.language)) if self._is_long() else None,
            "sections": [self._section(section) for section in self.publication.sections],
            "heading": translate(REFERENCES, front.language),
            "references": [self._reference(reference) for reference in self.publication.references],
        }

    def _is_long(self) -> bool:
        sections = self.publication.sections
        words = sum(len(plain_text(tuple(iterate_spans(section.blocks))).split()) for section in sections)
        return len(sections) > 2 and words > _MIN_WORDS_FOR_CONTENTS

    def _section(self, section: PublishedSection) -> Data:
        return {"name": self._text(section.name), "blocks": [self._block(block) for block in section.blocks]}

    def _block(self, block: Block) -> Data:
        match block:
            case Paragraph(spans):
                return {"kind": "paragraph", "spans": self._spans(spans), "rtl": is_right_to_left_text(spans)}
            case Heading(level, spans):
                return {"kind": "heading", "level": level, "spans": self._spans(spans)}
            case ListBlock(items, ordered, start):
                inner = [[self._block(block) for block in item] for item in items]
                return {"kind": "list", "items": inner, "ordered": ordered, "start": start}
            case QuoteBlock(blocks):
                short = len(plain_text(tuple(iterate_spans(blocks)))) < _SHORT_QUOTE
                return {"kind": "quote", "short": short, "blocks": [self._block(block) for block in blocks]}
            case TableBlock(header, rows):
                cells = [self._row(row) for row in (header, *rows)]
                return {"kind": "table", "columns": len(header), "rows": cells, "numeric": numeric_columns(block)}
            case HorizontalRule():
                return {"kind": "rule"}

    def _row(self, row: tuple[Spans, ...]) -> list[list[Data]]:
        return [self._spans(cell, _FITS_A_CELL) for cell in row]

    def _spans(self, spans: Spans, fits: int = _FITS_A_LINE) -> list[Data]:
        return [self._span(span, fits) for span in spans]

    def _span(self, span: Span, fits: int) -> Data:
        match span:
            case Citation(numbers):
                return {"kind": "citation", "numbers": numbers}
            case LineBreak():
                return {"kind": "break"}
            case TextSpan(text, bold, italic, code, link):
                style: Data = {"bold": bold, "italic": italic, "code": code, "link": link}
                return {"kind": "text", "text": self._text(text, fits), **style}

    def _reference(self, reference: NumberedReference) -> Data:
        source = reference.source
        return {
            "number": reference.number,
            "title": self._text(source.title),
            "facts": [self._text(fact) for fact in source_details(source, self.publication.front.language)],
            "url": source.url,
            "shown": self._text(source.url or ""),
        }

    def _text(self, text: str, fits: int = _FITS_A_LINE) -> str:
        """The text with missing characters replaced, and with break opportunities in long words."""
        return add_break_points(text.translate(self.signs), fits)


def write_pdf(publication: Publication, paper: PaperSize = PaperSize.A4) -> ExportFile:
    """The issue as a PDF. Long issues take seconds of CPU: on the event loop, call it in a thread."""
    front = publication.front
    rendered = render_pdf(
        _template(), lambda signs: PdfData(publication, paper, signs).encoded(), front.date, front.language
    )
    return build_export_file(ExportFormat.PDF, rendered.content, publication, rendered.notes)


@cache
def _template() -> bytes:
    return (files(__package__) / "templates" / "issue.typ").read_bytes()
