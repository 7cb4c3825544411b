"""Plain text and Markdown are read in whatever charset they are written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from almanac.documents.charset import decode_text
from almanac.documents.model import ReadRequest, Unreadable
from almanac.documents.plain_text import join_lines
from almanac.documents.reader import read_document

WESTERN = "Le préfet a déjà reçu cinq élèves à l’hôtel de ville. Où étaient-ils hier, à Besançon ou à Orléans ?"
JAPANESE = (
    "委員会は火曜日に会議を開き、予算を承認した。技師は雨期の前に橋を直すよう求められた。住民は不安を訴えていた。"
)
CHINESE = "委员会在星期二召开会议，批准了预算。工程师须在雨季之前修好市场旁边的桥。居民从一月起就抱怨过桥不安全。"
POLISH = "Zażółć gęślą jaźń. Komitet zebrał się we wtorek i zatwierdził budżet na naprawę mostu przy targu."
GERMAN = "Der Ausschuss beschloß am Dienstag, die Brücke für 120 € zu erneuern; größere Schäden wären sonst möglich."
RUSSIAN = "Комитет собрался во вторник и утвердил бюджет. Инженера попросили починить мост у рынка до начала дождей."


@pytest.mark.parametrize(
    ("text", "charset"),
    [
        (WESTERN, "utf-8"),
        (WESTERN, "utf-8-sig"),
        (WESTERN, "utf-16"),
        (WESTERN, "utf-16-le"),
        (WESTERN, "utf-16-be"),
        (WESTERN, "utf-32"),
        (WESTERN, "cp1252"),
        (JAPANESE, "cp932"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso-2022-jp"),
        (JAPANESE, "utf-8"),
        (CHINESE, "gb18030"),
        (CHINESE, "utf-8"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (GERMAN, "cp1252"),
    ],
)
def test_the_charset_is_found_without_being_told(text, charset):
    assert decode_text((text * 3).encode(charset)) == text * 3


@pytest.mark.parametrize(
    ("text", "charset"), [(WESTERN, "iso-8859-15"), (CHINESE, "big5hkscs"), (JAPANESE, "shift_jis")]
)
def test_a_charset_that_is_told_is_believed_where_it_fits(text, charset):
    text = text.encode(charset, "ignore").decode(charset)
    assert decode_text(text.encode(charset), charset) == text


@pytest.mark.parametrize("claimed", ["iso-8859-1", "windows-1252", "ascii", "shift_jis", "no-such-charset", "utf-16"])
def test_a_wrong_claim_does_no_harm(claimed):
    assert decode_text(WESTERN.encode("utf-8"), claimed) == WESTERN


def test_a_page_in_one_charset_that_claims_another_is_read_right():
    page = f'<html><head><meta charset="utf-8"></head><body><p>{WESTERN}</p></body></html>'.encode("cp1252")
    assert WESTERN in read_document(page, ReadRequest(charset="utf-8")).documents[0].pieces[0].text


def test_a_text_that_begins_as_an_archive_does_is_a_text():
    document = read_document(
        b"PKR and its partners met on Tuesday. They agreed.", ReadRequest(name="notes.txt")
    ).documents[0]
    assert document.pieces[0].text == "PKR and its partners met on Tuesday. They agreed."


@pytest.mark.parametrize("charset", ["utf-16", "utf-16-le", "utf-16-be"])
def test_markup_in_wide_characters_is_known_without_a_name(charset):
    page = "<html><body><p>The office is closed on Friday.</p></body></html>".encode(charset)
    assert read_document(page, ReadRequest()).documents[0].pieces[0].text == "The office is closed on Friday."


def test_what_is_no_text_is_refused():
    with pytest.raises(Unreadable, match="isn't text"):
        decode_text(bytes(range(256)) * 20)


def test_wrapped_lines_are_put_together_and_paragraphs_kept_apart():
    text = """The ward report

The committee met on Tuesday and approved a budget for the bridge near
the market, which had been unsafe for children since the January rains
took two of its planks.

Work begins in March and the road will be closed for nine days while the
engineer replaces the planks and paints the rails.
"""
    (document,) = read_document(text.encode(), ReadRequest(name="report.txt")).documents
    assert document.title == "The ward report"
    assert document.pieces[0].text == (
        "The committee met on Tuesday and approved a budget for the bridge near the market, which had been unsafe for "
        "children since the January rains took two of its planks.\n\nWork begins in March and the road will be closed "
        "for nine days while the engineer replaces the planks and paints the rails."
    )


@pytest.mark.parametrize(
    ("lines", "joined"),
    [
        ("漢字\n漢字", "漢字漢字"),
        ("漢字 \n\u3000 漢字", "漢字漢字"),
        ("word\n漢字\nword", "word 漢字 word"),
        ("漢字\u3000漢字", "漢字\u3000漢字"),
        ("\n漢字\n", "漢字"),
        (" two \t words\n", "two words"),
    ],
)
def test_a_line_break_is_a_space_except_between_chinese_characters(lines, joined):
    assert join_lines(lines) == joined


@pytest.mark.timeout(20)
def test_a_very_long_gap_takes_no_time():
    assert join_lines("漢" + "\n" * 200_000 + "a") == "漢 a"


def test_markdown_loses_its_marks_and_keeps_its_words():
    text = """---
title: "Ward report"
date: 2026-02-03
---
# Roads

The **bridge** near the [market](https://example.org/market) was _mended_ with `steel`.

- First item
- Second ![picture](x.png) item

| Crop | Tonnes |
|---|---|
| Maize | 1.2 |

<div>Kept <script>alert(1)</script>words</div>

## Schools
> Quoted by the teacher.
"""
    (document,) = read_document(text.encode(), ReadRequest(name="report.md")).documents
    assert (document.title, str(document.published)) == ("Ward report", "2026-02-03")
    assert document.pieces[0].text == (
        "The bridge near the market was mended with steel.\n\nFirst item\n\nSecond picture item\n\n"
        "Crop | Tonnes\n\nMaize | 1.2\n\nKept words\n\nSchools\n\nQuoted by the teacher."
    )


@given(st.binary(max_size=400))
def test_no_bytes_break_the_reader(content):
    for name in ("a.txt", "a.md", "a.html", "a"):
        try:
            reading = read_document(content, ReadRequest(name=name))
        except Unreadable:
            continue
        assert all(piece.text.strip() for document in reading.documents for piece in document.pieces)


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text):
    for name in ("a.txt", "a.md", "a.html"):
        try:
            reading = read_document(text.encode("utf-8", "surrogatepass"), ReadRequest(name=name))
        except Unreadable:
            continue
        assert all("\0" not in piece.text for document in reading.documents for piece in document.pieces)
