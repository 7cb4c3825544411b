"""PDF export: every sentence in order, with links, contents and embedded fonts."""

from contextlib import closing
from dataclasses import replace

import pypdfium2
import pypdfium2.raw as pdfium
import pytest

from almanac.desks.newsletter.formats.export_file import ExportFormat, PaperSize
from almanac.desks.newsletter.formats.exporter import export_issue
from almanac.desks.newsletter.formats.pdf import write_pdf

MASTHEAD = ["Climate Desk", "Rain & the price of goats", "Dearer goats", "26 January 2026", "For researchers"]
BODY = """Introduction|Rain came early to the western highlands.[1]|Garissa and Moyale|shillings.[1, 2]|Main Content
Odds, not promises|Plant sorghum.[2, 3]|Where rain is least certain.|1. First|Those who sold early were wrong.
8,400|7,950|The last word.[4]""".replace("\n", "|").split("|")
REFERENCES = """References|[1] Seasonal outlook|Climate Centre|https://climate.example.org/outlook?a=1&b=2
[2] Livestock prices recover|[3] Food security bulletin|[4] 索马里州干旱评估""".replace("\n", "|").split("|")
PAPERS = {PaperSize.A4: (595, 842), PaperSize.LETTER: (612, 792)}


def links(content: bytes) -> tuple[set[str], int]:
    """The addresses that a PDF opens, and how many links lead to a place inside it."""
    addresses, inside = set(), 0
    with closing(pypdfium2.PdfDocument(content)) as document:
        for page in document:
            place, link = pdfium.c_int(0), pdfium.FPDF_LINK()
            while pdfium.FPDFLink_Enumerate(page, place, link):
                action = pdfium.FPDFLink_GetAction(link)
                length = pdfium.FPDFAction_GetURIPath(document, action, None, 0) if action else 0
                if length:
                    buffer = pdfium.c_char * length
                    held = buffer()
                    pdfium.FPDFAction_GetURIPath(document, action, held, length)
                    addresses.add(held.value.decode())
                else:
                    inside += 1
    return addresses, inside


def test_every_sentence_and_reference_stands_in_order(weekly, pdf_pages, in_order):
    text = " ".join(pdf_pages(write_pdf(weekly).content))
    assert in_order(text, MASTHEAD + BODY + REFERENCES)


def test_citations_and_addresses_can_be_clicked(weekly):
    addresses, inside = links(write_pdf(weekly).content)
    assert addresses == {
        "https://rivers.example.org/juba",
        "https://climate.example.org/outlook?a=1&b=2",
        "https://markets.example.org/garissa",
        "https://climate.example.org/zh",
    }
    assert inside == 6


@pytest.mark.parametrize("paper", PaperSize)
def test_no_text_leaves_the_page(issue, paper):
    long = "Donaudampfschifffahrt" * 30
    table = f"| {long} |" + " b |" * 5 + "\n" + "|---" * 6 + "|\n" + f"| {long} |" * 6
    publication = issue(f"{long} https://example.org/{'x' * 300}\n\n{table}\n\n- {long}\n\n> {long}", title=long[:190])
    with closing(pypdfium2.PdfDocument(write_pdf(publication, paper).content)) as document:
        for page in document:
            assert tuple(map(round, page.get_size())) == PAPERS[paper]
            text, (width, height) = page.get_textpage(), page.get_size()
            boxes = [text.get_charbox(place) for place in range(text.count_chars())]
            assert all(left >= 0 and right <= width and low >= 0 and up <= height for left, low, right, up in boxes)
            assert max(right for _, _, right, _ in boxes) <= width - 60


def test_pages_are_not_blank(weekly):
    with closing(pypdfium2.PdfDocument(write_pdf(weekly).content)) as document:
        for page in document:
            picture = bytes(page.render(scale=1).buffer)
            assert 0.001 < sum(value < 200 for value in picture) / len(picture) < 0.5


def test_the_same_issue_is_the_same_file(weekly):
    assert write_pdf(weekly).content == write_pdf(weekly).content


def test_the_file_says_what_it_is(weekly):
    export = export_issue(weekly, ExportFormat.PDF)
    assert (export.media_type, export.file_name, export.notes) == (
        "application/pdf",
        "NL-20260126-A1B2-rain-the-price-of-goats.pdf",
        (),
    )
    with closing(pypdfium2.PdfDocument(export.content)) as document:
        facts = document.get_metadata_dict()
        assert (facts["Title"], facts["Author"]) == ("Rain & the price of goats", "Climate Desk")
        assert facts["CreationDate"].startswith("D:20260126000000")
        assert document.is_tagged()


def test_a_long_issue_has_contents_and_page_numbers(issue, pdf_pages, weekly):
    assert "In this issue" not in pdf_pages(write_pdf(weekly).content)[0]
    long = replace(weekly, sections=(*weekly.sections, *issue("Word after word. " * 400).sections))
    pages = pdf_pages(write_pdf(long).content)
    assert "In this issue Introduction 1 Main Content 1 News 2 References" in pages[0]
    assert [page.endswith(f"{number} / {len(pages)}") for number, page in enumerate(pages, 1)] == [True] * len(pages)


@pytest.mark.parametrize(
    "text",
    [
        "东非雨季展望：降雨提前。",
        "東アフリカの雨季",
        "동아프리카 우기",
        "ድሬዳዋ ከተማ",
        "مدينة جيبوتي",
        "ג׳יבוטי",
        "Đà Nẵng, Łódź, İzmir",
    ],
)
def test_the_scripts_of_our_readers_are_shown_by_our_own_fonts(issue, text):
    assert write_pdf(issue(f"{text} **{text}** *{text}*", title=text, name=text)).notes == ()


def test_a_character_without_a_font_is_named_and_noted(issue, pdf_pages):
    export = write_pdf(issue("Sorghum \U00016f00 grows.", title="Miao \U00016f01"))
    (note,) = export.notes
    assert "\U00016f00" in note
    assert "Install a font" in note
    text = " ".join(pdf_pages(export.content))
    assert "Sorghum [miao letter pa] grows." in text
    assert "Miao [miao letter ba]" in text


def test_a_character_without_a_font_has_no_english_name_in_other_languages(issue, pdf_pages):
    export = write_pdf(issue("雨が \U00016f00 降りました。", title="雨の記録", name="雨", language="ja"))
    text = " ".join(pdf_pages(export.content))
    assert "[U+16F00]" in text
    assert "miao" not in text
