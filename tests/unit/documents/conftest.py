"""Real files to read: PDF set by typst, DOCX written by python-docx, and texts long enough to be cut."""

import io
from collections.abc import Callable

import docx
import pytest
import typst

from almanac.documents.model import ReadRequest, ReadResult
from almanac.documents.reader import read_document

SENTENCES = (
    "The committee of ward {n} met on Tuesday and approved a budget of {m} thousand dollars.",
    "It asked the engineer to mend bridge {n} near the market before the long rains begin.",
    "Mr. Otieno, who chairs the committee, said that the money would be released in two parts.",
    "Residents had complained since January that crossing {n} was unsafe for children on their way to school.",
)


def paragraph_of(number: int, sentences: int = 4) -> str:
    """A paragraph like no other; four sentences have about sixty words."""
    return " ".join(SENTENCES[i % 4].format(n=number * 10 + i, m=100 + number) for i in range(sentences))


@pytest.fixture
def paragraph() -> Callable[..., str]:
    return paragraph_of


@pytest.fixture
def read_file() -> Callable[..., ReadResult]:
    """Read bytes as the reader's process does, in this process."""

    def reading(content: bytes, name: str = "", **errand: object) -> ReadResult:
        return read_document(content, ReadRequest(name=name, **errand))

    return reading


@pytest.fixture
def pdf() -> Callable[[str], bytes]:
    return lambda source: typst.compile(source.encode())


@pytest.fixture
def word() -> Callable[..., bytes]:
    """A DOCX of (style, text) pairs; a list of lists is a table."""

    def write(*parts: tuple[str, object], **properties: object) -> bytes:
        document = docx.Document()
        for name, value in properties.items():
            setattr(document.core_properties, name, value)
        for style, content in parts:
            if style == "table":
                table = document.add_table(0, len(content[0]))
                for cells in content:
                    for cell, text in zip(table.add_row().cells, cells, strict=True):
                        cell.text = text
            else:
                document.add_paragraph(content, style=style or None)
        output = io.BytesIO()
        document.save(output)
        return output.getvalue()

    return write
