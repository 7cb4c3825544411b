"""Word files are read: headings, tables, changes; damaged and hostile ones are refused with a reason."""

import io
import zipfile
from datetime import datetime

import docx
import pytest
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from almanac.documents.file_type import MOST_PARTS, detect_file_type
from almanac.documents.model import Unreadable


def saved(document):
    output = io.BytesIO()
    document.save(output)
    return output.getvalue()


def repacked(content, **changes):
    """The same package with some parts replaced."""
    output = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(output, "w", zipfile.ZIP_DEFLATED) as new:
        for name in old.namelist():
            new.writestr(name, changes.get(name.rpartition("/")[2].partition(".")[0], old.read(name)))
    return output.getvalue()


def test_headings_paragraphs_and_tables_come_in_order(read_file, word, paragraph):
    content = word(
        ("Title", "Ward report"),
        ("Heading 1", "Roads"),
        ("", paragraph(1)),
        ("table", [["Crop", "2025", "2026"], ["Maize", "1.2", "1.4"]]),
        ("Heading 1", "Schools"),
        ("", paragraph(2, 8)),
        modified=datetime(2026, 2, 3),
    )
    (document,) = read_file(content, "report.docx").documents
    assert (document.title, str(document.published)) == ("Ward report", "2026-02-03")
    assert [(tuple(piece.heading), piece.text) for piece in document.pieces] == [
        (("Ward report", "Roads"), f"{paragraph(1)}\n\nCrop | 2025 | 2026\n\nMaize | 1.2 | 1.4"),
        (("Ward report", "Schools"), paragraph(2, 8)),
    ]


def test_inserted_text_and_content_controls_count_and_deleted_text_does_not(read_file):
    document = docx.Document()
    body = document.element.body
    body.insert(
        0,
        parse_xml(
            f"<w:sdt {nsdecls('w')}><w:sdtContent><w:p><w:r><w:t>Inside a control."
            "</w:t></w:r></w:p></w:sdtContent></w:sdt>"
        ),
    )
    body.insert(
        1,
        parse_xml(
            f'<w:p {nsdecls("w")}><w:r><w:t xml:space="preserve">Costs rose by </w:t></w:r>'
            '<w:del w:id="1"><w:r><w:delText>5</w:delText></w:r></w:del>'
            '<w:ins w:id="2"><w:r><w:t>7</w:t></w:r></w:ins><w:r><w:t xml:space="preserve"> percent.</w:t></w:r></w:p>'
        ),
    )
    (document,) = read_file(saved(document)).documents
    assert document.pieces[0].text == "Inside a control.\n\nCosts rose by 7 percent."


def test_a_merged_cell_is_said_once(read_file):
    document = docx.Document()
    table = document.add_table(1, 3)
    table.cell(0, 0).merge(table.cell(0, 1)).text = "Together"
    table.cell(0, 2).text = "Alone"
    assert read_file(saved(document)).documents[0].pieces[0].text == "Together | Alone"


def test_a_table_in_a_table_is_said_once(read_file):
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "Outer"
    table.cell(0, 1).add_table(1, 1).cell(0, 0).text = "Inner"
    assert read_file(saved(document)).documents[0].pieces[0].text == "Outer | Inner"


def test_a_cell_in_a_content_control_is_read(read_file):
    document = docx.Document()
    table = document.add_table(1, 2)
    table.cell(0, 0).text = "Plain"
    cell = table.cell(0, 1)._tc
    table.cell(0, 1).text = "Chosen"
    control = parse_xml(f"<w:sdt {nsdecls('w')}><w:sdtContent/></w:sdt>")
    cell.getparent().replace(cell, control)
    control[0].append(cell)
    assert read_file(saved(document)).documents[0].pieces[0].text == "Plain | Chosen"


def test_moved_text_is_said_once_where_it_is_now(read_file):
    document = docx.Document()
    for tag in ("moveFrom", "moveTo"):
        moved = f'<w:{tag} w:id="1"><w:r><w:t>Costs rose.</w:t></w:r></w:{tag}>'
        document.element.body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{moved}</w:p>"))
    assert read_file(saved(document)).documents[0].pieces[0].text == "Costs rose."


def test_the_lines_of_a_text_box_are_paragraphs_after_the_one_it_hangs_on(read_file):
    document = docx.Document()
    lines = "".join(f"<w:p><w:r><w:t>{line}</w:t></w:r></w:p>" for line in ("First line", "Second line"))
    box = f"<w:r><w:pict><w:textbox><w:txbxContent>{lines}</w:txbxContent></w:textbox></w:pict></w:r>"
    words = "<w:r><w:t>Around {0} the box.</w:t></w:r>"
    around = words.format("") + box + words.format("below")
    document.element.body.insert(0, parse_xml(f"<w:p {nsdecls('w')}>{around}</w:p>"))
    text = read_file(saved(document)).documents[0].pieces[0].text
    assert text == "Around the box.Around below the box.\n\nFirst line\n\nSecond line"


def test_the_day_of_the_template_is_not_the_date_of_the_document(read_file, word):
    assert read_file(word(("", "Some words of a document."))).documents[0].published is None


def test_a_document_without_words_says_so(read_file):
    with pytest.raises(Unreadable, match="has no text"):
        read_file(saved(docx.Document()))


def test_a_damaged_document_says_so(read_file, word):
    whole = word(("", "Some words."))
    for damaged in (whole[: len(whole) // 2], repacked(whole, document=b"<w:document>"), repacked(whole, styles=b"")):
        with pytest.raises(Unreadable, match="damaged"):
            read_file(damaged, "report.docx")


def test_entities_are_not_expanded(read_file, word):
    bomb = (
        b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">'
        b'<!ENTITY f SYSTEM "file:///etc/passwd">]>'
        b'<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">'
        b"<w:body><w:p><w:r><w:t>Before &b; &f; after</w:t></w:r></w:p></w:body></w:document>"
    )
    try:
        text = read_file(repacked(word(("", "x")), document=bomb)).documents[0].pieces[0].text
    except Unreadable:
        return
    assert "boom" not in text
    assert "root:" not in text


def test_a_bomb_is_not_unpacked(read_file, word):
    with pytest.raises(Unreadable, match="far too large when unpacked"):
        read_file(repacked(word(("", "x")), document=b" " * 310_000_000))


def test_an_archive_of_very_many_parts_is_not_even_listed(monkeypatch):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        for number in range(MOST_PARTS + 1):
            archive.writestr(f"word/{number}.xml", "")
    monkeypatch.setattr(zipfile, "ZipFile", None)
    with pytest.raises(Unreadable, match="far too large when unpacked"):
        detect_file_type(output.getvalue())


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        ("xl/workbook.xml", "spreadsheet"),
        ("ppt/presentation.xml", "presentation"),
        ("readme.txt", "archive"),
        ("META-INF/container.xml", "e-book"),
        ("content.xml", "OpenDocument file; save it as PDF"),
    ],
)
def test_other_archives_are_refused_by_name(read_file, inside, words):
    output = io.BytesIO()
    with zipfile.ZipFile(output, "w") as archive:
        archive.writestr(inside, "x")
    with pytest.raises(Unreadable, match=words):
        read_file(output.getvalue())


def test_an_old_or_locked_office_file_is_told_what_to_do(read_file):
    with pytest.raises(Unreadable, match="save it as DOCX"):
        read_file(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, "report.doc")
