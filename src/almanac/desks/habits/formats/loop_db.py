"""Loop's own database, which is what Loop can also read back: habits, and repetitions by day."""

import sqlite3
from contextlib import closing
from datetime import UTC, date, datetime, time
from decimal import Decimal
from typing import Any

from almanac.desks.habits.formats.bundle import MAX_ENTRIES, UNKNOWN_DAY, HabitBundle, HabitRecord
from almanac.desks.habits.formats.loop import (
    LoopHabit,
    add_loop_extras,
    add_loop_value,
    loop_value_on,
    rule_from_loop,
    to_loop_habit,
)
from almanac.errors import InputError

MAGIC = b"SQLite format 3\x00"
_VERSION = 25
_ALL_DAYS = 127
# A file could hold a query that never ends; reading stops after this many steps of the machine inside SQLite.
_MOST_STEPS, _STEPS_AT_A_TIME = 200_000_000, 1_000_000
_DAY_MILLISECONDS = 86_400_000

_SCHEMA = """
CREATE TABLE Habits (
    id integer PRIMARY KEY AUTOINCREMENT, archived integer, color integer, description text, freq_den integer,
    freq_num integer, highlight integer, name text, position integer, reminder_hour integer, reminder_min integer,
    reminder_days integer NOT NULL DEFAULT 127, type integer NOT NULL DEFAULT 0,
    target_type integer NOT NULL DEFAULT 0, target_value real NOT NULL DEFAULT 0, unit text NOT NULL DEFAULT '',
    question text, uuid text
);
CREATE TABLE Repetitions (
    id integer PRIMARY KEY AUTOINCREMENT, habit integer NOT NULL REFERENCES Habits (id), timestamp integer NOT NULL,
    value integer NOT NULL, notes text
);
CREATE UNIQUE INDEX idx_repetitions_habit_timestamp ON Repetitions (habit, timestamp);
"""


def read_loop_db(data: bytes) -> HabitBundle:
    """A full backup of Loop."""
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(data)
            database.set_progress_handler(_Patience(), _STEPS_AT_A_TIME)
            database.row_factory = sqlite3.Row
            return _read(database)
        except (sqlite3.Error, ValueError, OverflowError, TypeError) as error:
            raise InputError("This is no backup of Loop that can be read; make a full backup again.") from error


class _Patience:
    """Says stop once a file has had its share of time."""

    def __init__(self) -> None:
        self.left = _MOST_STEPS // _STEPS_AT_A_TIME

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def _read(database: sqlite3.Connection) -> HabitBundle:
    bundle = HabitBundle()
    for values in _in_order(database):
        record = HabitRecord(name=str(values.get("name") or "").strip())
        if not record.name:
            bundle.refused.append(f"Habit {values.get('id')} has no name.")
            continue
        told = _told(values)
        _take_repetitions(database, record, told, values["id"], bundle)
        record.description = str(values.get("description") or "").strip()
        record.remind_at = _reminder(values)
        add_loop_extras(record, question=str(values.get("question") or ""), palette=str(values.get("color") or ""))
        record.rules = [rule_from_loop(told, record.first_day or UNKNOWN_DAY)]
        if values.get("archived"):
            record.archived_on = max((*record.log, *record.skips), default=record.rules[0].since)
        bundle.habits.append(record)
    return bundle


def _in_order(database: sqlite3.Connection) -> list[dict[str, Any]]:
    """The habits as a person has put them; old versions of Loop knew no places."""
    rows = [dict(row) for row in database.execute("SELECT * FROM Habits LIMIT 1000")]
    return sorted(rows, key=lambda values: (values.get("position") or 0, values["id"]))


def _told(values: dict[str, Any]) -> LoopHabit:
    return LoopHabit(
        int(values.get("freq_num") or 1),
        int(values.get("freq_den") or 1),
        is_amount=values.get("type") == 1,
        is_limit=values.get("target_type") == 1,
        target=Decimal(str(values.get("target_value") or 0)),
        unit=str(values.get("unit") or "")[:40],
    )


def _reminder(values: dict[str, Any]) -> time | None:
    """When Loop reminds; it has written hours that no clock shows for none."""
    hour, minute = values.get("reminder_hour"), values.get("reminder_min")
    try:
        return time(int(hour), int(minute or 0)) if hour is not None else None
    except ValueError:
        return None


def _take_repetitions(
    database: sqlite3.Connection, record: HabitRecord, told: LoopHabit, habit: int, bundle: HabitBundle
) -> None:
    found = database.execute("SELECT * FROM Repetitions WHERE habit = ? LIMIT ?", (habit, MAX_ENTRIES))
    for row in found:
        try:
            day, value = datetime.fromtimestamp(int(row["timestamp"]) // 1000, UTC).date(), int(row["value"])
        except (ValueError, OverflowError, TypeError, OSError):
            bundle.refused.append(f"{record.name}: {row['timestamp']!r}, {row['value']!r} is no day with a value.")
            continue
        add_loop_value(record, told, day, value)
        if "notes" in row.keys() and row["notes"]:  # noqa: SIM118 - a row is no mapping; only its keys tell its columns
            record.notes[day] = str(row["notes"])


def write_loop_db(bundle: HabitBundle) -> bytes:
    """A database that Loop restores; what Loop has no words for is told as near as it can."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        database.execute(f"PRAGMA user_version = {_VERSION}")
        for place, record in enumerate(bundle.habits, 1):
            _write(database, record, place)
        database.commit()
        return bytes(database.serialize())


def _write(database: sqlite3.Connection, record: HabitRecord, place: int) -> None:
    told, remind_at = to_loop_habit(record), record.remind_at
    database.execute(
        "INSERT INTO Habits VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            place,
            int(record.archived_on is not None),
            int(record.extras.get("loop_palette") or 0),
            record.description,
            told.within,
            told.times,
            record.name,
            place - 1,
            remind_at.hour if remind_at else None,
            remind_at.minute if remind_at else None,
            _ALL_DAYS,
            int(told.is_amount),
            int(told.is_limit),
            float(told.target),
            told.unit,
            record.extras.get("loop_question", ""),
        ),
    )
    epoch = date(1970, 1, 1).toordinal()
    rows = [
        (place, (day.toordinal() - epoch) * _DAY_MILLISECONDS, loop_value_on(record, told, day), record.notes.get(day))
        for day in sorted({*record.log, *record.skips, *record.notes})
    ]
    database.executemany("INSERT INTO Repetitions (habit, timestamp, value, notes) VALUES (?, ?, ?, ?)", rows)
