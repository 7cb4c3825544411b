"""What a file leaves open: ambiguous dates and amounts, a currency that nobody names."""

from collections.abc import Iterator

from almanac.desks.reminders.importing.amounts import NoAmount, leaves_mark_open, take_apart
from almanac.desks.reminders.importing.days import NoDay, TwoDays, parse_day
from almanac.desks.reminders.importing.entries import DAYS, RowReader
from almanac.desks.reminders.importing.report import Question


def open_questions(reader: RowReader) -> tuple[Question, ...]:
    """Each with an example from the file; rows that hang on them are refused until they are answered."""
    return (*_about_days(reader), *_about_marks(reader), *_about_currency(reader))


def _about_days(reader: RowReader) -> Iterator[Question]:
    for column in DAYS:
        for cell in reader.cells(column):
            try:
                parse_day(cell, reader.order_of(column))
            except TwoDays:
                sentence = f"Does a date such as {cell} begin with the day or with the month?"
                yield Question(field="day_order", sentence=sentence, choices=("dmy", "mdy"), example=cell)
                return
            except NoDay:
                continue


def _about_marks(reader: RowReader) -> Iterator[Question]:
    if reader.mark is not None:
        return
    for cell, currency in reader.amounts():
        try:
            is_open = leaves_mark_open(cell, currency)
        except NoAmount:
            continue
        if is_open:
            sentence = f"Is the mark in {cell} a decimal mark, or does it part thousands?"
            yield Question(field="decimal_mark", sentence=sentence, choices=(".", ","), example=cell)
            return


def _about_currency(reader: RowReader) -> Iterator[Question]:
    amounts = reader.cells("amount")
    if not amounts or "currency" in reader.columns or reader.reading.currency:
        return
    for cell in amounts:
        try:
            sign = take_apart(cell).currency
        except NoAmount:
            continue
        if sign in ("", "$", "¥"):
            yield Question(field="currency", sentence="In which currency are the amounts?", choices=(), example=cell)
            return
