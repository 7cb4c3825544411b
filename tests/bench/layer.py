"""The layer in process: its codec against other libraries', a typed read against bare SQLite, and its import."""

import sqlite3
import subprocess
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Literal

import msgspec
from layer_peers import import_milliseconds, microseconds
from layer_values import values

from measure import Line, Work, rates
from tablature import Attr, Database, Entity, Index, Table, index, pattern, primary
from tablature.transport.embedded import Embedded

HERE = Path(__file__).parent
PEERS = HERE.parents[1] / ".venv-bench" / "bin" / "python"
SLOWEST_CODEC, SLOWEST_IMPORT = 10.0, 60.0

table = Table("newsletter", pk="PK", sk="SK", indexes=[Index("GSI1", "GSI1PK", "GSI1SK")])


class Newsletter(Entity, table=table):
    code: Attr[str]
    title: Attr[str]
    description: Attr[str]
    status: Attr[Literal["draft", "completed", "exported"]]
    user_id: Attr[str]
    user_email: Attr[str]
    user_name: Attr[str]
    created_at: Attr[datetime]
    updated_at: Attr[datetime]
    audience: Attr[list[str]]
    tone: Attr[int]
    depth: Attr[int]
    score: Attr[float]
    weekly: Attr[bool]
    meta: Attr[dict[str, str]]

    key = primary("NEWSLETTER#{code}", "METADATA")
    by_user = index("GSI1", "USER#{user_id}", "NEWSLETTER#{code}")
    of_user = pattern(by_user)


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    return [*_codec(), *_reading(folder, seconds), *_importing()]


def _peer(name: str) -> float:
    answer = subprocess.run([PEERS, "layer_peers.py", name], cwd=HERE, capture_output=True, text=True, check=True)
    return float(answer.stdout)


def _codec() -> list[Line]:
    entity, codec = Newsletter(**values()), Newsletter.__codec__
    ours = microseconds(lambda: codec.decode(codec.encode(entity)))
    results = [Line("codec, encode and decode of 15 attributes, µs", f"{ours:.1f}", ours, SLOWEST_CODEC, at_most=True)]
    for name, bar in (("pynamodb", 5), ("pydynantic", 1), ("boto3", 1)):
        theirs = _peer(name)
        results.append(Line(f"codec against {name}", f"{ours:.1f} and {theirs:.1f} µs", theirs / ours, bar))
    return results


def _reading(folder: Path, seconds: float) -> list[Line]:
    with Database(Embedded(folder / "layer.db")) as db, closing(sqlite3.connect(folder / "bare.db")) as bare:
        db.admin.create_table(table)
        db.put_many([Newsletter(**values() | {"code": f"NL-{number:03d}"}) for number in range(100)])
        ref = Newsletter.key(code="NL-007")
        query = Newsletter.of_user(user_id="user123")
        works: dict[str, Work] = {
            "typed": lambda: db.get(Newsletter.key(code="NL-007")),
            "bare": _bare_read(bare, db.transport.send("GetItem", {"TableName": "newsletter", "Key": ref.key})["Item"]),
            "query": lambda: db.query(query, limit=100),
            "put": _putting(db),
        }
        result = rates(works, seconds, time.process_time)
    get = f"{1e6 / result['typed']:.1f} and {1e6 / result['bare']:.1f} µs"
    return [
        Line(
            "typed get, cost against a bare select and decode", get, result["bare"] / result["typed"], 4, at_most=True
        ),
        Line("typed query of 100, µs an item", "", 1e4 / result["query"], 40, at_most=True),
        Line("typed put, µs of processor time", "", 1e6 / result["put"], 400, at_most=True),
    ]


def _bare_read(bare: sqlite3.Connection, item: dict[str, object]) -> Work:
    """The same row in a table of one's own, read and decoded into the same entity."""
    bare.execute("CREATE TABLE items (k TEXT PRIMARY KEY, v BLOB) WITHOUT ROWID")
    bare.execute("INSERT INTO items VALUES ('NL-007', ?)", (msgspec.json.encode(item),))
    decode, read = Newsletter.__codec__.decode, msgspec.json.Decoder().decode
    select = "SELECT v FROM items WHERE k = ?"
    return lambda: decode(read(bare.execute(select, ("NL-007",)).fetchone()[0]))


def _putting(db: Database) -> Work:
    entity = Newsletter(**values())
    return lambda: db.put(entity)


def _importing() -> list[Line]:
    ours, theirs = import_milliseconds("tablature"), _peer("imports")
    figures = f"{ours:.0f} and boto3 {theirs:.0f} ms"
    return [Line("import tablature, ms", figures, ours, SLOWEST_IMPORT, at_most=True)]
