"""A publication as the data that the PDF template sets: plain values, of which none is ever read as markup."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import msgspec

from almanac.desks.newsletter.exports.facts import facts_of_issue, facts_of_source, lead_of
from almanac.desks.newsletter.exports.model import Paper
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
    Section,
    Span,
    Table,
    Text,
)
from almanac.desks.newsletter.publication.tree import Spans, numeric_columns, plain_text, spans_in
from almanac.typesetting import breakable, is_east_asian, sans_families, text_families

Data = dict[str, object]

_LONG_ENOUGH_FOR_CONTENTS = 900
_SHORT_QUOTE = 600
_FITS_A_LINE, _FITS_A_CELL = 25, 16


@dataclass(frozen=True, slots=True)
class PdfData:
    """Builds the data. `signs` says what to print for a character that no font has."""

    publication: Publication
    paper: Paper
    signs: Mapping[int, str] = field(default_factory=dict)

    def encoded(self) -> str:
        """The data as JSON."""
        return msgspec.json.encode(self._issue()).decode()

    def _issue(self) -> Data:
        front, words = self.publication.front, words_in(self.publication.front.language)
        lang, _, rest = front.language.partition("-")
        return {
            "paper": {Paper.A4: "a4", Paper.LETTER: "us-letter"}[self.paper],
            "fonts": text_families(front.language),
            "sans": sans_families(front.language),
            "wide": is_east_asian(front.language),
            "lang": lang.lower(),
            "region": next((part for part in rest.split("-") if len(part) == 2 and part.isalpha()), None),
            "date": [front.date.year, front.date.month, front.date.day],
            "code": front.code,
            "title": self._text(front.title),
            "organisation": self._text(front.organisation),
            "lead": self._text(lead_of(self.publication)),
            "facts": [self._text(fact) for fact in facts_of_issue(front)],
            "contents": self._text(words.contents) if self._is_long() else None,
            "sections": [self._section(section) for section in self.publication.sections],
            "heading": words.references,
            "references": [self._reference(reference) for reference in self.publication.references],
        }

    def _is_long(self) -> bool:
        sections = self.publication.sections
        words = sum(len(plain_text(tuple(spans_in(section.blocks))).split()) for section in sections)
        return len(sections) > 2 and words > _LONG_ENOUGH_FOR_CONTENTS

    def _section(self, section: Section) -> Data:
        return {"name": self._text(section.name), "blocks": [self._block(block) for block in section.blocks]}

    def _block(self, block: Block) -> Data:
        match block:
            case Paragraph(spans):
                return {"kind": "paragraph", "spans": self._spans(spans), "rtl": begins_at_the_right(spans)}
            case Heading(level, spans):
                return {"kind": "heading", "level": level, "spans": self._spans(spans)}
            case ListBlock(items, ordered, start):
                inner = [[self._block(block) for block in item] for item in items]
                return {"kind": "list", "items": inner, "ordered": ordered, "start": start}
            case Quote(blocks):
                short = len(plain_text(tuple(spans_in(blocks)))) < _SHORT_QUOTE
                return {"kind": "quote", "short": short, "blocks": [self._block(block) for block in blocks]}
            case Table(header, rows):
                cells = [self._row(row) for row in (header, *rows)]
                return {"kind": "table", "columns": len(header), "rows": cells, "numeric": numeric_columns(block)}
            case Rule():
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
            case Text(text, bold, italic, code, link):
                style: Data = {"bold": bold, "italic": italic, "code": code, "link": link}
                return {"kind": "text", "text": self._text(text, fits), **style}

    def _reference(self, reference: Reference) -> Data:
        source = reference.source
        return {
            "number": reference.number,
            "title": self._text(source.title),
            "facts": [self._text(fact) for fact in facts_of_source(source, self.publication.front.language)],
            "url": source.url,
            "shown": self._text(source.url or ""),
        }

    def _text(self, text: str, fits: int = _FITS_A_LINE) -> str:
        """The text with a sign for everything, and with places to break what does not fit."""
        return breakable(text.translate(self.signs), fits)
