"""DOCX: paragraphs, headings by style and outline, tables row by row, in the order of the document.

The words are taken from the elements themselves, because text in tracked insertions and content controls counts too.
"""

import io
from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any

from almanac.documents.dates import plausible_date
from almanac.documents.model import ParsedDocument, TextBlock, Unreadable
from almanac.documents.plain_text import join_lines
from almanac.kit.lazy import lazy_module
from almanac.kit.messages import gettext

if TYPE_CHECKING:
    from docx.document import Document as WordDocument
    from docx.text.paragraph import Paragraph

docx = lazy_module("docx")

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_PARAGRAPH, _TABLE, _ROW, _CELL = f"{_W}p", f"{_W}tbl", f"{_W}tr", f"{_W}tc"
_TEXT_BOX = f"{_W}txbxContent"
_THROUGH = {f"{_W}{name}" for name in ("sdt", "sdtContent", "ins", "customXml", "smartTag")}
# Moved text stands where it was, too; older programs' form of a drawing repeats its words.
_WORDS = (
    ".//w:t[not(ancestor::*[local-name()='Fallback' or local-name()='moveFrom'])]"
    " | .//w:tab[not(ancestor::w:tabs)] | .//w:br | .//w:cr | .//w:noBreakHyphen"
)
_DEEPEST = 20
# Documents that programs make with python-docx carry the day of its template unless the program sets another.
_TEMPLATE_DAY = date(2013, 12, 23)


def read_word(content: bytes) -> ParsedDocument:
    """The blocks of a DOCX file; the title is that of its properties, of its title style, or its first heading."""
    try:
        document = docx.Document(io.BytesIO(content))
        blocks = [block for block in _blocks(document.element.body, document, 0) if block.text]
        title, published = document.core_properties.title, _own_date(document)
    except Exception as error:  # a damaged package fails in the reader, the archive, the XML: all mean the same
        raise Unreadable(gettext("This DOCX is damaged; open it in a word processor and save it again.")) from error
    heading = next((block.text for block in blocks if block.level), "")
    return ParsedDocument(blocks=blocks, title=join_lines(title) or heading, published=published)


def _blocks(parent: Any, document: "WordDocument", depth: int) -> Iterator[TextBlock]:
    for child in parent:
        if child.tag == _PARAGRAPH:
            yield TextBlock(join_lines(_text(child)), _level(docx.text.paragraph.Paragraph(child, document)))
            for box in _own(child, _TEXT_BOX) if depth < _DEEPEST else ():
                yield from _blocks(box, document, depth + 1)
        elif child.tag == _TABLE and depth < _DEEPEST:
            yield from (TextBlock(_row_text(row)) for row in _own(child, _ROW))
        elif child.tag in _THROUGH and depth < _DEEPEST:
            yield from _blocks(child, document, depth + 1)


def _own(element: Any, tag: str) -> Iterator[Any]:
    """What is inside an element and not inside another such element in it: rows of the table, not of tables in it."""
    return (child for child in element.iter(tag) if next(child.iterancestors(element.tag)) is element)


def _text(paragraph: Any) -> str:
    """The words of a paragraph, without those of the text boxes that hang on it."""
    spoken = {f"{_W}t": None, f"{_W}noBreakHyphen": "-", f"{_W}tab": " "}
    own = (part for part in paragraph.xpath(_WORDS) if next(part.iterancestors(_PARAGRAPH)) is paragraph)
    return "".join((spoken.get(part.tag, "\n") or part.text or "") for part in own)


def _row_text(row: Any) -> str:
    """The cells of a row with all that is in them; a merged cell is one element, so it is said once."""
    cells = (join_lines(" ".join(_text(p) for p in cell.iter(_PARAGRAPH))) for cell in _own(row, _CELL))
    return " | ".join(cell for cell in cells if cell)


def _level(paragraph: "Paragraph") -> int:
    """1 for the title of the whole, one more than in the word processor for headings, 0 for text."""
    style = paragraph.style
    name = (style.name or "").lower() if style is not None else ""
    if name == "title":
        return 1
    if name.startswith("heading ") and name[8:9].isdecimal():
        return min(int(name[8:9]) + 1, 6)
    for outline in paragraph._p.xpath("./w:pPr/w:outlineLvl/@w:val"):  # noqa: SLF001 - the library has no public way
        return int(outline) + 2 if str(outline).isdecimal() and int(outline) < 5 else 0
    return 0


def _own_date(document: "WordDocument") -> date | None:
    """The day of its last change, or of its making; the day of a common template is nobody's."""
    properties = document.core_properties
    for moment in (properties.modified, properties.created):
        if moment is not None and moment.date() != _TEMPLATE_DAY and (day := plausible_date(moment.date())):
            return day
    return None
