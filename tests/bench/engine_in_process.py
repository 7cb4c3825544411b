"""The engine in process: against a bare SQLite read of the same row, and against moto in process."""

import itertools
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import boto3
import msgspec
from botocore import xform_name
from engine_work import CREDENTIALS, TABLE, definition, item
from measure import Line, rates
from moto import mock_aws

from tablature.engine.botocore_hook import route
from tablature.engine.engine import Engine

Call = Callable[[str, dict[str, Any]], object]
Work = Callable[[], object]
KEY = {"pk": {"S": "one"}, "sk": {"S": "1"}}


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    durable, in_memory = Engine(folder / "durable.db"), Engine.memory()
    with durable, in_memory, mock_aws(), closing(sqlite3.connect(folder / "bare.db", isolation_level=None)) as bare:
        moto = boto3.client("dynamodb", **CREDENTIALS)
        for call in (_call(durable), _call(in_memory), _call_boto3(moto)):
            call("CreateTable", definition())
            call("PutItem", {"TableName": TABLE, "Item": item("one", "1")})
        get = rates(
            {
                "ours": _getting(_call(durable)),
                "moto": _getting(_call_boto3(moto)),
                "hook": _getting(_call_boto3(_hooked(durable))),
                "bare": _bare_read(folder / "durable.db", durable),
            },
            seconds,
        )
        put = rates(
            {
                "durable": _putting(_call(durable)),
                "in memory": _putting(_call(in_memory)),
                "moto": _putting(_call_boto3(moto)),
                "bare": _bare_write(bare),
            },
            seconds,
        )
    return [
        _line("GetItem in process, cost against a bare select and decode", get["bare"], get["ours"], 4, at_most=True),
        _line("PutItem in process, cost against a bare durable insert", put["bare"], put["durable"], 4, at_most=True),
        _line("GetItem in process against moto in process", get["ours"], get["moto"], 20),
        _line("PutItem in process against moto in process, both in memory", put["in memory"], put["moto"], 20),
        _line("GetItem, boto3 with the hook, against moto in process", get["hook"], get["moto"], 1),
    ]


def _line(what: str, first: float, second: float, bar: float, *, at_most: bool = False) -> Line:
    return Line(what, f"{first:,.0f}/s and {second:,.0f}/s", first / second, bar, at_most)


def _call(engine: Engine) -> Call:
    return engine.call


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


def _bare_read(path: Path, engine: Engine) -> Work:
    table = engine.storage.table(TABLE)
    assert table is not None
    connection = sqlite3.connect(path)
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
