"""Loop's CSV archive: a table of habits, and a folder for each with its checkmarks.

A copy of our own form travels along, which Loop ignores: what Loop has no words for is not lost on the way back.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from decimal import Decimal, InvalidOperation

from almanac.desks.habits.formats.almanac_json import read_json, write_json
from almanac.desks.habits.formats.bundle import MAX_FILE_BYTES, UNKNOWN_DAY, HabitBundle, HabitRecord, parse_day
from almanac.desks.habits.formats.loop import (
    SKIPPED,
    YES,
    LoopHabit,
    add_loop_extras,
    add_loop_value,
    loop_value_on,
    rule_from_loop,
    to_loop_habit,
)
from almanac.errors import InputError, TooLarge

COLUMNS = (
    "Position",
    "Name",
    "Type",
    "Question",
    "Description",
    "FrequencyNumerator",
    "FrequencyDenominator",
    "Color",
    "Unit",
    "Target Type",
    "Target Value",
    "Archived?",
)
_OURS, _HABITS = "almanac.json", "Habits.csv"
_GREY = "#757575"
_WORDS = {"YES_MANUAL": YES, "YES_AUTO": 1, "NO": 0, "UNKNOWN": 0, "SKIP": SKIPPED}
_UNSAFE = re.compile(r"[^ a-zA-Z0-9._-]+")


def read_loop_csv(data: bytes) -> HabitBundle:
    """An archive that Loop or we wrote."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_FILE_BYTES:
                raise TooLarge("This archive is too large when unpacked; export fewer habits at a time.")
            files = _below_root({info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()})
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise InputError("This archive can't be opened; export it from Loop again.") from error
    if _OURS in files:
        return read_json(files[_OURS])
    if _HABITS not in files:
        raise InputError("This archive has no Habits.csv; export it as CSV from Loop's settings.")
    return _read(files)


def _below_root(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files by their names in the folder that holds the table: who packs an archive again often packs a folder,
    and some programs write its names with backslashes."""
    names = {name.replace("\\", "/"): data for name, data in files.items()}
    tables = (name for name in names if name.rpartition("/")[2] == _HABITS)
    root = min(tables, key=len, default=_HABITS).removesuffix(_HABITS)
    return {name.removeprefix(root): data for name, data in names.items() if name.startswith(root)}


def _read(files: Mapping[str, bytes]) -> HabitBundle:
    bundle = HabitBundle()
    for place, line in enumerate(csv.DictReader(io.StringIO(_text(files[_HABITS]))), 1):
        record = HabitRecord(name=(line.get("Name") or "").strip())
        if not record.name:
            bundle.refused.append(f"Habit {place} has no name.")
            continue
        told = _told(line)
        _take_checkmarks(record, told, _checkmarks_of(files, line, place), bundle)
        record.description = (line.get("Description") or "").strip()
        add_loop_extras(record, question=line.get("Question") or "", color=line.get("Color") or "")
        record.rules = [rule_from_loop(told, record.first_day or UNKNOWN_DAY)]
        if (line.get("Archived?") or "").lower() == "true":
            record.archived_on = max((*record.log, *record.skips), default=record.rules[0].since)
        bundle.habits.append(record)
    return bundle


def _told(line: Mapping[str, str | None]) -> LoopHabit:
    is_amount = (line.get("Type") or "").upper() in ("NUMERICAL", "1")
    return LoopHabit(
        _number(line.get("FrequencyNumerator") or line.get("NumRepetitions")),
        _number(line.get("FrequencyDenominator") or line.get("Interval")),
        is_amount=is_amount,
        is_limit=(line.get("Target Type") or "").upper() in ("AT_MOST", "1"),
        target=_decimal(line.get("Target Value")),
        unit=(line.get("Unit") or "").strip()[:40],
    )


def _checkmarks_of(files: Mapping[str, bytes], line: Mapping[str, str | None], place: int) -> str:
    number = (line.get("Position") or f"{place:03d}").strip().zfill(3)
    found = next((name for name in sorted(files) if name.startswith(number) and name.endswith("/Checkmarks.csv")), None)
    return _text(files[found]) if found else ""


def _take_checkmarks(record: HabitRecord, told: LoopHabit, text: str, bundle: HabitBundle) -> None:
    for row in csv.reader(io.StringIO(text)):
        if len(row) < 2 or row[0] == "Date":
            continue
        day, value = parse_day(row[0]), _value(row[1])
        if day is None or value is None:
            bundle.refused.append(f"{record.name}: {row[0]!r}, {row[1]!r} is no day with a value.")
            continue
        add_loop_value(record, told, day, value)
        if len(row) > 2 and row[2].strip():
            record.notes[day] = row[2].strip()


def _value(text: str) -> int | None:
    text = text.strip()
    if text in _WORDS:
        return _WORDS[text]
    try:
        return int(Decimal(text))
    except (InvalidOperation, OverflowError, ValueError):
        return None


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", errors="replace")


def _number(text: str | None) -> int:
    return int(text) if text and text.strip().isdecimal() and len(text) < 6 else 1


def _decimal(text: str | None) -> Decimal:
    try:
        found = Decimal(text or "0")
    except InvalidOperation:
        return Decimal(0)
    return found if found.is_finite() and 0 <= found <= 1_000_000 else Decimal(0)


def write_loop_csv(bundle: HabitBundle) -> bytes:
    """An archive as Loop writes it."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Habits.csv", _csv([COLUMNS, *_habit_rows(bundle)]))
        for place, record in enumerate(bundle.habits, 1):
            folder = f"{place:03d} {_UNSAFE.sub('', record.name)[:100]}".strip()
            archive.writestr(f"{folder}/Checkmarks.csv", _csv([("Date", "Value", "Notes"), *_day_rows(record)]))
        archive.writestr(_OURS, write_json(bundle))
    return packed.getvalue()


def _habit_rows(bundle: HabitBundle) -> Iterator[tuple[str, ...]]:
    for place, record in enumerate(bundle.habits, 1):
        told = to_loop_habit(record)
        amounts = (told.unit, "AT_MOST" if told.is_limit else "AT_LEAST", f"{float(told.target)}")
        yield (
            f"{place:03d}",
            record.name,
            "NUMERICAL" if told.is_amount else "YES_NO",
            record.extras.get("loop_question", ""),
            record.description,
            str(told.times),
            str(told.within),
            record.extras.get("loop_color", _GREY),
            *(amounts if told.is_amount else ("", "", "")),
            "true" if record.archived_on else "false",
        )


def _day_rows(record: HabitRecord) -> Iterator[tuple[str, str, str]]:
    told, words = to_loop_habit(record), {value: word for word, value in reversed(_WORDS.items())}
    for day in sorted({*record.log, *record.skips, *record.notes}, reverse=True):
        value = loop_value_on(record, told, day)
        yield day.isoformat(), words.get(value, str(value)), record.notes.get(day, "")


def _csv(rows: list[tuple[str, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
