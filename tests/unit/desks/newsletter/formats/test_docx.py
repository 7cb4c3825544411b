"""Word export: real headings, lists and links, and identical bytes each time."""

import io
import zipfile

import docx
import pytest
from docx.oxml.ns import qn

from almanac.desks.newsletter.formats.docx import write_docx
from almanac.desks.newsletter.formats.export_file import ExportFormat, PaperSize
from almanac.desks.newsletter.formats.exporter import export_issue


@pytest.fixture(scope="module")
def document(weekly):
    return docx.Document(io.BytesIO(write_docx(weekly).content))


def lines(document, style: str) -> list[str]:
    return [paragraph.text for paragraph in document.paragraphs if paragraph.style.name == style]


def test_headings_are_real_headings(document):
    assert lines(document, "Title") == ["Rain & the price of goats"]
    assert lines(document, "Heading 1") == ["Introduction", "Main Content", "References"]
    assert lines(document, "Heading 2") == ["Odds, not promises"]


def test_lists_quotes_and_tables_are_real_ones(document):
    assert lines(document, "List Bullet") == ["Plant sorghum.[2, 3]", "Move fodder."]
    assert lines(document, "List Bullet 2") == ["Where rain is least certain."]
    assert lines(document, "List Number") == ["First", "Second"]
    assert lines(document, "Quote") == ["Those who sold early were wrong."]
    (table,) = document.tables
    assert [[cell.text for cell in row.cells] for row in table.rows] == [
        ["Market", "Goats"],
        ["Garissa", "8,400"],
        ["Moyale", "7,950"],
    ]


def test_each_citation_leads_to_its_reference(document):
    body = document.element.body
    links = [link.get(qn("w:anchor")) for link in body.iter(qn("w:hyperlink")) if link.get(qn("w:anchor"))]
    marks = {start.get(qn("w:name")) for start in body.iter(qn("w:bookmarkStart"))}
    assert links == [f"reference_{number}" for number in (1, 1, 2, 2, 3, 4)]
    assert marks == set(links)


def test_addresses_open_in_a_browser(document):
    outside = {relation.target_ref for relation in document.part.rels.values() if relation.is_external}
    assert outside == {
        "https://rivers.example.org/juba",
        "https://climate.example.org/outlook?a=1&b=2",
        "https://markets.example.org/garissa",
        "https://climate.example.org/zh",
    }


def test_every_list_counts_from_its_own_start(issue):
    content = write_docx(issue("1. a\n2. b\n\ntext\n\n5. c\n6. d")).content
    document = docx.Document(io.BytesIO(content))
    used = [p._p.pPr.numPr.numId.val for p in document.paragraphs if p.style.name == "List Number"]
    assert used[0] == used[1] != used[2] == used[3]
    numbering = document.part.numbering_part.element
    starts = [numbering.num_having_numId(n).find(f".//{qn('w:startOverride')}").get(qn("w:val")) for n in used[1:3]]
    assert starts == ["1", "5"]


def test_the_file_says_what_it_is(weekly, document):
    facts = document.core_properties
    assert (facts.title, facts.author, facts.language) == ("Rain & the price of goats", "Climate Desk", "en")
    assert facts.created.date() == weekly.front.date
    assert document.styles["Normal"].element.rPr.find(qn("w:lang")).get(qn("w:val")) == "en-GB"
    assert export_issue(weekly, ExportFormat.DOCX).file_name == "NL-20260126-A1B2-rain-the-price-of-goats.docx"


@pytest.mark.parametrize(("paper", "width"), [(PaperSize.A4, 210), (PaperSize.LETTER, 215.9)])
def test_the_paper_can_be_chosen(weekly, paper, width):
    section = docx.Document(io.BytesIO(write_docx(weekly, paper).content)).sections[0]
    assert section.page_width.mm == pytest.approx(width, abs=0.1)


def test_the_same_issue_is_the_same_file(weekly):
    assert write_docx(weekly).content == write_docx(weekly).content
    with zipfile.ZipFile(io.BytesIO(write_docx(weekly).content)) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}


def test_arabic_begins_at_the_right(issue):
    document = docx.Document(io.BytesIO(write_docx(issue("مدينة جيبوتي\n\nEnglish")).content))
    sides = [p._p.pPr is not None and p._p.pPr.find(qn("w:bidi")) is not None for p in document.paragraphs[-2:]]
    assert sides == [True, False]


def test_blocks_inside_an_item_stay_with_it(issue):
    text = "- item\n\n  more\n\n  1. inner\n\n     deep\n\n  > quoted\n\n- > first"
    document = docx.Document(io.BytesIO(write_docx(issue(text)).content))
    styles = [(p.style.name, p.text) for p in document.paragraphs][3:]
    assert styles == [
        ("List Bullet", "item"),
        ("List Continue", "more"),
        ("List Number 2", "inner"),
        ("List Continue 2", "deep"),
        ("Quote", "quoted"),
        ("List Bullet", ""),
        ("Quote", "first"),
    ]


@pytest.mark.parametrize(
    ("language", "font"), [("en", "Microsoft YaHei"), ("zh", "Microsoft YaHei"), ("ja", "Yu Gothic")]
)
def test_characters_have_the_shapes_of_the_language(issue, language, font):
    document = docx.Document(io.BytesIO(write_docx(issue(language=language)).content))
    for style in ("Normal", "Title", "Heading 1"):
        assert document.styles[style].element.rPr.rFonts.get(qn("w:eastAsia")) == font
