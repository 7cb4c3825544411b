"""A process killed at any moment, also while it archives or copies, leaves a history that gives every moment."""

import random
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive, recover

# A day passes in a fifth of a second, so that base copies are made all the time.
WRITING = """
import sys, threading, time
from tablature.engine.engine import Engine
from tablature.engine.history import HistoryArchive
began, start = time.time(), float(sys.argv[2])
clock = lambda: start + (time.time() - began) * 432_000
engine = Engine(sys.argv[1], clock=clock)
archive = HistoryArchive(engine.storage)
archive.start(100_000)
turn, first = threading.Lock(), int(sys.argv[3])

def write(worker):
    number = first
    while True:
        number += 1
        engine.call("TransactWriteItems", {"TransactItems": [
            {"Put": {"TableName": "things", "Item": {"pk": {"S": f"{worker}-{number}"}, "pad": {"S": "p" * 300}}}},
            {"Put": {"TableName": "things", "Item": {"pk": {"S": f"last-{worker}"}, "n": {"N": f"{number}"}}}},
        ]})
        with turn:
            sys.stdout.write(f"{worker} {number} {clock()}\\n")
            sys.stdout.flush()

for worker in range(2):
    threading.Thread(target=write, args=(worker,), daemon=True).start()
while True:
    archive.advance()
"""


def acknowledged_until_killed(path: Path, start: float, first: int, lines: int) -> list[tuple[str, int, float]]:
    command = [sys.executable, "-c", WRITING, str(path), str(start), str(first)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    text = "".join(process.stdout.readline() for _ in range(lines))
    process.kill()
    rest = process.stdout.read()
    process.wait(30)
    process.stdout.close()
    whole = [line.split() for line in (text + rest).splitlines() if line.count(" ") == 2]
    return [(worker, int(number), float(moment)) for worker, number, moment in whole]


def contents(engine: Engine) -> dict:
    items: dict = {}
    request = {"TableName": "things"}
    while True:
        page = engine.call("Scan", request)
        items |= {item["pk"]["S"]: item for item in page["Items"]}
        if "LastEvaluatedKey" not in page:
            return items
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def survive(folder: Path, define, kills: int) -> None:
    path, chance, now = folder / "things.db", random.Random(kills), 1_000_000.0
    with Engine(path, clock=lambda: now) as engine:
        engine.call("CreateTable", define("things", "pk:S"))
        HistoryArchive(engine.storage).start(100_000)
    for kill in range(kills):
        lines = acknowledged_until_killed(path, now + 1, kill * 100_000, chance.randint(1, 150))
        now = max(moment for *_, moment in lines) + 10 * 86_400
        with Engine(path, clock=partial(float, now)) as engine:
            archive = HistoryArchive(engine.storage)
            archive.advance()
            assert engine.storage.check() == []
            latest = contents(engine)
        target = folder / f"recovered-{kill}.db"
        recover(archive.folder, now, target)
        with Engine(target) as engine:
            assert contents(engine) == latest
        worker, number, moment = chance.choice(lines)
        earlier = folder / f"earlier-{kill}.db"
        recover(archive.folder, moment, earlier)
        with Engine(earlier) as engine:
            items = contents(engine)
        reached = int(items[f"last-{worker}"]["n"]["N"])
        assert reached >= number
        written = {int(key.split("-")[1]) for key in items if key.startswith(f"{worker}-")}
        assert {each for each in written if each > kill * 100_000} == set(range(kill * 100_000 + 1, reached + 1))
        target.unlink()
        earlier.unlink()


def test_a_process_killed_six_times_leaves_every_moment(tmp_path, define):
    survive(tmp_path, define, kills=6)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_process_killed_a_hundred_times_leaves_every_moment(tmp_path, define):
    survive(tmp_path, define, kills=100)
