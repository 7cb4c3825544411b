"""Plain CSV: one line for each habit and day, with columns `habit` and `date`, and perhaps state, amount and note."""

import csv
import io
import re
from collections.abc import Mapping

from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord, parse_day
from almanac.desks.habits.model.goal import parse_amount
from almanac.errors import AlmanacError, InputError
from almanac.kit.text import counted, escape_cell, unescape_cell

COLUMNS = ("habit", "date", "state", "amount", "note")
_SKIPPED = frozenset({"skip", "skipped"})
_NOT_DONE = frozenset({"no", "false", "0", "missed"})
_MOST_TOLD = 50
_SEPARATORS = ",;\t"
# Before three digits it may part thousands, so such an amount is refused.
_DECIMAL_COMMA = re.compile(r"^(\d+),(\d{1,2})$")


def write_csv(bundle: HabitBundle) -> bytes:
    """Every entry, skip and note; rules have no place in this form. No cell would run as a formula."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for record in bundle.habits:
        for day in sorted({*record.log, *record.skips, *record.notes}):
            amount = f"{record.log[day].normalize():f}" if day in record.log else ""
            state = "done" if amount else "skipped" if day in record.skips else "note"
            name, note = escape_cell(record.name), escape_cell(record.notes.get(day, ""))
            writer.writerow([name, day.isoformat(), state, amount, note])
    return text.getvalue().encode()


def read_csv(text: str) -> HabitBundle:
    """Lines that make no sense are told of, and the others are read. The sign that the first line has most parts them:
    spreadsheets of countries with a decimal comma write semicolons."""
    separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
    try:
        lines = list(csv.DictReader(io.StringIO(text), strict=True, delimiter=separator))
    except csv.Error as error:
        raise InputError(f"This is no CSV: {error}; save it as CSV with commas again.") from error
    columns = {name.strip().lower(): name for name in (lines[0] if lines else {}) if name}
    if "date" not in columns or not ({"habit", "name"} & columns.keys()):
        raise InputError("A CSV of habits needs the columns habit and date; state, amount and note are welcome.")
    records, refused = dict[str, HabitRecord](), list[str]()
    for number, line in enumerate(lines, 2):
        values = {name: unescape_cell((line.get(column) or "").strip()) for name, column in columns.items()}
        if problem := _take(records, values):
            refused.append(f"Line {number}: {problem}")
    if (more := len(refused) - _MOST_TOLD) > 0:
        refused[_MOST_TOLD:] = [f"{counted(more, 'more line')} can't be read either."]
    return HabitBundle(list(records.values()), refused=refused)


def _take(records: dict[str, HabitRecord], line: Mapping[str, str]) -> str:
    """Add one line to its habit, or say what is wrong with it."""
    name, day = line.get("habit") or line.get("name") or "", parse_day(line["date"])
    if not name:
        return "it names no habit."
    if day is None:
        return f"{line['date']!r} is no date such as 2026-03-02."
    record = records.setdefault(name.casefold(), HabitRecord(name=name))
    state = line.get("state", "").lower()
    if note := line.get("note", ""):
        record.notes[day] = note
    if state in _SKIPPED:
        record.skips.add(day)
    elif state not in _NOT_DONE and state != "note":
        try:
            record.log[day] = parse_amount(_DECIMAL_COMMA.sub(r"\1.\2", line.get("amount") or "1"))
        except AlmanacError:
            return f"{line.get('amount')!r} is no amount."
    return ""
