"""`almanac tables`: the check, and a copy of all tables to another service and back."""

import stat

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
