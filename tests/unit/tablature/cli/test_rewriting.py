"""Migrating and backfilling a real engine file: dry runs change nothing, and a stopped run goes on."""

import sqlite3
from pathlib import Path

import pytest

from tablature.engine.engine import Engine
from tablature.engine.server.application import Application
from tablature.engine.server.listener import Server
from tablature.transport.embedded import Embedded

ITEMS = 250


def item(number: int, version: int) -> dict[str, dict[str, str]]:
    return {
        "PK": {"S": "OWNER#ann"},
        "SK": {"S": f"NOTE#{number:06d}"},
        "owner": {"S": "ann"},
        "number": {"N": str(number)},
        "title": {"S": "a note"},
        "_v": {"N": str(version)},
    }


@pytest.fixture
def path(tmp_path: Path) -> str:
    """A file with notes of the first version, which have no topic and are in no index."""
    path = tmp_path / "notes.db"
    with Embedded(path) as engine:
        keys = [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
        index = [{"AttributeName": "GSI1PK", "KeyType": "HASH"}, {"AttributeName": "GSI1SK", "KeyType": "RANGE"}]
        names = ("PK", "SK", "GSI1PK", "GSI1SK")
        engine.send(
            "CreateTable",
            {
                "TableName": "notes",
                "BillingMode": "PAY_PER_REQUEST",
                "KeySchema": keys,
                "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in names],
                "GlobalSecondaryIndexes": [
                    {"IndexName": "GSI1", "KeySchema": index, "Projection": {"ProjectionType": "ALL"}}
                ],
            },
        )
        for start in range(0, ITEMS, 25):
            puts = [{"PutRequest": {"Item": item(number, 1)}} for number in range(start, start + 25)]
            engine.send("BatchWriteItem", {"RequestItems": {"notes": puts}})
    return str(path)


def in_index(path: str) -> int:
    with Embedded(path) as engine:
        request = {"TableName": "notes", "IndexName": "GSI1", "Select": "COUNT"}
        return int(engine.send("Scan", request)["Count"])


def test_a_migration_brings_every_item_up(run, module, path):
    result = run("migrate", module(), "--path", path)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1] == "Note: 250 scanned, 250 changed; done"
    assert in_index(path) == ITEMS


def test_a_dry_run_writes_nothing(run, module, path):
    result = run("migrate", module(), "--path", path, "--dry-run")
    assert result.out == "Note: 250 scanned, 250 would change; done\n"
    assert in_index(path) == 0


def test_a_stopped_migration_goes_on_where_it_was(run, module, path):
    name = module()
    first = run("migrate", name, "--path", path, "--pages", "1")
    assert first.out == "Note: 100 scanned, 100 changed; stopped; run it again to continue\n"
    second = run("migrate", name, "--path", path)
    assert second.out.splitlines()[-1] == "Note: 150 scanned, 150 changed; done"


def test_a_second_migration_finds_nothing_to_do(run, module, path):
    name = module()
    run("migrate", name, "--path", path)
    assert run("migrate", name, "--path", path).out.endswith("0 changed; done\n")


def test_a_backfill_restores_index_keys(run, module, path):
    name = module()
    run("migrate", name, "--path", path)
    with Embedded(path) as engine:
        key = {"PK": {"S": "OWNER#ann"}, "SK": {"S": "NOTE#000007"}}
        engine.send("UpdateItem", {"TableName": "notes", "Key": key, "UpdateExpression": "REMOVE GSI1PK, GSI1SK"})
    assert in_index(path) == ITEMS - 1
    result = run("backfill", name, "--path", path, "--entity", "Note", "--rate", "100000")
    assert result.out.splitlines()[-1] == "Note: 250 scanned, 1 changed; done"
    assert in_index(path) == ITEMS


def test_a_migration_over_http(run, module, path, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "any")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "any")
    with Engine(path) as engine:
        server = Server(Application(engine))
        server.start()
        result = run("migrate", module(), "--endpoint", f"http://{server.host}:{server.port}")
        server.close()
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[-1] == "Note: 250 scanned, 250 changed; done"
    assert in_index(path) == ITEMS


def test_a_table_that_is_not_there_is_one_sentence(run, module, path):
    result = run("migrate", module(), "--path", path, "--name", "notes=others")
    assert result.code == 2
    assert result.err.startswith("ResourceNotFoundException")
    assert result.err.count("\n") == 1


def test_a_file_that_is_no_engine_is_one_sentence(run, module, tmp_path):
    foreign = tmp_path / "foreign.db"
    foreign.write_text("this is no database, and long enough to be looked at as one" * 20)
    result = run("migrate", module(), "--path", str(foreign))
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "Traceback" not in result.err
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(foreign).execute("SELECT 1 FROM sqlite_master")
