"""Files as people have them: packed again, of old versions, with a bad line, in another charset; the rest is read."""

import io
import json
import sqlite3
import zipfile
from contextlib import closing
from datetime import date
from decimal import Decimal

import pytest

from almanac.desks.habits.formats.bundle import parse_day
from almanac.desks.habits.formats.registry import read_file
from almanac.desks.habits.model.schedule import HabitSchedule

DAY = date(2026, 1, 2)
DONE = {DAY: Decimal(1)}
LOOP = {
    "Habits.csv": "Position,Name,Type,FrequencyNumerator,FrequencyDenominator,Archived?\n001,Run,YES_NO,1,1,false\n",
    "001 Run/Checkmarks.csv": "Date,Value,Notes\n2026-01-02,YES_MANUAL,\n",
}
JANUARY_2 = 1767312000000


def archive(files):
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as opened:
        for name, text in files.items():
            opened.writestr(name, text)
    return packed.getvalue()


def loop_db(columns, habits, repetitions):
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(f"CREATE TABLE Habits (id integer PRIMARY KEY, {columns})")
        database.execute("CREATE TABLE Repetitions (habit, timestamp, value)")
        for habit in habits:
            database.execute(f"INSERT INTO Habits VALUES ({', '.join('?' * len(habit))})", habit)
        database.executemany("INSERT INTO Repetitions VALUES (?, ?, ?)", repetitions)
        database.commit()
        return bytes(database.serialize())


def beaver(*habits):
    return json.dumps({"habits": habits}).encode()


@pytest.mark.parametrize(
    "files",
    [
        {f"Loop Habits CSV/{name}": text for name, text in LOOP.items()},
        {name.replace("/", "\\"): text for name, text in LOOP.items()},
        {**LOOP, "__MACOSX/._Habits.csv": "x"},
        {name: text.replace("\n", "\r\n") for name, text in LOOP.items()},
    ],
)
def test_an_archive_of_loop_that_was_packed_again_is_read(files):
    (run,) = read_file(archive(files)).habits
    assert run.log == DONE


def test_a_database_of_an_old_loop_is_read():
    data = loop_db("name, freq_num, freq_den", [(1, "Run", 1, 2)], [(1, JANUARY_2, 2)])
    (run,) = read_file(data).habits
    assert (run.log, run.rules[0].schedule) == (DONE, HabitSchedule(kind="every_days", every=2))


def test_a_bad_row_of_a_database_costs_only_itself():
    repetitions = [(1, JANUARY_2, 2), (1, JANUARY_2, None), (1, 10**30, 2)]
    data = loop_db("name, reminder_hour", [(1, "Run", 25)], [(h, str(t), v) for h, t, v in repetitions])
    bundle = read_file(data)
    assert (bundle.habits[0].log, bundle.habits[0].remind_at) == (DONE, None)
    assert len(bundle.refused) == 2


def test_a_bad_habit_or_day_of_beaver_costs_only_itself():
    days = [{"day": None, "done": True}, {"day": "2026-01-02", "done": 1}]
    bundle = read_file(beaver({"name": "Run", "records": days, "tags": None}, {"records": days}, "x"))
    assert [(habit.name, habit.log) for habit in bundle.habits] == [("Run", DONE)]
    assert bundle.refused == ["Run: a day can't be read.", "Habit 2 can't be read.", "Habit 3 can't be read."]


@pytest.mark.parametrize(
    ("kind", "count", "target", "schedule"),
    [
        ("D", 7, 3, HabitSchedule(kind="per_week", times=3)),
        ("W", 1, 3, HabitSchedule(kind="per_week", times=3)),
        ("D", 30, 4, HabitSchedule(kind="per_month", times=4)),
        ("W", 2, 1, HabitSchedule(kind="every_days", every=14)),
    ],
)
def test_the_period_of_beaver_is_a_number_of_days(kind, count, target, schedule):
    period = {"period_type": kind, "period_count": count, "target_count": target}
    (habit,) = read_file(beaver({"name": "Run", "records": [], "period": period})).habits
    assert habit.rules[0].schedule == schedule


@pytest.mark.parametrize(
    "data",
    [
        "habit;date;amount\nCafé;2026-01-02;2,5\n".encode("cp1252"),
        "Habit\tDate\tAmount\nCafé\t2026/1/2\t2.5\n".encode("utf-16"),
        b"\xef\xbb\xbf\n" + "habit,date,amount\nCafé,2026-01-02 08:00,2.5\n".encode(),
    ],
)
def test_a_sheet_in_any_charset_and_with_any_separator_is_read(data):
    (habit,) = read_file(data).habits
    assert (habit.name, habit.log) == ("Café", {DAY: Decimal("2.5")})


def test_a_comma_that_may_part_thousands_is_no_amount():
    assert read_file(b"habit;date;amount\nRun;2026-01-02;1,500\n").refused == ["Line 2: '1,500' isn't an amount."]


@pytest.mark.parametrize("text", ["2026-01-02x", "2026-13-01", "02/01/2026", "2026-01/02", ""])
def test_what_is_no_day_is_none(text):
    assert parse_day(text) is None
