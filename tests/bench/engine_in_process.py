"""The engine in process: against a bare SQLite read of the same row, and against moto in process."""

import itertools
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import msgspec
from botocore import xform_name
from engine_work import CREDENTIALS, TABLE, definition, item
from moto import mock_aws

from measure import Line, Work, rate, rates
from tablature.engine.botocore_hook import route
from tablature.engine.engine import Engine

Call = Callable[[str, dict[str, Any]], object]
KEY = {"pk": {"S": "one"}, "sk": {"S": "1"}}


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    with (
        Engine(folder / "durable.db") as durable,
        Engine.memory() as in_memory,
        closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as bare,
    ):
        with mock_aws():
            moto = _call_boto3(boto3.client("dynamodb", **CREDENTIALS))
            for call in (durable.call, in_memory.call, moto):
                call("CreateTable", definition())
                call("PutItem", {"TableName": TABLE, "Item": item("one", "1")})
            reading = {"ours": _getting(durable.call), "moto": _getting(moto), "bare": _bare_read(durable)}
            get = rates(reading, seconds, time.process_time)
            writing = {
                "durable": _putting(durable.call),
                "in memory": _putting(in_memory.call),
                "moto": _putting(moto),
                "bare": _bare_write(bare),
            }
            put = rates(writing, seconds, time.process_time)
        # Apart from the others, because moto answers every client while it is in place.
        hooked = rate(_getting(_call_boto3(_hooked(durable))), seconds, time.process_time)
    return [
        _line("GetItem in process, cost against a bare select and decode", get["bare"], get["ours"], 4, at_most=True),
        _line(
            "PutItem in process, cost against bare inserts of its rows",
            put["bare"],
            put["durable"],
            4,
            at_most=True,
        ),
        _line("GetItem in process against moto in process", get["ours"], get["moto"], 20),
        _line("PutItem in process against moto in process, both in memory", put["in memory"], put["moto"], 20),
        _line("GetItem, boto3 with the hook, against moto in process", hooked, get["moto"], 1),
    ]


def _line(what: str, first: float, second: float, bar: float, *, at_most: bool = False) -> Line:
    return Line(what, f"{first:,.0f}/s and {second:,.0f}/s", first / second, bar, at_most)


def _call_boto3(client: Any) -> Call:
    return lambda operation, request: getattr(client, xform_name(operation))(**request)


def _hooked(engine: Engine) -> Any:
    client = boto3.client("dynamodb", **CREDENTIALS)
    route(client, engine)
    return client


def _getting(call: Call) -> Work:
    return lambda: call("GetItem", {"TableName": TABLE, "Key": KEY})


def _putting(call: Call) -> Work:
    fresh = itertools.count()
    return lambda: call("PutItem", {"TableName": TABLE, "Item": item(f"p{next(fresh)}", "1")})


def _bare_read(engine: Engine) -> Work:
    table = engine.storage.table(TABLE)
    assert table is not None
    connection = sqlite3.connect(engine.storage.path)
    place, select = table.key_of(KEY), table.select
    decode = msgspec.json.Decoder(dict[str, dict[str, object]]).decode
    return lambda: decode(connection.execute(select, place).fetchone()[1])


def _bare_write(connection: sqlite3.Connection) -> Work:
    """One item and one index row in each transaction, as durable as ours."""
    for statement in (
        "PRAGMA journal_mode = WAL",
        "PRAGMA synchronous = FULL",
        "CREATE TABLE items (h BLOB, r BLOB, size INTEGER, body BLOB, PRIMARY KEY (h, r)) WITHOUT ROWID",
        "CREATE TABLE entries (h BLOB, r BLOB, PRIMARY KEY (h, r)) WITHOUT ROWID",
    ):
        connection.execute(statement)
    fresh = itertools.count()

    def write() -> None:
        key = f"p{next(fresh)}".encode()
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("INSERT INTO items VALUES (?, ?, 400, ?)", (key, b"1", msgspec.json.encode(item("p", "1"))))
        connection.execute("INSERT INTO entries VALUES (?, ?)", (key, b"1"))
        connection.execute("COMMIT")

    return write
