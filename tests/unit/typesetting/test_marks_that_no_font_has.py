"""A mark that no font has is named in print; what it was put on stays as it is."""

from datetime import date

from almanac.typesetting.pdf import set_pdf

TEMPLATE = b'#set document(title: "Marks")\n#set text(lang: "en")\n#sys.inputs.data\n'


def test_a_figure_under_a_mark_stays_a_figure():
    shown = []

    def data_with(signs):
        shown.append("10\u0347\u0345 of \U000e0041".translate(signs))
        return shown[-1]

    made = set_pdf(TEMPLATE, data_with, date(2026, 1, 26))

    assert made.content.startswith(b"%PDF")
    assert shown[-1].startswith("10")
    assert "digit" not in shown[-1]
