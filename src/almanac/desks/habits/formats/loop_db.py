"""Loop's SQLite backup, which Loop can also restore: habits, and repetitions by day."""

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
from almanac.kit.messages import gettext

MAGIC = b"SQLite format 3\x00"
_VERSION = 25
_ALL_DAYS = 127
# A crafted file could make a query run forever; reading stops after this many SQLite VM steps.
_MAX_STEPS, _STEPS_PER_CHECK = 200_000_000, 1_000_000
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
    """Read a full backup of Loop."""
    with closing(sqlite3.connect(":memory:")) as database:
        try:
            database.deserialize(data)
            database.set_progress_handler(_StepLimit(), _STEPS_PER_CHECK)
            database.row_factory = sqlite3.Row
            return _read(database)
        except (sqlite3.Error, ValueError, OverflowError, TypeError) as error:
            raise InputError(gettext("This Loop backup can't be read; make a full backup again.")) from error


class _StepLimit:
    """SQLite progress handler that stops after a number of steps."""

    def __init__(self) -> None:
        self.left = _MAX_STEPS // _STEPS_PER_CHECK

    def __call__(self) -> bool:
        self.left -= 1
        return self.left < 0


def _read(database: sqlite3.Connection) -> HabitBundle:
    bundle = HabitBundle()
    for values in _habit_rows(database):
        record = HabitRecord(name=str(values.get("name") or "").strip())
        if not record.name:
            bundle.refused.append(gettext("Habit %(id)s has no name.", id=values.get("id")))
            continue
        loop_habit = _loop_habit(values)
        _add_repetitions(database, record, loop_habit, values["id"], bundle)
        record.description = str(values.get("description") or "").strip()
        record.remind_at = _reminder(values)
        add_loop_extras(record, question=str(values.get("question") or ""), palette=str(values.get("color") or ""))
        record.rules = [rule_from_loop(loop_habit, record.first_day or UNKNOWN_DAY)]
        if values.get("archived"):
            record.archived_on = max((*record.log, *record.skips), default=record.rules[0].since)
        bundle.habits.append(record)
    return bundle


def _habit_rows(database: sqlite3.Connection) -> list[dict[str, Any]]:
    """Habit rows by position; old versions of Loop have no positions."""
    rows = [dict(row) for row in database.execute("SELECT * FROM Habits LIMIT 1000")]
    return sorted(rows, key=lambda values: (values.get("position") or 0, values["id"]))


def _loop_habit(values: dict[str, Any]) -> LoopHabit:
    return LoopHabit(
        int(values.get("freq_num") or 1),
        int(values.get("freq_den") or 1),
        is_amount=values.get("type") == 1,
        is_limit=values.get("target_type") == 1,
        target=Decimal(str(values.get("target_value") or 0)),
        unit=str(values.get("unit") or "")[:40],
    )


def _reminder(values: dict[str, Any]) -> time | None:
    """The reminder time, or None. Loop has stored invalid hours for no reminder."""
    hour, minute = values.get("reminder_hour"), values.get("reminder_min")
    try:
        return time(int(hour), int(minute or 0)) if hour is not None else None
    except ValueError:
        return None


def _add_repetitions(
    database: sqlite3.Connection, record: HabitRecord, loop_habit: LoopHabit, habit: int, bundle: HabitBundle
) -> None:
    rows = database.execute("SELECT * FROM Repetitions WHERE habit = ? LIMIT ?", (habit, MAX_ENTRIES))
    for row in rows:
        try:
            day, value = datetime.fromtimestamp(int(row["timestamp"]) // 1000, UTC).date(), int(row["value"])
        except (ValueError, OverflowError, TypeError, OSError):
            bundle.refused.append(
                gettext(
                    "%(name)s: %(day)s, %(value)s isn't a day with a value.",
                    name=record.name,
                    day=repr(row["timestamp"]),
                    value=repr(row["value"]),
                )
            )
            continue
        add_loop_value(record, loop_habit, day, value)
        if "notes" in row.keys() and row["notes"]:  # noqa: SIM118 - sqlite3.Row tests values, not columns, with `in`
            record.notes[day] = str(row["notes"])


def write_loop_db(bundle: HabitBundle) -> bytes:
    """Write a database that Loop can restore; rules are converted as closely as Loop allows."""
    with closing(sqlite3.connect(":memory:")) as database:
        database.executescript(_SCHEMA)
        database.execute(f"PRAGMA user_version = {_VERSION}")
        for place, record in enumerate(bundle.habits, 1):
            _write(database, record, place)
        database.commit()
        return bytes(database.serialize())


def _write(database: sqlite3.Connection, record: HabitRecord, place: int) -> None:
    loop_habit, remind_at = to_loop_habit(record), record.remind_at
    database.execute(
        "INSERT INTO Habits VALUES (?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, NULL)",
        (
            place,
            int(record.archived_on is not None),
            int(record.extras.get("loop_palette") or 0),
            record.description,
            loop_habit.within,
            loop_habit.times,
            record.name,
            place - 1,
            remind_at.hour if remind_at else None,
            remind_at.minute if remind_at else None,
            _ALL_DAYS,
            int(loop_habit.is_amount),
            int(loop_habit.is_limit),
            float(loop_habit.target),
            loop_habit.unit,
            record.extras.get("loop_question", ""),
        ),
    )
    epoch = date(1970, 1, 1).toordinal()
    rows = [
        (
            place,
            (day.toordinal() - epoch) * _DAY_MILLISECONDS,
            loop_value_on(record, loop_habit, day),
            record.notes.get(day),
        )
        for day in sorted({*record.log, *record.skips, *record.notes})
    ]
    database.executemany("INSERT INTO Repetitions (habit, timestamp, value, notes) VALUES (?, ?, ?, ?)", rows)
