"""The audit log as a file, as JSON lines or CSV, and the check of such a file without the installation.

Each line has everything that is hashed, so that the file can be verified offline. A filtered file has gaps: its entries
are verified one by one, and each against the one before it where that is in the file.
"""

import csv
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from datetime import UTC, datetime
from itertools import chain
from typing import Literal

from almanac.audit.model import GENESIS, AuditEntry, check_entry
from almanac.errors import InputError
from almanac.kit.messages import gettext

ExportForm = Literal["jsonl", "csv"]
MEDIA_TYPES: Mapping[ExportForm, str] = {"jsonl": "application/jsonl", "csv": "text/csv"}
COLUMNS = tuple(field.name for field in fields(AuditEntry))
# For whoever reads the table; what people are called now, so neither hashed nor verified.
NAME_COLUMNS = ("actor_name", "object_name")
# A spreadsheet takes what begins with these for a formula; the mark is removed when the file is verified.
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "'")
_MARK = "'"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileReport:
    """Outcome of checking a file: `pieces` counts the runs of entries without a gap; `head` is the last hash."""

    entries: int
    pieces: int
    first: int | None
    last: int | None
    head: str
    broken_at: int | None = None
    reason: str = ""

    @property
    def is_intact(self) -> bool:
        return self.broken_at is None

    @property
    def is_whole(self) -> bool:
        """Whether the file begins with the first entry and misses none up to its last."""
        return self.is_intact and self.pieces == 1 and self.first == 1


def write_header(form: ExportForm) -> str:
    """What a file begins with."""
    return _csv_line(COLUMNS + NAME_COLUMNS) if form == "csv" else ""


def write_entry(entry: AuditEntry, form: ExportForm, names: Mapping[str, str] | None = None) -> str:
    """One entry as a line; in a table with the names of the people it is by and about."""
    values = asdict(entry) | {"recorded_at": entry.recorded_at.astimezone(UTC).isoformat(timespec="microseconds")}
    if form == "jsonl":
        return json.dumps(values, ensure_ascii=False) + "\n"
    people = [(names or {}).get(person, "") for person in (entry.actor_id, entry.object_id)]
    cells = ["" if values[name] is None else str(values[name]) for name in COLUMNS]
    return _csv_line(_protect(cell) for cell in cells + people)


def _csv_line(cells: Iterable[str]) -> str:
    line = io.StringIO()
    csv.writer(line).writerow(cells)
    return line.getvalue()


def _protect(cell: str) -> str:
    return _MARK + cell if cell.startswith(_FORMULA_STARTS) else cell


def read_entries(lines: Iterable[str]) -> Iterator[AuditEntry]:
    """The entries of a file of either form; InputError where a line is something else."""
    remaining = iter(lines)
    try:
        first = next(remaining, "")
        if not first.strip():
            return
        if first.lstrip().startswith("{"):
            for line in chain([first], remaining):
                if line.strip():
                    yield _entry(json.loads(line))
            return
        rows = csv.DictReader(chain([first], remaining))
        if tuple(rows.fieldnames or ()) not in (COLUMNS, COLUMNS + NAME_COLUMNS):
            raise InputError(gettext("This isn't an export of the audit log: the columns are different."))
        for row in rows:
            cells = {name: value.removeprefix(_MARK) if value else value for name, value in row.items()}
            yield _entry({**cells, "request_id": cells["request_id"] or None})
    except (ValueError, TypeError, KeyError, AttributeError, csv.Error) as error:
        raise InputError(gettext("This isn't an export of the audit log: a line can't be read.")) from error


def _entry(values: Mapping[str, object]) -> AuditEntry:
    texts = {name: str(values[name]) for name in COLUMNS if name not in ("position", "recorded_at", "request_id")}
    request_id = values["request_id"]
    return AuditEntry(
        position=int(str(values["position"])),
        recorded_at=datetime.fromisoformat(str(values["recorded_at"])),
        request_id=None if request_id is None else str(request_id),
        **texts,
    )


def verify_entries(entries: Iterable[AuditEntry]) -> FileReport:
    """Check each entry's own hash, and its link to the one before it; stops at the first that doesn't fit."""
    count, pieces, first = 0, 0, None
    last: int | None = None
    head = GENESIS
    for entry in entries:
        is_next = entry.position == (last or 0) + 1
        reason = check_entry(entry, head if is_next else entry.previous_hash)
        if not reason and last is not None and entry.position <= last:
            reason = gettext("Entry %(position)s is out of order.", position=entry.position)
        if reason:
            return FileReport(
                entries=count, pieces=pieces, first=first, last=last, head=head, broken_at=entry.position, reason=reason
            )
        pieces += not is_next or count == 0
        count, last, head = count + 1, entry.position, entry.hash
        first = first or entry.position
    return FileReport(entries=count, pieces=pieces, first=first, last=last, head=head)
