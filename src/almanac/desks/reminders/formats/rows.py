"""Reads a row as a customer and perhaps an invoice, or says why it can't."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from almanac.desks.reminders.formats.amounts import (
    DecimalMark,
    InvalidAmount,
    detect_decimal_mark,
    parse_amount,
    parse_currency,
)
from almanac.desks.reminders.formats.columns import Columns, ImportField, choose_columns, holds_invoices
from almanac.desks.reminders.formats.dates import DayOrder, InvalidDate, detect_day_order, parse_date
from almanac.desks.reminders.formats.sheet import UNREADABLE, Sheet, SheetRow
from almanac.desks.reminders.store.table import CUSTOMER_ID_PATTERN
from almanac.errors import InputError
from almanac.kit.messages import gettext
from almanac.kit.money import Money
from almanac.kit.text import one_line
from almanac.mail.message import Address

MAX_NAME, MAX_NUMBER, MAX_NOTES = 300, 100, 10_000
MAX_RECIPIENTS = 20
LANGUAGE_PATTERN = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
_SCIENTIFIC_NUMBER = re.compile(r"\d(\.\d+)?E\+\d+", re.IGNORECASE)
DATE_FIELDS: tuple[ImportField, ...] = ("issued", "due")
_ADDRESS_SEPARATORS = re.compile(r"[;,\s]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportOptions:
    """How to read a file where it is ambiguous. `columns` maps fields to column names."""

    columns: Mapping[str, str] = field(default_factory=dict)
    decimal_mark: DecimalMark | None = None
    day_order: DayOrder | None = None
    currency: str | None = None
    terms_days: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedCustomer:
    """A customer as a row describes it; empty fields are unknown."""

    id: str
    name: str = ""
    emails: tuple[str, ...] = ()
    language: str = ""
    time_zone: str = ""
    notes: str = ""


@dataclass(frozen=True, slots=True)
class ImportedInvoice:
    """An invoice as a row describes it."""

    number: str
    amount: Money
    issued: date | None
    due: date
    paid: Money | None


@dataclass(frozen=True, slots=True)
class ImportRow:
    """A row that could be read."""

    line: int
    customer: ImportedCustomer
    invoice: ImportedInvoice | None = None


@dataclass(frozen=True, slots=True)
class RefusedRow:
    """A row that can't be imported and why, with its customer and invoice number if they could be read."""

    line: int
    reason: str
    customer_id: str = ""
    number: str = ""


class RowError(ValueError):
    """Why a row can't be imported, as a sentence."""


class RowReader:
    """Reads the rows of one sheet, using what whole columns say about dates and decimals."""

    def __init__(self, sheet: Sheet, reading: ImportOptions) -> None:
        self.sheet = sheet
        self.columns: Columns = choose_columns(sheet.header, reading.columns)
        self.reading = reading
        self.mark = reading.decimal_mark or detect_decimal_mark([*self.cells("amount"), *self.cells("paid")])
        self.orders = {name: reading.day_order or detect_day_order(self.cells(name)) for name in DATE_FIELDS}
        orders = {order for order in self.orders.values() if order}
        self.order: DayOrder | None = orders.pop() if len(orders) == 1 else None

    @property
    def holds_invoices(self) -> bool:
        return holds_invoices(self.columns)

    def read(self, row: SheetRow) -> ImportRow | RefusedRow:
        """The customer and invoice of one row, or why it is refused."""
        if row.broken:
            return RefusedRow(row.line, row.broken)
        shown = one_line(self._cell(row, "customer_id"))[:100], one_line(self._cell(row, "invoice_number"))[:100]
        try:
            self._check_cells(row)
            invoice = self._invoice(row) if self.holds_invoices else None
            return ImportRow(row.line, self._customer(row), invoice)
        except (RowError, InvalidAmount, InvalidDate) as error:
            return RefusedRow(row.line, str(error), *shown)
        except InputError as error:
            return RefusedRow(row.line, str(error.sentence), *shown)

    def order_of(self, name: ImportField) -> DayOrder | None:
        """Day or month first in a column. One column decides for the other, because programs write all dates alike."""
        return self.orders.get(name) or self.order

    def cells(self, name: ImportField) -> list[str]:
        """The non-empty cells of a column."""
        return [cell for row in self.sheet.rows if (cell := self._cell(row, name).strip())]

    def amounts(self) -> Iterator[tuple[str, str | None]]:
        """Each amount with its row's currency, None if that isn't valid."""
        for row in self.sheet.rows:
            if cell := self._cell(row, "amount").strip():
                try:
                    yield cell, self._currency(row)
                except InvalidAmount:
                    yield cell, None

    def _cell(self, row: SheetRow, name: ImportField) -> str:
        place = self.columns.get(name)
        return row.cells[place] if place is not None and place < len(row.cells) else ""

    def _check_cells(self, row: SheetRow) -> None:
        width = len(self.sheet.header)
        if any(cell.strip() for cell in row.cells[width:]):
            raise RowError(
                gettext(
                    "The row has %(count)s cells and there are %(width)s columns; put cells that hold the separator "
                    "into quotation marks.",
                    count=len(row.cells),
                    width=width,
                )
            )
        if any(UNREADABLE in cell for cell in row.cells):
            raise RowError(gettext("The row has characters that can't be read; save the file as UTF-8."))

    def _customer(self, row: SheetRow) -> ImportedCustomer:
        customer = one_line(self._cell(row, "customer_id"))
        if not CUSTOMER_ID_PATTERN.fullmatch(customer):
            raise RowError(
                gettext("A customer id has 1 to 100 letters, digits or _ . @ + -, without spaces.")
                if customer
                else gettext("The customer's id is missing.")
            )
        return ImportedCustomer(
            id=customer,
            name=self._text(row, "customer_name", MAX_NAME),
            emails=self._emails(row),
            language=self._language(row),
            time_zone=self._time_zone(row),
            notes=self._text(row, "notes", MAX_NOTES),
        )

    def _text(self, row: SheetRow, name: ImportField, longest: int) -> str:
        text = one_line(self._cell(row, name))
        if len(text) > longest:
            raise RowError(
                gettext(
                    "The %(name)s is %(count)s characters long; %(longest)s are the maximum.",
                    name=name.replace("_", " "),
                    count=f"{len(text):,}",
                    longest=f"{longest:,}",
                )
            )
        return text

    def _emails(self, row: SheetRow) -> tuple[str, ...]:
        cells = filter(None, _ADDRESS_SEPARATORS.split(self._cell(row, "customer_email").strip()))
        emails = tuple(dict.fromkeys(Address.parse(cell).email for cell in cells))
        if len(emails) > 1 + MAX_RECIPIENTS:
            raise RowError(
                gettext(
                    "A customer has at most %(value)s addresses; the row has %(count)s.",
                    value=1 + MAX_RECIPIENTS,
                    count=len(emails),
                )
            )
        return emails

    def _language(self, row: SheetRow) -> str:
        language = self._cell(row, "language").strip()
        if language and not LANGUAGE_PATTERN.fullmatch(language):
            raise RowError(gettext("“%(language)s” isn't a language; use a code such as en.", language=language[:40]))
        return language

    def _time_zone(self, row: SheetRow) -> str:
        zone = self._cell(row, "time_zone").strip()
        try:
            return ZoneInfo(zone).key if zone else ""
        except (ValueError, OSError, KeyError):
            raise RowError(
                gettext("“%(zone)s” isn't a time zone; use a name such as Asia/Kuala_Lumpur.", zone=zone[:40])
            ) from None

    def _invoice(self, row: SheetRow) -> ImportedInvoice:
        number = self._text(row, "invoice_number", MAX_NUMBER)
        if not number:
            raise RowError(gettext("The invoice number is missing."))
        if _SCIENTIFIC_NUMBER.fullmatch(number):
            raise RowError(
                gettext(
                    "%(number)s is a shortened number; format the column as text before saving the sheet.",
                    number=number,
                )
            )
        currency = self._currency(row)
        amount = self._amount(row, "amount", currency)
        if amount is None:
            raise RowError(gettext("The amount is missing."))
        if amount.amount <= 0:
            raise RowError(
                gettext("The amount is %(value)s; it must be more than zero.", value=amount.amount or "zero")
            )
        paid = self._amount(row, "paid", amount.currency)
        if paid is not None and not 0 <= paid.amount <= amount.amount:
            raise RowError(gettext("%(paid)s can't be paid on an invoice of %(amount)s.", paid=paid, amount=amount))
        issued = self._day(row, "issued")
        return ImportedInvoice(number, amount, issued, self._due(row, issued), paid)

    def _currency(self, row: SheetRow) -> str | None:
        cell = self._cell(row, "currency").strip() or (self.reading.currency or "")
        return parse_currency(cell) if cell else None

    def _amount(self, row: SheetRow, name: ImportField, currency: str | None) -> Money | None:
        cell = self._cell(row, name).strip()
        return parse_amount(cell, self.mark, currency) if cell else None

    def _day(self, row: SheetRow, name: ImportField) -> date | None:
        cell = self._cell(row, name).strip()
        return parse_date(cell, self.order_of(name)) if cell else None

    def _due(self, row: SheetRow, issued: date | None) -> date:
        due = self._day(row, "due")
        if due is None and issued is not None and self.reading.terms_days is not None:
            due = issued + timedelta(days=self.reading.terms_days)
        if due is None:
            raise RowError(gettext("The due date is missing; add it, or choose days to pay for the whole file."))
        if issued is not None and due < issued:
            raise RowError(
                gettext(
                    "The invoice would be due on %(due)s, before it was issued on %(issued)s.",
                    due=str(due),
                    issued=str(issued),
                )
            )
        return due
