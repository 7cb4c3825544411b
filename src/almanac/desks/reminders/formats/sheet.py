"""A CSV file as rows of text: its encoding, its separator, its header, and the rows that can't be read."""

import codecs
import csv
import io
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from almanac.documents.charset import EAST_ASIAN, GOOD_FIT, charset_fit
from almanac.errors import InputError, TooLarge
from almanac.kit.messages import gettext
from almanac.kit.text import escape_cell, one_line

UNREADABLE = "\ufffd"
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_SAMPLE_BYTES = 2000
_ZERO_BYTE_SHARE = 0.4


@dataclass(frozen=True, slots=True)
class DecodedFile:
    """The text and its encoding. Undecodable characters are U+FFFD."""

    text: str
    encoding: str


def decode_file(content: bytes) -> DecodedFile:
    """The text of a file in UTF-8, UTF-16, an East Asian charset, Windows-1252, or a mix of the last with UTF-8."""
    for mark, codec, name in _BYTE_ORDER_MARKS:
        if content.startswith(mark):
            return DecodedFile(content.decode(codec, errors="replace"), name)
    if (wide := _detect_utf16(content)) is not None:
        return DecodedFile(content.decode(wide, errors="replace"), "UTF-16")
    if b"\x00" in content[:_SAMPLE_BYTES]:
        raise InputError(gettext("This isn't a text file; save the sheet as CSV and import that."))
    try:
        return DecodedFile(content.decode("utf-8"), "UTF-8")
    except UnicodeDecodeError:
        return _decode_east_asian(content) or _decode_lines(content)


def _decode_east_asian(content: bytes) -> DecodedFile | None:
    """The East Asian charset that yields common characters nearly everywhere; None for Western text."""
    candidates = {name: text for name in EAST_ASIAN if (text := _decode_strictly(content, name))}
    best = max(candidates, key=lambda name: charset_fit(candidates[name], name), default="")
    return DecodedFile(candidates[best], best) if best and charset_fit(candidates[best], best) >= GOOD_FIT else None


def _decode_strictly(content: bytes, name: str) -> str | None:
    try:
        return content.decode(name)
    except UnicodeDecodeError:
        return None


def _detect_utf16(content: bytes) -> str | None:
    """UTF-16 without a byte order mark: nearly every other byte of plain text is zero."""
    sample = content[:_SAMPLE_BYTES]
    pairs = max(1, len(sample) // 2)
    if sample[1::2].count(0) > _ZERO_BYTE_SHARE * pairs and not sample[0::2].count(0):
        return "utf-16-le"
    if sample[0::2].count(0) > _ZERO_BYTE_SHARE * pairs and not sample[1::2].count(0):
        return "utf-16-be"
    return None


def _decode_lines(content: bytes) -> DecodedFile:
    """Lines that are valid UTF-8 are decoded as such, the others as Windows-1252."""
    lines, seen = [], set()
    for line in content.splitlines(keepends=True):
        text, name = _decode_line(line)
        lines.append(text)
        if not line.isascii():
            seen.add(name)
    return DecodedFile("".join(lines), " and ".join(sorted(seen)))


def _decode_line(line: bytes) -> tuple[str, str]:
    try:
        return line.decode("utf-8"), "UTF-8"
    except UnicodeDecodeError:
        return line.decode("cp1252", errors="replace"), "Windows-1252"


MAX_ROWS = 100_000
_SEPARATORS = ";,\t|"
_SAMPLE_ROWS = 50
_MAX_SAMPLE_LENGTH = 50_000
_UNCLOSED = gettext("A cell is far too long; look for a quotation mark that is never closed.")


@dataclass(frozen=True, slots=True)
class SheetRow:
    """One row: the line it begins on, and its cells. `broken` says why the cells could not be read."""

    line: int
    cells: tuple[str, ...]
    broken: str = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A file as a table. `blank` counts empty rows, which are skipped."""

    header: tuple[str, ...]
    rows: tuple[SheetRow, ...]
    separator: str
    encoding: str
    blank: int = 0


def read_sheet(content: bytes) -> Sheet:
    """The rows of a CSV file as spreadsheet programs write it."""
    decoded = decode_file(content)
    text, separator = _declared_separator(decoded.text)
    skipped = decoded.text.count("\n", 0, len(decoded.text) - len(text))
    separator = separator or guess_separator(text)
    records = list(_records(text, separator, skipped))
    filled = [row for row in records if row.broken or any(cell.strip() for cell in row.cells)]
    if not filled or filled[0].broken:
        raise InputError(gettext("The file has no rows; its first row must name the columns."))
    if len(filled) > MAX_ROWS + 1:
        raise TooLarge(gettext("The file has more than %(limit)s rows; import it in parts.", limit=f"{MAX_ROWS:,}"))
    header = tuple(one_line(cell) for cell in filled[0].cells)
    return Sheet(header, tuple(filled[1:]), separator, decoded.encoding, len(records) - len(filled))


def guess_separator(text: str) -> str:
    """The separator that splits the first rows into the same number of cells, the more the better."""
    return max(_SEPARATORS, key=lambda separator: _evenness(text[:_MAX_SAMPLE_LENGTH], separator))


def _evenness(sample: str, separator: str) -> tuple[float, int]:
    rows = [row for row in _records(sample, separator, 0) if any(cell.strip() for cell in row.cells)]
    widths = Counter(len(row.cells) for row in rows[:_SAMPLE_ROWS])
    if not widths or len(rows[0].cells) == 1:
        return 0.0, 0
    return widths[len(rows[0].cells)] / widths.total(), len(rows[0].cells)


def _declared_separator(text: str) -> tuple[str, str]:
    """Excel may name its separator in a first line, as in `sep=;`."""
    first, _, rest = text.partition("\n")
    first = first.strip().strip('"')
    return (rest, first[-1]) if len(first) == len("sep=;") and first.lower().startswith("sep=") else (text, "")


def _records(text: str, separator: str, skipped: int) -> Iterator[SheetRow]:
    """Every record, empty ones too. A broken one costs only its own lines."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator)
    while True:
        line = reader.line_num + 1 + skipped
        try:
            yield SheetRow(line, tuple(next(reader)))
        except StopIteration:
            return
        except csv.Error:
            yield SheetRow(line, (), broken=_UNCLOSED)


def write_csv(rows: Iterable[Iterable[str]]) -> bytes:
    """Rows as a file for spreadsheets: UTF-8 with byte order mark, and no cell that would run as a formula."""
    out = io.StringIO(newline="")
    csv.writer(out).writerows([escape_cell(cell) for cell in row] for row in rows)
    return out.getvalue().encode("utf-8-sig")
