"""A PDF that can't be made for screen readers is still made."""

from datetime import date

from almanac.typesetting.pdf import set_pdf


def test_a_document_without_a_title_is_set_by_no_standard():
    made = set_pdf(b"#sys.inputs.data", lambda _: "text", date(2026, 1, 26))
    assert made.content.startswith(b"%PDF")
    assert b"pdfuaid" not in made.content
