"""CSV files in every encoding and dialect that Excel, LibreOffice and their users produce."""

import pytest

from almanac.desks.reminders.formats.sheet import MAX_ROWS, decode_file, read_sheet, write_csv
from almanac.errors import InputError, TooLarge

TEXT = "Kunde;Betrag\nMüller & Söhne;12,50 €\n"


@pytest.mark.parametrize(
    ("content", "encoding"),
    [
        (TEXT.encode(), "UTF-8"),
        (TEXT.encode("utf-8-sig"), "UTF-8"),
        (TEXT.encode("utf-16"), "UTF-16"),
        (TEXT.encode("utf-16-le"), "UTF-16"),
        (TEXT.encode("utf-16-be"), "UTF-16"),
        (TEXT.encode("cp1252"), "Windows-1252"),
    ],
)
def test_a_file_reads_the_same_in_every_encoding(content, encoding):
    decoded = decode_file(content)
    assert (decoded.text, decoded.encoding) == (TEXT, encoding)


@pytest.mark.parametrize(
    ("charset", "name"), [("gbk", "gb18030"), ("big5", "big5hkscs"), ("cp932", "cp932"), ("utf-32", "UTF-32")]
)
def test_a_sheet_of_east_asia_is_read(charset, name):
    text = {"gbk": "客户编号,金额\n新能源有限公司,12.50\n", "big5": "客戶編號,金額\n新能源有限公司,12.50\n"}.get(
        charset, "顧客番号,金額\n太陽光発電株式会社,12.50\n"
    )
    decoded = decode_file(text.encode(charset))
    assert (decoded.text, decoded.encoding) == (text, name)


def test_lines_of_two_encodings_in_one_file_are_both_read():
    content = "Name\nMüller\n".encode() + "Søren\n".encode("cp1252")
    decoded = decode_file(content)
    assert decoded.text == "Name\nMüller\nSøren\n"
    assert decoded.encoding == "UTF-8 and Windows-1252"


def test_a_spreadsheet_that_was_not_saved_as_text_is_refused_with_advice():
    with pytest.raises(InputError, match="save the sheet as CSV"):
        decode_file(b"PK\x03\x04\x00\x00\x00\x00rest")


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_the_separator_is_found(separator):
    rows = [["id", "name", "amount"], ["a", 'Smith; "Sons", Ltd', "1"], ["b", "Jones", "2"]]
    text = "\r\n".join(separator.join('"' + cell.replace('"', '""') + '"' for cell in row) for row in rows)
    sheet = read_sheet(text.encode())
    assert sheet.separator == separator
    assert [list(row.cells) for row in sheet.rows] == rows[1:]


def test_decimal_commas_do_not_pass_for_separators():
    sheet = read_sheet(b"id;amount;due\na;12,50;2025-01-01\nb;13,50;2025-01-01\n")
    assert sheet.separator == ";"


def test_a_first_line_of_excel_names_the_separator_and_is_no_row():
    sheet = read_sheet(b"sep=|\nid|name, short; long\na|b\n")
    assert sheet.header == ("id", "name, short; long")
    assert [(row.line, row.cells) for row in sheet.rows] == [(3, ("a", "b"))]


def test_quoted_line_breaks_stay_in_their_cell_and_lines_are_counted():
    sheet = read_sheet(b'id,name\na,"One\nTwo"\n\nb,Three\n')
    assert [(row.line, row.cells) for row in sheet.rows] == [(2, ("a", "One\nTwo")), (5, ("b", "Three"))]
    assert sheet.blank == 1


def test_a_quotation_mark_that_is_never_closed_costs_its_own_lines_only():
    content = b'id,name\na,"' + b"x" * 140_000 + b"\nb,Jones\n"
    sheet = read_sheet(content)
    assert "never closed" in sheet.rows[0].broken
    assert sheet.rows[-1].cells == ("b", "Jones")


@pytest.mark.parametrize("content", [b"", b"\n\n", b" ; ; \n"])
def test_an_empty_file_is_refused(content):
    with pytest.raises(InputError, match="no rows"):
        read_sheet(content)


def test_a_file_that_is_too_long_is_refused():
    with pytest.raises(TooLarge):
        read_sheet(b"id,name\n" + b"a,b\n" * (MAX_ROWS + 1))


def test_a_written_file_runs_no_formula_and_keeps_negative_numbers():
    text = write_csv([["=1+1", "@cmd", "-5.00", "-x", "plain"]]).decode("utf-8-sig")
    assert text == "'=1+1,'@cmd,-5.00,'-x,plain\r\n"
