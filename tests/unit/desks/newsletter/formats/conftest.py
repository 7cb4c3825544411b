"""An issue to export, factories for smaller ones, and readers of the exported files."""

import datetime as dt
import io
import re
from collections.abc import Callable, Sequence
from contextlib import closing

import docx
import pypdfium2
import pytest
from docx.oxml.ns import qn

from almanac.desks.newsletter.formats.publication import CitedSource, FrontMatter, MarkdownSection, Publication
from almanac.desks.newsletter.formats.publication_builder import build_publication

DATE = dt.date(2026, 1, 26)
SOURCES = {
    "outlook": CitedSource("Seasonal outlook", "Climate Centre", "https://climate.example.org/outlook?a=1&b=2", DATE),
    "prices": CitedSource("Livestock prices recover", "Market Monitor", "https://markets.example.org/garissa", DATE),
    "bulletin": CitedSource("Food security bulletin", "Working Group"),
    "drought": CitedSource("索马里州干旱评估", "区域气候中心", "https://climate.example.org/zh"),
}
SECTIONS = [
    MarkdownSection(
        "1",
        "Introduction",
        "Rain came early to the western highlands. [@outlook] Herders in **Garissa** and *Moyale* sold goats at "
        "8,400 shillings. [@prices][@outlook]\n\nThe rest is a matter of [river gauges](https://rivers.example.org/juba).",
    ),
    MarkdownSection(
        "2",
        "Main Content",
        "## Main Content\n\n### Odds, not promises\n\nOne.\\\nTwo.\n\n- Plant sorghum. [@bulletin; @prices]\n"
        "  - Where rain is least certain.\n- Move fodder.\n\n1. First\n2. Second\n\n"
        "> Those who sold early were wrong.\n\n"
        "| Market | Goats |\n|---|---|\n| Garissa | 8,400 |\n| Moyale | 7,950 |\n\n***\n\nThe last word. [@drought]",
    ),
]


@pytest.fixture(scope="session")
def weekly() -> Publication:
    """An issue with something of everything."""
    front = FrontMatter(
        "Rain & the price of goats", "NL-20260126-A1B2", DATE, "en", "Climate Desk", "researchers", "Dearer goats"
    )
    return build_publication(front, SECTIONS, SOURCES)


@pytest.fixture(scope="session")
def issue() -> Callable[..., Publication]:
    """An issue of one section, of which a test states only what matters."""

    def make(text: str = "Some text.", *, name: str = "News", title: str = "Title", **front: str) -> Publication:
        return build_publication(
            FrontMatter(title, "NL-20260126-A1B2", DATE, **front), [MarkdownSection("1", name, text)], SOURCES
        )

    return make


@pytest.fixture(scope="session")
def pdf_pages() -> Callable[[bytes], list[str]]:
    """The text of each page of a PDF."""

    def read(content: bytes) -> list[str]:
        with closing(pypdfium2.PdfDocument(content)) as document:
            return [squeezed(page.get_textpage().get_text_range()) for page in document]

    return read


@pytest.fixture(scope="session")
def word_text() -> Callable[[bytes], str]:
    """Every paragraph of a Word file, tables included, in order."""

    def read(content: bytes) -> str:
        paragraphs = docx.Document(io.BytesIO(content)).element.body.iter(qn("w:p"))
        return squeezed("\n".join("".join(piece.text or "" for piece in p.iter(qn("w:t"))) for p in paragraphs))

    return read


def squeezed(text: str) -> str:
    """Without the marks of line breaking, and with one space for any."""
    return re.sub(r"\s+", " ", re.sub("[\u200b\u2060\ufffe\u00ad]", "", text)).strip()


@pytest.fixture(scope="session")
def in_order() -> Callable[[str, Sequence[str]], bool]:
    """Whether pieces stand in a text one after the other."""

    def check(text: str, pieces: Sequence[str]) -> bool:
        place = 0
        for piece in pieces:
            place = text.find(piece, place)
            assert place >= 0, f"{piece!r} is missing, or out of order, in {text!r}"
            place += len(piece)
        return True

    return check
