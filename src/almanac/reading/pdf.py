"""PDF: lines put together into paragraphs by their distance, headings by their size, running heads left out."""

from datetime import date
from typing import Any

from almanac.kit.lazy import lazy_module
from almanac.reading.dates import date_in
from almanac.reading.pdf_lines import Line, lines_of
from almanac.reading.pdf_paragraphs import paragraphs_of
from almanac.reading.plain import joined_lines
from almanac.reading.result import Block, Draft, Unreadable

pdfium = lazy_module("pypdfium2")

_FEWEST_CHARACTERS = 20


def read_pdf(content: bytes, *, max_pages: int) -> tuple[Draft, list[str]]:
    """The paragraphs of a PDF with their pages, and what could not be read of it."""
    try:
        document = pdfium.PdfDocument(content)
    except pdfium.PdfiumError as error:
        raise Unreadable(_why(str(error))) from error
    if (count := len(document)) > max_pages:
        raise Unreadable(f"This PDF has {count:,} pages; at most {max_pages:,} are read. Split it and add the parts.")
    pages = [_page_lines(document, number) for number in range(count)]
    blocks = paragraphs_of(pages)
    if sum(len(block.text) for block in blocks) < _FEWEST_CHARACTERS:
        raise Unreadable(
            "This PDF holds pictures of pages and no text; run it through text recognition (OCR) and add the result."
        )
    return Draft(blocks=blocks, title=_title(document, blocks), published=_own_date(document)), _empty_pages(pages)


def _page_lines(document: Any, number: int) -> list[Line]:
    try:
        page = document[number]
        text = page.get_textpage()
    except pdfium.PdfiumError:
        return []
    try:
        return lines_of(text)
    finally:
        text.close()
        page.close()


def _why(words: str) -> str:
    if "password" in words.lower():
        return "This PDF is protected by a password; remove it and add the file again."
    return "This PDF is damaged; open it in a viewer, save it again and add that."


def _empty_pages(pages: list[list[Line]]) -> list[str]:
    empty = [str(number) for number, lines in enumerate(pages, 1) if not lines]
    if not empty:
        return []
    shown = ", ".join(empty[:10]) + (f" and {len(empty) - 10} more" if len(empty) > 10 else "")
    return [f"{'Page' if len(empty) == 1 else 'Pages'} {shown}: no text, perhaps a scanned picture."]


def _title(document: Any, blocks: list[Block]) -> str:
    """The heading on the first page before the stated title, which is often the name of a template."""
    heading = next((block.text for block in blocks if block.level and block.page == 1), "")
    return heading or joined_lines(document.get_metadata_dict().get("Title", ""))


def _own_date(document: Any) -> date | None:
    stated = document.get_metadata_dict()
    return date_in(stated.get("CreationDate", "")) or date_in(stated.get("ModDate", ""))
