"""A process killed at any moment has lost no write that it acknowledged, and the file is sound."""

import random
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tablature.engine.engine import Engine

WRITING = """
import sys, threading
from tablature.engine.engine import Engine
engine, start = Engine(sys.argv[1]), int(sys.argv[2])
turn = threading.Lock()

def write(worker):
    number = start
    while True:
        number += 1
        engine.call("TransactWriteItems", {"TransactItems": [
            {"Put": {"TableName": "things", "Item": {
                "pk": {"S": f"{worker}"}, "sk": {"N": f"{number}"}, "owner": {"S": "x"}, "pad": {"S": "p" * 500}}}},
            {"Update": {"TableName": "things", "Key": {"pk": {"S": f"last {worker}"}, "sk": {"N": "0"}},
                "UpdateExpression": "SET n = :n", "ExpressionAttributeValues": {":n": {"N": f"{number}"}}}},
        ]})
        with turn:
            sys.stdout.write(f"{worker} {number}\\n")
            sys.stdout.flush()

for worker in range(3):
    threading.Thread(target=write, args=(worker,), daemon=True).start()
threading.Event().wait()
"""


def acknowledged_until_killed(path: Path, start: int, lines: int) -> dict[str, int]:
    """Run a writing process, kill it after some acknowledgements, and return the last of each worker."""
    process = subprocess.Popen(
        [sys.executable, "-c", WRITING, str(path), str(start)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    last: dict[str, int] = {}
    for _ in range(lines):
        worker, number = process.stdout.readline().split()
        last[worker] = int(number)
    process.kill()
    for line in process.stdout.read().splitlines():
        worker, number = line.split()
        last[worker] = int(number)
    process.wait(30)
    process.stdout.close()
    return last


def survive(path: Path, define: Callable[..., dict[str, Any]], kills: int) -> None:
    with Engine(path) as engine:
        engine.call("CreateTable", define("things", "pk:S", "sk:N", gsis={"by_owner": ("ALL", "owner:S", "sk:N")}))
    chance = random.Random(kills)
    for kill in range(kills):
        last = acknowledged_until_killed(path, kill * 100_000, chance.randint(1, 60))
        with Engine(path) as engine:
            assert engine.storage.check() == []
            for worker, number in last.items():
                key = {"pk": {"S": worker}, "sk": {"N": str(number)}}
                assert "Item" in engine.call("GetItem", {"TableName": "things", "Key": key})
                latest = engine.call(
                    "GetItem",
                    {"TableName": "things", "Key": {"pk": {"S": f"last {worker}"}, "sk": {"N": "0"}}},
                )["Item"]["n"]["N"]
                assert int(latest) >= number
                newest = {"pk": {"S": worker}, "sk": {"N": latest}}
                assert "Item" in engine.call("GetItem", {"TableName": "things", "Key": newest})


def test_a_process_killed_ten_times_has_lost_no_acknowledged_write(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    survive(tmp_path / "things.db", define, kills=10)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_process_killed_two_hundred_times_has_lost_no_acknowledged_write(
    tmp_path: Path, define: Callable[..., dict[str, Any]]
) -> None:
    survive(tmp_path / "things.db", define, kills=200)
