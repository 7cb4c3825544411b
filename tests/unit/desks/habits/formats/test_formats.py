"""What other programs write is read, and what we write is read back without loss."""

import io
import sqlite3
import zipfile
from contextlib import closing
from datetime import date, time
from decimal import Decimal

import pytest

from almanac.desks.habits.formats.almanac_json import write_json
from almanac.desks.habits.formats.bundle import HabitBundle, HabitRecord
from almanac.desks.habits.formats.loop_csv import write_loop_csv
from almanac.desks.habits.formats.loop_db import read_loop_db, write_loop_db
from almanac.desks.habits.formats.plain_csv import write_csv
from almanac.desks.habits.formats.registry import read_file
from almanac.desks.habits.model.goal import Goal
from almanac.desks.habits.model.history import HabitRule, Vacation
from almanac.desks.habits.model.schedule import HabitSchedule
from almanac.errors import AlmanacError

HABITS_CSV = """Position,Name,Type,Question,Description,FrequencyNumerator,FrequencyDenominator,Color,Unit,Target Type,\
Target Value,Archived?
001,Meditate,YES_NO,Did you meditate?,Ten minutes,1,1,#FF8F00,,,,false
002,"Run, fast",NUMERICAL,How far?,,3,7,#388E3C,km,AT_LEAST,5.0,false
003,Wake early,YES_NO,,,2,5,#757575,,,,true
"""
CHECKMARKS_OF_MEDITATE = """Date,Value,Notes
2026-01-27,YES_MANUAL,
2026-01-26,SKIP,Ill
2026-01-25,YES_AUTO,
2026-01-24,NO,
"""
CHECKMARKS = {
    "001 Meditate": CHECKMARKS_OF_MEDITATE,
    "002 Run fast": "Date,Value,Notes\n2026-01-27,5500,\n2026-01-25,NO,\n",
    "003 Wake early": "2025-05-01,2\n2025-04-30,0\nnonsense,2\n",
}


WRONG_RULE = b"""{"form": "almanac-habits-1", "habits": [{"name": "x", "rules": [
    {"since": "2026-01-01", "schedule": {"kind": "hourly"}, "goal": {"kind": "done"}}]}]}"""


@pytest.fixture
def loop_archive():
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("Habits.csv", HABITS_CSV)
        archive.writestr("Checkmarks.csv", "Date,Meditate\n")
        for folder, text in CHECKMARKS.items():
            archive.writestr(f"{folder}/Checkmarks.csv", text)
            archive.writestr(f"{folder}/Scores.csv", "Date,Score\n")
    return packed.getvalue()


def test_loops_archive_is_read(loop_archive):
    bundle = read_file(loop_archive)
    meditate, run, wake = bundle.habits
    assert meditate.log == {date(2026, 1, 27): Decimal(1)}
    assert (meditate.skips, meditate.notes) == ({date(2026, 1, 26)}, {date(2026, 1, 26): "Ill"})
    assert meditate.extras == {"loop_question": "Did you meditate?", "loop_color": "#FF8F00"}
    assert run.rules[0].schedule == HabitSchedule(kind="per_week", times=3)
    assert run.rules[0].goal == Goal(kind="at_least", target=Decimal("5.0"), unit="km")
    assert run.log == {date(2026, 1, 27): Decimal("5.5")}
    assert (wake.rules[0].schedule.times, wake.archived_on) == (3, date(2025, 5, 1))
    assert bundle.refused == ["Wake early: 'nonsense', '2' isn't a day with a value."]


def test_loops_own_columns_come_back_as_they_were(loop_archive):
    written = write_loop_csv(read_file(loop_archive))
    with zipfile.ZipFile(io.BytesIO(written)) as archive:
        lines = archive.read("Habits.csv").decode().splitlines()
        checkmarks = archive.read("001 Meditate/Checkmarks.csv").decode().splitlines()
    assert lines[:3] == HABITS_CSV.splitlines()[:3]
    assert checkmarks == ["Date,Value,Notes", "2026-01-27,YES_MANUAL,", "2026-01-26,SKIP,Ill"]


@pytest.fixture
def everything():
    """One of each kind of thing that can be known."""
    rules = [
        HabitRule(date(2025, 1, 1), HabitSchedule(kind="weekdays", weekdays=(0, 3))),
        HabitRule(date(2026, 1, 1), HabitSchedule(kind="every_days", every=4), Goal(kind="times", target=Decimal(3))),
    ]
    rich = HabitRecord(
        name='Brush "teeth", twice',
        description="Up\nand down",
        tags=("body", "kürzel"),
        group="Morning",
        remind_at=time(7, 30),
        archived_on=date(2026, 2, 1),
        rules=rules,
        log={date(2026, 1, 5): Decimal("2.125")},
        skips={date(2026, 1, 6)},
        notes={date(2026, 1, 7): "line one\nline two"},
        extras={"loop_color": "#123456"},
    )
    plain = HabitRecord(name="Read", rules=[HabitRule(date(2026, 1, 1))], log={date(2026, 1, 1): Decimal(1)})
    avoid = HabitRecord(
        name="No sweets",
        rules=[HabitRule(date(2026, 1, 1), goal=Goal(kind="avoid"))],
        log={date(2026, 1, 2): Decimal(0)},
    )
    return HabitBundle([rich, plain, avoid], [Vacation(date(2026, 1, 1), date(2026, 1, 3))], [date(2026, 1, 9)])


@pytest.mark.parametrize("write", [write_json, write_loop_csv])
def test_nothing_is_lost_on_the_way_there_and_back(everything, write):
    assert read_file(write(everything)) == everything


def test_loops_database_is_written_and_read_back():
    record = HabitRecord(
        name="Run",
        description="Far",
        remind_at=time(18, 5),
        rules=[
            HabitRule(
                date(2024, 2, 29), HabitSchedule(kind="per_week", times=3), Goal(kind="at_least", target=Decimal(5))
            )
        ],
        log={date(2024, 2, 29): Decimal("5.25"), date(1970, 1, 1): Decimal(2)},
        skips={date(2024, 3, 1)},
        notes={date(2024, 2, 29): "Leap"},
        extras={"loop_question": "How far?", "loop_palette": "7"},
    )
    data = write_loop_db(HabitBundle([record]))
    (result,) = read_file(data).habits
    assert result == HabitRecord(
        **{
            **{name: getattr(record, name) for name in HabitRecord.__slots__},
            "rules": [HabitRule(date(1970, 1, 1), *_terms(record.rules[0]))],
        }
    )


def _terms(rule):
    return rule.schedule, rule.goal


def test_a_database_that_never_ends_is_given_up(monkeypatch):
    """This one ends after a while, so that a reader without patience of its own fails here instead of hanging."""
    monkeypatch.setattr("almanac.desks.habits.formats.loop_db._MAX_STEPS", 2_000_000)
    with closing(sqlite3.connect(":memory:")) as database:
        database.execute(
            "CREATE VIEW Habits AS WITH RECURSIVE n(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM n LIMIT 2000000) "
            "SELECT id, 'x' AS name FROM n WHERE id < 0"
        )
        data = bytes(database.serialize())
    with pytest.raises(AlmanacError, match="full backup"):
        read_loop_db(data)


def test_beavers_export_is_read():
    data = b"""{"habits": [
        {"name": "Order pizz", "id": "1", "star": false, "tags": ["food"],
         "records": [{"day": "2026-01-02", "done": true, "text": "ham"}, {"day": "2026-01-03", "done": false}],
         "period": {"period_type": "W", "period_count": 1, "target_count": 2}},
        {"name": "Old", "records": [{"day": "2025-01-01", "done": true}], "status": "archive"},
        {"name": "Gone", "records": [], "status": "soft_delete"}], "order": ["1"]}"""
    bundle = read_file(data)
    pizza, old = bundle.habits
    assert (pizza.log, pizza.tags) == ({date(2026, 1, 2): Decimal(1)}, ("food",))
    assert pizza.notes == {date(2026, 1, 2): "ham"}
    assert pizza.rules == [HabitRule(date(2026, 1, 2), HabitSchedule(kind="per_week", times=2))]
    assert old.archived_on == date(2025, 1, 1)
    assert bundle.refused == ["Gone: deleted in Beaver."]


def test_plain_csv_is_read_and_its_faults_are_told():
    lines = [
        "Date,Habit,Amount,Note",
        "2026-01-02,Read,20,Good",
        "2026-13-01,Read,,",
        "2026-01-03,,1,",
        "2026-01-04,read,lots,",
        "2026-01-05,Read,,",
    ]
    bundle = read_file("\n".join(lines).encode("utf-8-sig"))
    (read,) = bundle.habits
    assert read.log == {date(2026, 1, 2): Decimal(20), date(2026, 1, 5): Decimal(1)}
    assert bundle.refused == [
        "Line 3: '2026-13-01' isn't a date; use 2026-03-02.",
        "Line 4: it has no habit name.",
        "Line 5: 'lots' isn't an amount.",
    ]


def test_of_very_many_faulty_lines_the_number_is_told():
    result = read_file(("habit,date\nReading,2026-03-01\n" + "Reading,someday\n" * 53).encode())
    assert (len(result.refused), result.refused[49:]) == (
        51,
        ["Line 52: 'someday' isn't a date; use 2026-03-02.", "3 more lines can't be read either."],
    )


def test_plain_csv_brings_back_every_entry_skip_and_note(everything):
    result = {record.name: record for record in read_file(write_csv(everything)).habits}
    for record in everything.habits:
        back = result[record.name]
        assert (back.log, back.skips, back.notes) == (record.log, record.skips, record.notes)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"  \n",
        b"PK\x03\x04broken",
        b"SQLite format 3\x00broken",
        b"{}",
        b'{"habits": 3}',
        b"\xff\xfe\x00",
        b"one,two\n1,2\n",
        b'{"form": "almanac-habits-1", "habits": [{"name": 1}]}',
        WRONG_RULE,
        b'habit,date\n"open',
    ],
)
def test_a_file_that_makes_no_sense_is_refused_with_a_sentence(data):
    with pytest.raises(AlmanacError) as refused:
        read_file(data)
    assert refused.value.status in (400, 413)
    assert refused.value.sentence.endswith(".")


def test_an_archive_that_would_fill_the_memory_is_refused(monkeypatch, loop_archive):
    monkeypatch.setattr("almanac.desks.habits.formats.loop_csv.MAX_FILE_BYTES", 100)
    with pytest.raises(AlmanacError, match="too large"):
        read_file(loop_archive)
