"""An editor's own sentence is printed without a reference, and a table with one for the whole."""

import pytest

from almanac.desks.newsletter.formats.export_file import ExportFormat
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.publication import Citation, TableBlock

TEXT = "Dear readers, welcome! [@own]\n\nGoats sold at 8,400 shillings. [@prices]\n\nWrite to us. [@own]"
ROWS = "| Market | Goats |\n|---|---|\n| Garissa | 8,400 |\n| Moyale | 7,950 |"


@pytest.mark.parametrize("export_format", ExportFormat)
def test_every_format_prints_own_sentences_without_a_reference(issue, pdf_pages, word_text, export_format):
    content = export_issue(issue(TEXT), export_format).content
    if export_format is ExportFormat.PDF:
        text = " ".join(pdf_pages(content))
    else:
        text = word_text(content) if export_format is ExportFormat.DOCX else content.decode()
    assert "Dear readers, welcome!" in text
    assert "Write to us." in text
    assert "@own" not in text


def test_only_cited_sources_are_numbered(issue):
    publication = issue(TEXT)
    assert [reference.chunk_id for reference in publication.references] == ["prices"]
    assert not any(isinstance(span, Citation) for span in publication.sections[0].blocks[0].spans)


@pytest.mark.parametrize(
    "table", [f"{ROWS}\n\n[@prices]", f"{ROWS}\n[@prices]", f"{ROWS.removesuffix('|')}[@prices] |"]
)
def test_the_reference_of_a_table_stands_in_its_last_cell(issue, table):
    (block,) = issue(table).sections[0].blocks
    assert isinstance(block, TableBlock)
    assert len(block.rows) == 2
    assert block.rows[-1][-1][-1] == Citation((1,))


def test_a_table_of_ones_own_has_no_reference(issue):
    (block,) = issue(f"{ROWS}\n\n[@own]").sections[0].blocks
    assert len(block.rows) == 2
