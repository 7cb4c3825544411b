"""`almanac tables`: the check, and a copy of all tables to another service and back."""

import re
import stat
from datetime import UTC, datetime
from pathlib import Path

from tablature.engine.engine import Engine

POINTS = {"PK": {"S": "USER#1"}, "SK": {"S": "STATS"}, "EntityType": {"S": "USER"}, "total_points": {"N": "7"}}


def test_tables_are_checked(bare_machine):
    assert "There is no data folder" in bare_machine.run("tables", "check").err
    (bare_machine.folder / "data").mkdir(mode=0o700)
    missing = bare_machine.run("tables", "check")
    assert missing.code == 1
    assert "The table habits is missing; run `almanac migrate`." in missing.err


def test_a_copy_of_all_tables_comes_back(bare_machine, tmp_path):
    data, folder = bare_machine.folder / "data", tmp_path / "copy"
    data.mkdir(mode=0o700)
    with bare_machine.database_kept_running():
        assert bare_machine.run("migrate").code == 0
    assert bare_machine.run("tables", "check").out == "All tables are as declared.\n"
    with Engine(data / "tables.db") as engine:
        engine.call("PutItem", {"TableName": "habits", "Item": POINTS})
    exported = bare_machine.run("tables", "export", str(folder), "--json")
    assert {table["name"]: table["items"] for table in exported.json}["habits"] == 1
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    with Engine(data / "tables.db") as engine:
        engine.call("PutItem", {"TableName": "habits", "Item": POINTS | {"PK": {"S": "USER#2"}}})
    refused = bare_machine.run("tables", "import", str(folder))
    assert (refused.code, "already has items" in refused.err) == (1, True)
    assert bare_machine.run("tables", "import", str(folder), "--replace").code == 0
    with Engine(data / "tables.db") as engine:
        assert [item["PK"]["S"] for item in engine.call("Scan", {"TableName": "habits"})["Items"]] == ["USER#1"]


def test_tables_are_brought_back_to_a_moment(bare_machine):
    path = bare_machine.folder / "data" / "tables.db"
    with bare_machine.database_kept_running():
        assert bare_machine.run("migrate").code == 0
    with Engine(path) as engine:
        engine.call("PutItem", {"TableName": "habits", "Item": POINTS})
    moment = datetime.now(UTC).isoformat()
    with Engine(path) as engine:
        engine.call("DeleteItem", {"TableName": "habits", "Key": {name: POINTS[name] for name in ("PK", "SK")}})
        refused = bare_machine.run("tables", "restore", "--to", moment, "--yes")
        assert "still running" in refused.err
    assert "no time zone" in bare_machine.run("tables", "restore", "--to", "2026-11-18T07:00:00", "--yes").err
    future = bare_machine.run("tables", "restore", "--to", "2999-01-01T00:00Z", "--yes")
    assert (future.code, "is in the future" in future.err) == (2, True)
    assert "history starts at" in bare_machine.run("tables", "restore", "--to", "2020-01-01T00:00Z", "--yes").err
    restored = bare_machine.run("tables", "restore", "--to", moment, "--yes", "--json")
    assert restored.code == 0
    with Engine(path) as engine, Engine(restored.json["kept"]) as kept:
        assert engine.call("Scan", {"TableName": "habits"})["Items"] == [POINTS]
        assert kept.call("Scan", {"TableName": "habits"})["Items"] == []
    assert stat.S_IMODE(Path(restored.json["kept"]).stat().st_mode) == 0o600
    assert bare_machine.run("tables", "check").code == 0


def test_the_history_is_shown_forgotten_and_switched_off(bare_machine):
    data = bare_machine.folder / "data"
    data.mkdir(mode=0o700)
    bare_machine.run("tables", "check")
    assert "any second since" in bare_machine.run("tables", "history").out
    before = bare_machine.run("tables", "history", "--json").json["earliest"]
    assert bare_machine.run("tables", "history", "--forget", "--json").json["earliest"] > before
    bare_machine.run("tables", "check", ALMANAC_TABLE_HISTORY_DAYS="0")
    assert "No history is kept" in bare_machine.run("tables", "history").out
    assert not (data / "tables.db-history").exists()


def test_a_lost_table_file_is_not_replaced_by_an_empty_one(bare_machine, tmp_path):
    path, archive = bare_machine.folder / "data" / "tables.db", tmp_path / "all.tar"
    with bare_machine.database_kept_running():
        assert bare_machine.run("migrate").code == 0
        with Engine(path) as engine:
            engine.call("PutItem", {"TableName": "habits", "Item": POINTS})
        assert bare_machine.run("backup", str(archive)).code == 0
        path.unlink()
        for command in (("doctor",), ("migrate",), ("serve",), ("tables", "check"), ("tables", "history", "--forget")):
            answer = bare_machine.run(*command)
            assert answer.code == 1
            assert f"The table file {path} is missing, but its history holds changes up to" in answer.out + answer.err
            assert not path.exists()
        assert "any second since" in bare_machine.run("tables", "history").out
        moment = re.search(r"restore --to (\S+)`", bare_machine.run("tables", "check").err)[1]
        restored = bare_machine.run("tables", "restore", "--to", moment, "--yes")
        assert "run `almanac habits reconcile`" in restored.out
        with Engine(path) as engine:
            assert engine.call("Scan", {"TableName": "habits"})["Items"] == [POINTS]
        path.unlink()
        assert "Aborted" in bare_machine.run("restore", str(archive)).err
        assert not path.exists()
        assert bare_machine.run("restore", str(archive), "--yes").code == 0
        with Engine(path) as engine:
            assert engine.call("Scan", {"TableName": "habits"})["Items"] == [POINTS]


def test_commands_say_that_the_table_file_is_damaged(bare_machine, tmp_path):
    path = bare_machine.folder / "data" / "tables.db"
    with bare_machine.database_kept_running():
        assert bare_machine.run("migrate").code == 0
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xff" * (path.stat().st_size - 4096))
        for command in (("doctor",), ("backup", str(tmp_path / "all.tar"))):
            answer = bare_machine.run(*command)
            assert answer.code == 1
            assert "The table file is damaged (database disk image is malformed)" in answer.out + answer.err
