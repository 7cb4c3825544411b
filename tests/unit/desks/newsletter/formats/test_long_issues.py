"""Issues of two megabytes and dozens of pages are exported completely."""

import pytest

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue

SENTENCE = "Rain came early to the western highlands, and prices followed. "
PARAGRAPH = SENTENCE * 30 + "[@outlook]\n\n"
COUNT = 2_000_000 // len(PARAGRAPH)


@pytest.fixture(scope="module")
def two_megabytes(issue):
    return issue(PARAGRAPH * COUNT)


@pytest.mark.parametrize("wanted", [ExportFormat.HTML, ExportFormat.WEB, ExportFormat.MARKDOWN, ExportFormat.TEXT])
def test_two_megabytes_are_written_whole(two_megabytes, wanted):
    content = export_issue(two_megabytes, wanted).content.decode()
    assert content.replace("\n", " ").count("and prices followed.") == COUNT * 30


def test_two_megabytes_are_a_word_file(two_megabytes, word_text):
    assert word_text(export_issue(two_megabytes, ExportFormat.DOCX).content).count("followed.") == COUNT * 30


def test_dozens_of_pages_are_printed_whole(issue, pdf_pages):
    pages = pdf_pages(export_issue(issue(PARAGRAPH * 80), ExportFormat.PDF).content)
    assert len(pages) > 30
    assert " ".join(pages).count("[1]") == 80 + 1
