"""PDF files are read: paragraphs, headings, pages, broken words; without text they say why."""

import pytest

from almanac.documents.model import Unreadable


def words_of(reading):
    return "\n\n".join(piece.text for document in reading.documents for piece in document.pieces)


def test_paragraphs_headings_pages_title_and_date_are_found(read_file, pdf, paragraph):
    source = "\n\n".join(
        ["#set document(date: datetime(year: 2026, month: 2, day: 3))", "= Ward report"]
        + [f"== Part {i}\n\n{paragraph(i, 10)}\n#pagebreak()" for i in range(3)]
    )
    (document,) = read_file(pdf(source)).documents
    assert (document.title, str(document.published), document.language) == ("Ward report", "2026-02-03", "en")
    assert [(piece.page, tuple(piece.heading)) for piece in document.pieces] == [
        (1, ("Ward report", "Part 0")),
        (2, ("Ward report", "Part 1")),
        (3, ("Ward report", "Part 2")),
    ]
    assert [piece.text for piece in document.pieces] == [paragraph(i, 10) for i in range(3)]


def test_a_sentence_that_runs_over_a_page_is_whole(read_file, pdf, paragraph):
    reading = read_file(pdf("#set page(width: 9cm, height: 6cm, margin: 1cm)\n" + paragraph(1, 12)))
    assert paragraph(1, 12) == " ".join(words_of(reading).split())


def test_words_that_were_broken_are_whole_again(read_file, pdf):
    text = "Extraordinary precipitation characterised the infrastructural circumstances notwithstanding. " * 4
    source = f'#set page(width: 6cm, height: 20cm, margin: 1cm)\n#set par(justify: true)\n#set text(lang: "en")\n{text}'
    assert " ".join(words_of(read_file(pdf(source))).split()) == text.strip()


def test_running_heads_and_page_numbers_are_left_out(read_file, pdf, paragraph):
    head = "#set page(header: [Quarterly bulletin], footer: context [Page #counter(page).display()])"
    words = words_of(read_file(pdf(head + "\n" + "\n#pagebreak()\n".join(paragraph(i, 8) for i in range(5)))))
    assert "bulletin" not in words
    assert "Page" not in words
    assert "ward 40" in words


def test_a_number_at_the_start_of_a_line_is_not_an_item(read_file, pdf):
    text = "The harvest of the northern counties reached in the year of the drought a total of 5. " * 3
    source = "#set page(width: 8cm, height: 20cm, margin: 1cm)\n" + text
    assert " ".join(words_of(read_file(pdf(source))).split()) == text.strip()


def test_a_hundred_pages_are_read(read_file, pdf, paragraph):
    pages = "\n#pagebreak()\n".join(paragraph(i, 6) for i in range(100))
    reading = read_file(pdf(pages))
    assert reading.documents[0].pieces[-1].page in (99, 100)
    assert all(f"ward {i * 10} met" in words_of(reading) for i in range(100))


def test_pages_without_text_are_told(read_file, pdf, paragraph):
    reading = read_file(pdf(f"{paragraph(1)}\n#pagebreak()\n#rect()\n#pagebreak()\n{paragraph(2)}"))
    assert reading.problems == ["Page 2: no text, perhaps a scanned picture."]


@pytest.mark.parametrize(
    ("make", "reason"),
    [
        (lambda pdf: pdf("#rect(width: 5cm)"), "text recognition"),
        (lambda pdf: pdf("Some words.")[:400], "damaged"),
        (lambda pdf: b"%PDF-1.7\nnothing of the kind", "damaged"),
    ],
)
def test_a_pdf_without_text_says_why(read_file, pdf, make, reason):
    with pytest.raises(Unreadable, match=reason):
        read_file(make(pdf))


def test_a_pdf_with_a_password_says_so(read_file):
    with pytest.raises(Unreadable, match="password"):
        read_file(ENCRYPTED)


def test_too_many_pages_are_refused_with_the_number(read_file, pdf):
    with pytest.raises(Unreadable, match="3 pages; at most 2"):
        read_file(pdf("a\n#pagebreak()\nb\n#pagebreak()\nc"), max_pages=2)


def test_no_cut_of_a_pdf_breaks_the_reader(read_file, pdf, paragraph):
    whole = pdf(paragraph(1))
    refused = 0
    for end in range(0, len(whole), max(1, len(whole) // 40)):
        damaged = whole[:end] + bytes(b ^ 0x55 for b in whole[end : end + 20]) + whole[end + 20 :]
        try:
            assert read_file(damaged, "a.pdf").documents
        except Unreadable:
            refused += 1
    assert refused


# A page protected with the user password "secret": standard security handler, revision 2, 40-bit RC4.
ENCRYPTED = (
    b"%PDF-1.4\n"
    b"1 0 obj\n"
    b"<< /Type /Catalog /Pages 2 0 R >>\n"
    b"endobj\n"
    b"2 0 obj\n"
    b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>\n"
    b"endobj\n"
    b"3 0 obj\n"
    b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 99 99] >>\n"
    b"endobj\n"
    b"4 0 obj\n"
    b"<< /Filter /Standard /V 1 /R 2 /O <92fe0f4454ad4c9644693f33c07cb54f587dce1e2682fe9ecea6107a1ef630dd>"
    b" /U <902d6c0d6b77adef97ca1c71e49308c613b917b2ad6ef711a0cb410737994360> /P -4 >>\n"
    b"endobj\n"
    b"xref\n"
    b"0 5\n"
    b"0000000000 65535 f \n"
    b"0000000009 00000 n \n"
    b"0000000058 00000 n \n"
    b"0000000115 00000 n \n"
    b"0000000184 00000 n \n"
    b"trailer\n"
    b"<< /Size 5 /Root 1 0 R /Encrypt 4 0 R /ID [<30313233343536373839616263646566>"
    b" <30313233343536373839616263646566>] >>\n"
    b"startxref\n"
    b"379\n"
    b"%%EOF\n"
)
