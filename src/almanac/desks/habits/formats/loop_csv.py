"""Loop's CSV archive: a table of habits, and a folder with checkmarks for each.

Archives from Almanac also contain Almanac's own JSON, which Loop ignores, so that importing one loses nothing.
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
from almanac.kit.messages import gettext

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
_ALMANAC_FILE, _HABITS_FILE = "almanac.json", "Habits.csv"
_GREY = "#757575"
_WORDS = {"YES_MANUAL": YES, "YES_AUTO": 1, "NO": 0, "UNKNOWN": 0, "SKIP": SKIPPED}
_UNSAFE = re.compile(r"[^ a-zA-Z0-9._-]+")


def read_loop_csv(data: bytes) -> HabitBundle:
    """Read an archive from Loop or Almanac."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(info.file_size for info in archive.infolist()) > MAX_FILE_BYTES:
                raise TooLarge(gettext("This archive is too large when unpacked; export fewer habits at a time."))
            files = _below_root({info.filename: archive.read(info) for info in archive.infolist() if not info.is_dir()})
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        raise InputError(gettext("This archive can't be opened; export it from Loop again.")) from error
    if _ALMANAC_FILE in files:
        return read_json(files[_ALMANAC_FILE])
    if _HABITS_FILE not in files:
        raise InputError(gettext("This archive has no Habits.csv; export it as CSV from Loop's settings."))
    return _read(files)


def _below_root(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """Files keyed by their path relative to the folder of Habits.csv. Repacked archives often have a top folder, and
    some programs use backslashes."""
    names = {name.replace("\\", "/"): data for name, data in files.items()}
    tables = (name for name in names if name.rpartition("/")[2] == _HABITS_FILE)
    root = min(tables, key=len, default=_HABITS_FILE).removesuffix(_HABITS_FILE)
    return {name.removeprefix(root): data for name, data in names.items() if name.startswith(root)}


def _read(files: Mapping[str, bytes]) -> HabitBundle:
    bundle = HabitBundle()
    for place, line in enumerate(csv.DictReader(io.StringIO(_text(files[_HABITS_FILE]))), 1):
        record = HabitRecord(name=(line.get("Name") or "").strip())
        if not record.name:
            bundle.refused.append(gettext("Habit %(id)s has no name.", id=place))
            continue
        loop_habit = _loop_habit(line)
        _add_checkmarks(record, loop_habit, _checkmarks_of(files, line, place), bundle)
        record.description = (line.get("Description") or "").strip()
        add_loop_extras(record, question=line.get("Question") or "", color=line.get("Color") or "")
        record.rules = [rule_from_loop(loop_habit, record.first_day or UNKNOWN_DAY)]
        if (line.get("Archived?") or "").lower() == "true":
            record.archived_on = max((*record.log, *record.skips), default=record.rules[0].since)
        bundle.habits.append(record)
    return bundle


def _loop_habit(line: Mapping[str, str | None]) -> LoopHabit:
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
    path = next((name for name in sorted(files) if name.startswith(number) and name.endswith("/Checkmarks.csv")), None)
    return _text(files[path]) if path else ""


def _add_checkmarks(record: HabitRecord, loop_habit: LoopHabit, text: str, bundle: HabitBundle) -> None:
    for row in csv.reader(io.StringIO(text)):
        if len(row) < 2 or row[0] == "Date":
            continue
        day, value = parse_day(row[0]), _value(row[1])
        if day is None or value is None:
            bundle.refused.append(
                gettext(
                    "%(name)s: %(day)s, %(value)s isn't a day with a value.",
                    name=record.name,
                    day=repr(row[0]),
                    value=repr(row[1]),
                )
            )
            continue
        add_loop_value(record, loop_habit, day, value)
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
        number = Decimal(text or "0")
    except InvalidOperation:
        return Decimal(0)
    return number if number.is_finite() and 0 <= number <= 1_000_000 else Decimal(0)


def write_loop_csv(bundle: HabitBundle) -> bytes:
    """Write an archive in Loop's format."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("Habits.csv", _csv([COLUMNS, *_habit_rows(bundle)]))
        for place, record in enumerate(bundle.habits, 1):
            folder = f"{place:03d} {_UNSAFE.sub('', record.name)[:100]}".strip()
            archive.writestr(f"{folder}/Checkmarks.csv", _csv([("Date", "Value", "Notes"), *_day_rows(record)]))
        archive.writestr(_ALMANAC_FILE, write_json(bundle))
    return packed.getvalue()


def _habit_rows(bundle: HabitBundle) -> Iterator[tuple[str, ...]]:
    for place, record in enumerate(bundle.habits, 1):
        loop_habit = to_loop_habit(record)
        amounts = (loop_habit.unit, "AT_MOST" if loop_habit.is_limit else "AT_LEAST", f"{float(loop_habit.target)}")
        yield (
            f"{place:03d}",
            record.name,
            "NUMERICAL" if loop_habit.is_amount else "YES_NO",
            record.extras.get("loop_question", ""),
            record.description,
            str(loop_habit.times),
            str(loop_habit.within),
            record.extras.get("loop_color", _GREY),
            *(amounts if loop_habit.is_amount else ("", "", "")),
            "true" if record.archived_on else "false",
        )


def _day_rows(record: HabitRecord) -> Iterator[tuple[str, str, str]]:
    loop_habit, words = to_loop_habit(record), {value: word for word, value in reversed(_WORDS.items())}
    for day in sorted({*record.log, *record.skips, *record.notes}, reverse=True):
        value = loop_value_on(record, loop_habit, day)
        yield day.isoformat(), words.get(value, str(value)), record.notes.get(day, "")


def _csv(rows: list[tuple[str, ...]]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()
