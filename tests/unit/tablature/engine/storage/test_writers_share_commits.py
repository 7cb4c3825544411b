"""Concurrent writers share one commit, and a refused write leaves no trace and disturbs nobody."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError
from tablature.engine.storage import Storage, Transaction


def test_threads_that_write_at_once_all_succeed(tmp_path: Path, define: Callable[..., dict[str, Any]]) -> None:
    with Engine(tmp_path / "things.db") as engine:
        engine.call("CreateTable", define("things", "pk:S", gsis={"by_owner": ("ALL", "owner:S")}))

        def add(_: int) -> None:
            engine.call(
                "UpdateItem",
                {
                    "TableName": "things",
                    "Key": {"pk": {"S": "counter"}},
                    "UpdateExpression": "ADD n :one SET #o = :o",
                    "ExpressionAttributeNames": {"#o": "owner"},
                    "ExpressionAttributeValues": {":one": {"N": "1"}, ":o": {"S": "x"}},
                },
            )

        with ThreadPoolExecutor(8) as pool:
            list(pool.map(add, range(200)))
        item = engine.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "counter"}}})["Item"]
        assert item["n"] == {"N": "200"}
        assert engine.storage.check() == []


def run_together(storage: Storage, *jobs: Callable[[Transaction], None]) -> list[BaseException | None]:
    """Run jobs that are all waiting when the writer becomes free; returns how each ended."""
    leading, queued = threading.Event(), threading.Event()

    def lead(_: Transaction) -> None:
        leading.set()
        assert queued.wait(10)

    with ThreadPoolExecutor(len(jobs) + 1) as pool:
        first = pool.submit(storage.write, lead)
        assert leading.wait(10)
        others = [pool.submit(storage.write, job) for job in jobs]
        while len(storage._writer._queue) < len(jobs):
            threading.Event().wait(0.001)
        queued.set()
        first.result(10)
        return [other.exception(10) for other in others]


def test_a_failed_job_undoes_only_its_own_writes(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "things.db"))

    def write(name: str) -> Callable[[Transaction], None]:
        return lambda transaction: transaction.put_document("kind", name, b"x")

    def write_and_fail(transaction: Transaction) -> None:
        transaction.put_document("kind", "lost", b"x")
        raise EngineError("ValidationException", "no")

    ends = run_together(storage, write("first"), write_and_fail, write("last"))
    assert [type(end).__name__ for end in ends] == ["NoneType", "EngineError", "NoneType"]
    with storage.snapshot() as snapshot:
        assert [name for name, _ in snapshot.documents("kind")] == ["first", "last"]
    storage.close()


def test_a_lone_failed_job_leaves_nothing_and_the_next_succeeds(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "things.db"))

    def write_and_fail(transaction: Transaction) -> None:
        transaction.put_document("kind", "lost", b"x")
        raise KeyError("no")

    with pytest.raises(KeyError):
        storage.write(write_and_fail)
    storage.write(lambda transaction: transaction.put_document("kind", "kept", b"x"))
    with storage.snapshot() as snapshot:
        assert [name for name, _ in snapshot.documents("kind")] == ["kept"]
    storage.close()


def test_jobs_that_wait_together_commit_together(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "things.db"))
    transactions: list[Transaction] = []
    assert run_together(storage, *[transactions.append] * 4) == [None] * 4
    assert len(transactions) == 4
    assert len(set(map(id, transactions))) == 1
    storage.close()


def test_a_reader_keeps_its_snapshot_while_others_write(tmp_path: Path) -> None:
    storage = Storage(str(tmp_path / "things.db"))
    storage.write(lambda transaction: transaction.put_document("kind", "a", b"1"))
    with storage.snapshot() as snapshot:
        assert snapshot.document("kind", "a") == b"1"
        storage.write(lambda transaction: transaction.put_document("kind", "a", b"2"))
        assert snapshot.document("kind", "a") == b"1"
    with storage.snapshot() as snapshot:
        assert snapshot.document("kind", "a") == b"2"
    storage.close()
