"""Plain CSV: one line per habit and day, with the columns `habit` and `date`; state, amount and note are optional."""

import csv
import io
import re
from collections.abc import Mapping

from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord, parse_day
from almanac.desks.habits.model.goal import parse_amount
from almanac.errors import AlmanacError, InputError
from almanac.kit.messages import gettext, ngettext
from almanac.kit.text import escape_cell, unescape_cell

COLUMNS = ("habit", "date", "state", "amount", "note")
_SKIPPED = frozenset({"skip", "skipped"})
_NOT_DONE = frozenset({"no", "false", "0", "missed"})
_MAX_REFUSED = 50
_SEPARATORS = ",;\t"
# A comma before three digits may separate thousands, so such an amount is refused.
_DECIMAL_COMMA = re.compile(r"^(\d+),(\d{1,2})$")


def write_csv(bundle: HabitBundle) -> bytes:
    """Write every entry, skip and note, without rules. Cells are escaped so that none runs as a formula."""
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
    """Parse a CSV; invalid lines are listed in `refused`. The separator is the one most frequent in the first line,
    since spreadsheets with a decimal comma write semicolons."""
    separator = max(_SEPARATORS, key=text.partition("\n")[0].count)
    try:
        lines = list(csv.DictReader(io.StringIO(text), strict=True, delimiter=separator))
    except csv.Error as error:
        raise InputError(gettext("This isn't valid CSV (%(error)s); save it as CSV again.", error=error)) from error
    columns = {name.strip().lower(): name for name in (lines[0] if lines else {}) if name}
    if "date" not in columns or not ({"habit", "name"} & columns.keys()):
        raise InputError(gettext("The CSV needs the columns habit and date; state, amount and note are optional."))
    records, refused = dict[str, HabitRecord](), list[str]()
    for number, line in enumerate(lines, 2):
        values = {name: unescape_cell((line.get(column) or "").strip()) for name, column in columns.items()}
        if problem := _add_line(records, values):
            refused.append(gettext("Line %(number)s: %(problem)s", number=number, problem=problem))
    if (more := len(refused) - _MAX_REFUSED) > 0:
        refused[_MAX_REFUSED:] = [
            ngettext("%(num)s more line can't be read either.", "%(num)s more lines can't be read either.", more)
        ]
    return HabitBundle(list(records.values()), refused=refused)


def _add_line(records: dict[str, HabitRecord], line: Mapping[str, str]) -> str:
    """Add a line to its habit; returns a sentence if the line is invalid, else an empty string."""
    name, day = line.get("habit") or line.get("name") or "", parse_day(line["date"])
    if not name:
        return gettext("it has no habit name.")
    if day is None:
        return gettext("%(date)s isn't a date; use 2026-03-02.", date=repr(line["date"]))
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
            return gettext("%(amount)s isn't an amount.", amount=repr(line.get("amount")))
    return ""
