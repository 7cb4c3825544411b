"""What an import did, or would do: one line for each row, and how many there are of each kind."""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

import msgspec

from almanac.desks.reminders.importing.sheet import Sheet, write_csv

Outcome = Literal["created", "updated", "unchanged", "refused"]
_ERASED = "The customer was erased on request."
OUTCOMES: tuple[Outcome, ...] = ("created", "updated", "unchanged", "refused")


class RowOutcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the row on a line; a reason where it was refused."""

    line: int
    outcome: Outcome
    customer_id: str = ""
    number: str = ""
    reason: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """Something that the file leaves open: which part of the reading to say, what may be said, and an example."""

    field: str
    sentence: str
    choices: tuple[str, ...]
    example: str


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """Every row accounted for. With `trial`, nothing was written."""

    trial: bool
    encoding: str
    separator: str
    columns: dict[str, str]
    rows: tuple[RowOutcome, ...]
    blank: int = 0
    customers_created: int = 0
    customers_updated: int = 0
    questions: tuple[Question, ...] = ()

    @property
    def counts(self) -> dict[Outcome, int]:
        """How many rows came to what; together they are all rows."""
        seen = Counter(row.outcome for row in self.rows)
        return {outcome: seen[outcome] for outcome in OUTCOMES}

    def without(self, customer_id: str) -> "ImportReport":
        """The same with nothing quoted from the rows of a customer who was erased."""
        rows = tuple(
            msgspec.structs.replace(row, reason=_ERASED) if row.reason and row.customer_id == customer_id else row
            for row in self.rows
        )
        return msgspec.structs.replace(self, rows=rows)

    @property
    def refused(self) -> list[RowOutcome]:
        return [row for row in self.rows if row.outcome == "refused"]


def refused_rows(sheet: Sheet, rows: Sequence[RowOutcome]) -> bytes:
    """The refused rows as a file to correct and import again, each with its line and the reason."""
    reasons = {row.line: row.reason for row in rows if row.outcome == "refused"}
    width = len(sheet.header)
    lines = [
        (*row.cells[:width], *[""] * (width - len(row.cells)), str(row.line), reasons[row.line])
        for row in sheet.rows
        if row.line in reasons
    ]
    return write_csv([(*sheet.header, "line", "reason"), *lines])
