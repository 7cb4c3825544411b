"""Parsing and printing that the desk's commands share; JSON output is the same as the API's."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Annotated

import typer
from pydantic import BaseModel

from almanac.desks.reminders.model.ledger import AMOUNT_LIMIT, FIRST_DAY, LAST_DAY, is_plausible_date
from almanac.errors import InputError
from almanac.kit.money import Money, currency_decimals
from almanac.kit.progress import Progress
from almanac.terminal import print_json, print_table, progress

Customer = Annotated[str, typer.Argument(metavar="CUSTOMER", help="The customer's id.")]
DraftArgument = Annotated[str, typer.Argument(metavar="DRAFT", help="Such as 20250921_143022_cust_001.")]
NoteOption = Annotated[str, typer.Option("--note", help="A note for other people.")]


def print_all(bodies: Sequence[BaseModel]) -> None:
    """Print a JSON list, the same as the API's."""
    print_json([body.model_dump(mode="json") for body in bodies])


def print_one(body: BaseModel) -> None:
    """Print a JSON object, the same as the API's."""
    print_json(body.model_dump(mode="json"))


def print_rows(bodies: Sequence[BaseModel], columns: dict[str, str], *, as_json: bool, empty: str) -> None:
    """Print a list as JSON or as a table; `columns` maps headings to members."""
    if as_json:
        print_all(bodies)
        return
    rows = [[_cell(getattr(body, member)) for member in columns] for body in bodies]
    print_table(list(columns.values()), rows, empty=empty)


def _cell(value: object) -> object:
    if isinstance(value, datetime):
        return f"{value:%Y-%m-%d %H:%M}"
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else value


def parse_day(text: str | None) -> date | None:
    """Parse a date argument."""
    try:
        return date.fromisoformat(text) if text else None
    except ValueError:
        raise InputError(f"{text} isn't a date; use 2026-03-31.") from None


def parse_moment(text: str | None) -> datetime | None:
    """Parse a date or a time; UTC unless it has a time zone."""
    try:
        moment = datetime.fromisoformat(text) if text else None
    except ValueError:
        raise InputError(f"{text} isn't a date or time; use 2026-03-31 or 2026-03-31T09:00+02:00.") from None
    if moment is not None and not is_plausible_date(moment.date()):
        raise InputError(f"{text} is too far away; choose a day between {FIRST_DAY} and {LAST_DAY}.")
    return moment.replace(tzinfo=moment.tzinfo or UTC) if moment else None


def parse_required_moment(text: str) -> datetime:
    """Parse a date or a time that is required."""
    moment = parse_moment(text)
    if moment is None:
        raise InputError("Enter an end date, such as 2026-03-31.")
    return moment


def parse_money(amount: str, currency: str) -> Money:
    """Parse an exact amount."""
    try:
        number = Decimal(amount)
        money = Money(number, currency)
    except (InvalidOperation, ValueError) as error:
        raise InputError(f"{amount} {currency} isn't an amount; use 1500.00 EUR.") from error
    if abs(money.amount) >= AMOUNT_LIMIT:
        raise InputError(f"{amount} {currency} is more than anybody owes; look at its digits.")
    if money.amount != number:
        raise InputError(f"{currency} has {currency_decimals(currency)} decimal places; {amount} has more.")
    return money


def read_file(path: Path) -> bytes:
    """The content of a file."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path} can't be read ({error.strerror}); name another file.") from error


@contextmanager
def show_progress(title: str, *, quiet: bool) -> Iterator[Progress]:
    """A progress bar for work that reports its progress."""
    with progress(title, quiet=quiet) as display:

        async def report(done: int, total: int, doing: str) -> None:
            display.update(display.task_ids[0], completed=done, total=total, description=doing)

        yield report
