"""Columns are recognised by common names, and a person can override them."""

import pytest

from almanac.desks.reminders.formats.columns import choose_columns, guess_columns
from almanac.errors import FieldErrors


@pytest.mark.parametrize(
    "header",
    [
        ["Customer ID", "Name", "E-Mail", "Invoice No.", "Amount", "Currency", "Invoice Date", "Due Date"],
        [
            "Kundennummer",
            "Firma",
            "E-Mail-Adresse",
            "Rechnungsnummer",
            "Betrag",
            "Währung",
            "Rechnungsdatum",
            "Fällig am",
        ],
        ["customer_id", "customer_name", "customer_email", "invoice_number", "amount", "currency", "issued", "due"],
        ["ID Pelanggan", "Nama", "Emel", "No Invois", "Jumlah", "Mata Wang", "Tarikh Invois", "Tarikh Akhir"],
        ["客户编号", "客户名称", "邮箱", "发票号码", "金额", "币种", "开票日期", "到期日"],
        ["客戶編號", "客戶名稱", "郵箱", "發票號碼", "金額", "幣種", "開票日期", "到期日"],
    ],
)
def test_names_of_columns_are_known_in_many_forms(header):
    fields = ["customer_id", "customer_name", "customer_email", "invoice_number", "amount", "currency", "issued", "due"]
    assert guess_columns(header) == {field: place for place, field in enumerate(fields)}


def test_a_person_overrules_the_guess():
    header = ["Customer", "Number", "Total", "Gross", "Due"]
    assert choose_columns(header, {"amount": "Gross"})["amount"] == 3
    with pytest.raises(FieldErrors) as failure:
        choose_columns(header, {"amount": ""})
    assert failure.value.fields == {"amount": "Choose the column for this field."}


def test_a_mapping_that_makes_no_sense_is_refused_by_field():
    with pytest.raises(FieldErrors) as failure:
        choose_columns(["Customer", "Name"], {"colour": "Name", "notes": "Remarks"})
    assert set(failure.value.fields) == {"colour", "notes"}
    assert "it has Customer, Name" in failure.value.fields["notes"]


def test_a_file_without_an_id_asks_for_one():
    with pytest.raises(FieldErrors) as failure:
        choose_columns(["Colour", "Size"])
    assert set(failure.value.fields) == {"customer_id", "customer_name"}
