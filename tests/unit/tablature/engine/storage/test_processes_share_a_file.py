"""Several processes may use one file: their writes interleave safely, and each sees the other's tables."""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

ADDING = """
import sys
from tablature.engine.engine import Engine
with Engine(sys.argv[1]) as engine:
    for _ in range(int(sys.argv[2])):
        engine.call("UpdateItem", {
            "TableName": "things", "Key": {"pk": {"S": "counter"}}, "UpdateExpression": "ADD n :one",
            "ExpressionAttributeValues": {":one": {"N": "1"}},
        })
"""


def run(source: str, *arguments: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", source, *map(str, arguments)])


def test_two_processes_that_add_to_one_item_lose_no_addition(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    path = tmp_path / "things.db"
    with Engine(path) as engine:
        engine.call("CreateTable", define("things", "pk:S"))
        processes = [run(ADDING, path, 150) for _ in range(2)]
        assert [process.wait(60) for process in processes] == [0, 0]
        item = engine.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "counter"}}})["Item"]
        assert item["n"] == {"N": "300"}
        assert engine.storage.check() == []


def test_a_table_made_changed_and_dropped_elsewhere_is_seen(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    path = tmp_path / "things.db"
    with Engine(path) as here, Engine(path) as elsewhere:
        elsewhere.call("CreateTable", define("things", "pk:S"))
        here.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "a"}, "owner": {"S": "x"}}})
        index = define("things", "pk:S", gsis={"by_owner": ("ALL", "owner:S")})
        elsewhere.call(
            "UpdateTable",
            {
                "TableName": "things",
                "AttributeDefinitions": index["AttributeDefinitions"],
                "GlobalSecondaryIndexUpdates": [{"Create": index["GlobalSecondaryIndexes"][0]}],
            },
        )
        here.call("PutItem", {"TableName": "things", "Item": {"pk": {"S": "b"}, "owner": {"S": "x"}}})
        request = {
            "TableName": "things",
            "IndexName": "by_owner",
            "KeyConditionExpression": "#o = :o",
            "ExpressionAttributeNames": {"#o": "owner"},
            "ExpressionAttributeValues": {":o": {"S": "x"}},
        }
        assert [engine.call("Query", request)["Count"] for engine in (here, elsewhere)] == [2, 2]
        elsewhere.call("DeleteTable", {"TableName": "things"})
        with pytest.raises(EngineError, match="Requested resource not found"):
            here.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})
        elsewhere.call("CreateTable", define("things", "other:N"))
        here.call("PutItem", {"TableName": "things", "Item": {"other": {"N": "1"}}})
        assert here.call("Scan", {"TableName": "things"})["Items"] == [{"other": {"N": "1"}}]
