"""PDFs of content that the fonts or the accessibility standard can't handle."""

from datetime import date

from almanac.pdf import render_pdf

DAY = date(2026, 1, 26)
TEMPLATE = b'#set document(title: "Marks")\n#set text(lang: "en")\n#sys.inputs.data\n'


def test_a_mark_without_glyph_is_named_and_its_digit_is_kept():
    texts = []

    def build_data(names):
        texts.append("10\u0347\u0345 of \U000e0041".translate(names))
        return texts[-1]

    pdf = render_pdf(TEMPLATE, build_data, DAY)

    assert pdf.content.startswith(b"%PDF")
    assert texts[-1].startswith("10")
    assert "digit" not in texts[-1]


def test_a_document_without_title_is_rendered_untagged():
    pdf = render_pdf(b"#sys.inputs.data", lambda _: "text", DAY)
    assert pdf.content.startswith(b"%PDF")
    assert b"pdfuaid" not in pdf.content
