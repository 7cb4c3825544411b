"""Which column holds which field: guessed from common column names, or chosen by a person."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Literal, get_args

from almanac.errors import FieldErrors
from almanac.kit.messages import gettext
from almanac.verify.normalization import to_simplified_chinese

ImportField = Literal[
    "customer_id",
    "customer_name",
    "customer_email",
    "language",
    "time_zone",
    "notes",
    "invoice_number",
    "amount",
    "currency",
    "issued",
    "due",
    "paid",
]
IMPORT_FIELDS: tuple[ImportField, ...] = get_args(ImportField)

Columns = Mapping[ImportField, int]

_NOT_A_WORD = re.compile(r"[\W_]+")
_NAMES: dict[ImportField, str] = {
    "customer_id": "customer id, customer no, customer number, customer code, client id, client code, account id, "
    "account number, account code, debtor number, debtor, customer, client, account, kundennummer, kunden nr, kunde, "
    "debitor, id pelanggan, no pelanggan, kod pelanggan, 客户编号, 客户号",
    "customer_name": "customer name, client name, account name, company, company name, name, bill to, kundenname, "
    "firma, nama pelanggan, nama, 客户名称, 客户, 名称",
    "customer_email": "email, e mail, mail, customer email, client email, email address, contact email, "
    "emel, alamat emel, e mail adresse, 邮箱, 电子邮件",
    "language": "language, locale, lang, sprache, bahasa, 语言",
    "time_zone": "time zone, timezone, zeitzone, zon masa, 时区",
    "notes": "notes, note, remarks, comment, memo, bemerkung, catatan, 备注",
    "invoice_number": "invoice number, invoice no, invoice id, invoice, number, document number, doc no, reference, "
    "rechnungsnummer, rechnung, rechnungs nr, belegnummer, no invois, nombor invois, "
    "invois, 发票号, 发票号码, 发票编号",
    "amount": "amount, total, invoice amount, invoice total, gross, gross amount, amount due, balance, betrag, "
    "gesamtbetrag, brutto, jumlah, amaun, 金额, 总额",
    "currency": "currency, currency code, ccy, wahrung, mata wang, 币种, 货币",
    "issued": "issued, issue date, invoice date, date, document date, rechnungsdatum, belegdatum, datum, "
    "tarikh invois, tarikh, 开票日期, 日期",
    "due": "due, due date, payment due, due on, pay by, fallig, fallig am, falligkeit, falligkeitsdatum, "
    "tarikh akhir, tarikh tempoh, 到期日, 到期日期",
    "paid": "paid, amount paid, paid amount, payments, bezahlt, dibayar, telah dibayar, 已付, 已付金额",
}


def _normalize_name(name: str) -> str:
    decomposed = unicodedata.normalize("NFKD", name).casefold()
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return _NOT_A_WORD.sub(" ", bare).strip()


_ALIASES: dict[ImportField, list[str]] = {
    field: [_normalize_name(field), *(_normalize_name(name) for name in names.split(","))]
    for field, names in _NAMES.items()
}


def guess_columns(header: Sequence[str]) -> dict[ImportField, int]:
    """Columns with known names, in either Chinese script. The most specific name wins; no column is used twice."""
    names = [_normalize_name(to_simplified_chinese(name)) for name in header]
    ranked = sorted(
        (aliases.index(name), place, field)
        for field, aliases in _ALIASES.items()
        for place, name in enumerate(names)
        if name in aliases
    )
    columns: dict[ImportField, int] = {}
    for _, place, field in ranked:
        if field not in columns and place not in columns.values():
            columns[field] = place
    return columns


def choose_columns(header: Sequence[str], chosen: Mapping[str, str] | None = None) -> dict[ImportField, int]:
    """The guess, overridden by `chosen`: field to column name, or an empty name for none."""
    columns = guess_columns(header)
    errors: dict[str, str] = {}
    for name, column in (chosen or {}).items():
        field = next((field_name for field_name in IMPORT_FIELDS if field_name == name), None)
        if field is None:
            errors[name] = gettext(
                "%(name)s isn't a field; choose from %(names)s.",
                name=name,
                names=", ".join(IMPORT_FIELDS),
            )
        elif not column:
            columns.pop(field, None)
        elif column not in header:
            errors[name] = gettext(
                "The file has no column %(column)s; it has %(header)s.", column=column, header=", ".join(header)
            )
        else:
            columns[field] = header.index(column)
    errors |= _missing(columns, errors)
    if errors:
        raise FieldErrors(errors, gettext("Choose the columns."))
    return columns


def _missing(columns: Columns, errors: Mapping[str, str]) -> dict[str, str]:
    needed: list[ImportField] = ["customer_id"]
    needed += ["invoice_number", "amount"] if holds_invoices(columns) else ["customer_name"]
    return {
        field: gettext("Choose the column for this field.")
        for field in needed
        if field not in columns and field not in errors
    }


def holds_invoices(columns: Columns) -> bool:
    """Whether the rows are invoices; a file without invoice columns lists customers."""
    return bool({"invoice_number", "amount", "due"} & set(columns))
