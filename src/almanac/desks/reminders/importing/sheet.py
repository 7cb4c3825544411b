"""From text to rows: the separator is found, quoted line breaks are kept, and rows that can't be read are named."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from almanac.desks.reminders.importing.decoding import decode
from almanac.errors import InputError, TooLarge
from almanac.kit.spreadsheets import harmless_cell
from almanac.kit.text import one_line

MOST_ROWS = 100_000
_SEPARATORS = ";,\t|"
_SAMPLE_ROWS = 50
_LONGEST_SAMPLE = 50_000
_UNCLOSED = "A cell is far too long; look for a quotation mark that is never closed."


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line it begins on, and its cells. `broken` says why the cells could not be read."""

    line: int
    cells: tuple[str, ...]
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file as a table. `blank` counts empty rows, which are no rows."""

    header: tuple[str, ...]
    rows: tuple[Row, ...]
    separator: str
    encoding: str
    blank: int = 0


def read_sheet(content: bytes) -> Sheet:
    """The rows of a CSV file as Excel, LibreOffice and their like write it."""
    decoded = decode(content)
    text, separator = _announced(decoded.text)
    skipped = decoded.text.count("\n", 0, len(decoded.text) - len(text))
    separator = separator or guess_separator(text)
    records = list(_records(text, separator, skipped))
    filled = [row for row in records if row.broken or any(cell.strip() for cell in row.cells)]
    if not filled or filled[0].broken:
        raise InputError("The file has no rows; its first row must name the columns.")
    if len(filled) > MOST_ROWS + 1:
        raise TooLarge(f"The file has more than {MOST_ROWS:,} rows; import it in parts.")
    header = tuple(one_line(cell) for cell in filled[0].cells)
    return Sheet(header, tuple(filled[1:]), separator, decoded.encoding, len(records) - len(filled))


def guess_separator(text: str) -> str:
    """The sign that cuts the first rows into the same number of cells, the more the better."""
    return max(_SEPARATORS, key=lambda separator: _evenness(text[:_LONGEST_SAMPLE], separator))


def _evenness(sample: str, separator: str) -> tuple[float, int]:
    rows = [row for row in _records(sample, separator, 0) if any(cell.strip() for cell in row.cells)]
    widths = Counter(len(row.cells) for row in rows[:_SAMPLE_ROWS])
    if not widths or len(rows[0].cells) == 1:
        return 0.0, 0
    return widths[len(rows[0].cells)] / widths.total(), len(rows[0].cells)


def _announced(text: str) -> tuple[str, str]:
    """Excel may say in a first line of its own which sign it uses, as in `sep=;`."""
    first, _, rest = text.partition("\n")
    first = first.strip().strip('"')
    return (rest, first[-1]) if len(first) == len("sep=;") and first.lower().startswith("sep=") else (text, "")


def _records(text: str, separator: str, skipped: int) -> Iterator[Row]:
    """Every record, empty ones too. A broken one costs only the lines that it took."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    while True:
        line = reader.line_num + 1 + skipped
        try:
            yield Row(line, tuple(next(reader)))
        except StopIteration:
            return
        except csv.Error:
            yield Row(line, (), broken=_UNCLOSED)


def write_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """Rows as a file that spreadsheets open: UTF-8 with its mark, and no cell that would run as a formula."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([harmless_cell(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")
