"""The report of an import: one line for each row, the totals, and questions that the file leaves open."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from almanac.desks.reminders.formats.amounts import InvalidAmount, is_mark_ambiguous, split_amount
from almanac.desks.reminders.formats.dates import AmbiguousDate, InvalidDate, parse_date
from almanac.desks.reminders.formats.rows import DATE_FIELDS, RowReader
from almanac.desks.reminders.formats.sheet import Sheet, write_csv
from almanac.kit.messages import gettext

RowResult = Literal["created", "updated", "unchanged", "refused"]
_ERASED = gettext("The customer was erased on request.")
ROW_RESULTS: tuple[RowResult, ...] = ("created", "updated", "unchanged", "refused")


class RowOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of the row on a line, with the reason if it was refused."""

    line: int
    outcome: RowResult
    customer_id: str = ""
    number: str = ""
    reason: str = ""


class ImportQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the file leaves open: the option to set, its choices, and an example."""

    field: str
    sentence: str
    choices: tuple[str, ...]
    example: str


class LedgerImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome of every row. With `trial`, nothing was written."""

    trial: bool
    encoding: str
    separator: str
    columns: dict[str, str]
    rows: tuple[RowOutcome, ...]
    blank: int = 0
    customers_created: int = 0
    customers_updated: int = 0
    questions: tuple[ImportQuestion, ...] = ()

    @property
    def counts(self) -> dict[RowResult, int]:
        """The number of rows with each outcome."""
        seen = Counter(row.outcome for row in self.rows)
        return {outcome: seen[outcome] for outcome in ROW_RESULTS}

    def without(self, customer_id: str) -> "LedgerImportReport":
        """The report without anything quoted from rows of an erased customer."""
        rows = tuple(
            msgspec.structs.replace(row, reason=_ERASED) if row.reason and row.customer_id == customer_id else row
            for row in self.rows
        )
        return msgspec.structs.replace(self, rows=rows)

    @property
    def refused(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.outcome == "refused"]


def write_refused_rows(sheet: Sheet, rows: Sequence[RowOutcome]) -> bytes:
    """The refused rows as a CSV file to correct and import again, each with its line and reason."""
    reasons = {row.line: row.reason for row in rows if row.outcome == "refused"}
    width = len(sheet.header)
    lines = [
        (*row.cells[:width], *[""] * (width - len(row.cells)), str(row.line), reasons[row.line])
        for row in sheet.rows
        if row.line in reasons
    ]
    return write_csv([(*sheet.header, "line", "reason"), *lines])


def find_open_questions(reader: RowReader) -> tuple[ImportQuestion, ...]:
    """Questions with an example from the file; rows that depend on them are refused until answered."""
    return (*_ask_day_order(reader), *_ask_decimal_mark(reader), *_ask_currency(reader))


def _ask_day_order(reader: RowReader) -> Iterator[ImportQuestion]:
    for column in DATE_FIELDS:
        for cell in reader.cells(column):
            try:
                parse_date(cell, reader.order_of(column))
            except AmbiguousDate:
                sentence = gettext("Does a date such as %(cell)s start with the day or the month?", cell=cell)
                yield ImportQuestion(field="day_order", sentence=sentence, choices=("dmy", "mdy"), example=cell)
                return
            except InvalidDate:
                continue


def _ask_decimal_mark(reader: RowReader) -> Iterator[ImportQuestion]:
    if reader.mark is not None:
        return
    for cell, currency in reader.amounts():
        try:
            is_open = is_mark_ambiguous(cell, currency)
        except InvalidAmount:
            continue
        if is_open:
            sentence = gettext("Does the mark in %(cell)s separate decimals or thousands?", cell=cell)
            yield ImportQuestion(field="decimal_mark", sentence=sentence, choices=(".", ","), example=cell)
            return


def _ask_currency(reader: RowReader) -> Iterator[ImportQuestion]:
    amounts = reader.cells("amount")
    if not amounts or "currency" in reader.columns or reader.reading.currency:
        return
    for cell in amounts:
        try:
            sign = split_amount(cell).currency
        except InvalidAmount:
            continue
        if sign in ("", "$", "¥"):
            yield ImportQuestion(
                field="currency", sentence=gettext("Which currency are the amounts in?"), choices=(), example=cell
            )
            return
