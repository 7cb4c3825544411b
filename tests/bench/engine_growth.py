"""Whether cost stays flat as a table grows from a thousand to a million items."""

import itertools
import random
import time
from pathlib import Path

from engine_work import TABLE, definition, item

from measure import Line, Work, rates
from tablature.engine.encoding.values import item_size
from tablature.engine.engine import Engine
from tablature.engine.storage import Transaction
from tablature.engine.storage.layout import encode_item

SMALL, LARGE = 1_000, 1_000_000
IN_A_PARTITION = 100
CHUNK = 50_000


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    with Engine(folder / "small.db") as small, Engine(folder / "large.db") as large:
        for engine, items in ((small, SMALL), (large, LARGE)):
            engine.call("CreateTable", definition())
            _load(engine, items)
        few, many = _workloads(small, SMALL), _workloads(large, LARGE)
        return [_line(name, few[name], many[name], seconds) for name in few]


def _line(name: str, few: Work, many: Work, seconds: float) -> Line:
    measured = rates({"few": few, "many": many}, seconds, time.process_time)
    what = f"{name} in process, processor time at {LARGE:,} items against {SMALL:,}"
    figures = f"{measured['few']:,.0f}/s and {measured['many']:,.0f}/s"
    return Line(what, figures, measured["few"] / measured["many"], 1.3, at_most=True)


def _load(engine: Engine, items: int) -> None:
    """Fill the table in a few large transactions, past the engine: a call for each item would take an hour."""
    table = engine.storage.table(TABLE)
    assert table is not None
    (index,) = table.indexes
    body, size = encode_item(item("part", "000")), item_size(item("part", "000"))
    for start in range(0, items, CHUNK):

        def fill(transaction: Transaction, start: int = start) -> None:
            keys = [_key(number) for number in range(start, min(start + CHUNK, items))]
            entries = [{"pk": {"S": pk}, "sk": {"S": sk}, "owner": {"S": f"USER#{pk}"}} for pk, sk in keys]
            places = [table.key_of(entry) for entry in entries]
            transaction.connection.executemany(table.upsert, [(*place, size, body) for place in places])
            listed = [index.key_of(entry, place) for entry, place in zip(entries, places, strict=True)]
            transaction.connection.executemany(index.insert, listed)

        engine.storage.write(fill)


def _key(number: int) -> tuple[str, str]:
    return f"part{number // IN_A_PARTITION}", f"{number % IN_A_PARTITION:03d}"


def _workloads(engine: Engine, items: int) -> dict[str, Work]:
    chosen = random.Random(7)
    fresh = itertools.count()

    def get() -> object:
        partition, sort = _key(chosen.randrange(items))
        return engine.call("GetItem", {"TableName": TABLE, "Key": {"pk": {"S": partition}, "sk": {"S": sort}}})

    def put() -> object:
        return engine.call("PutItem", {"TableName": TABLE, "Item": item(f"new{next(fresh)}", "1")})

    def page() -> object:
        partition, _ = _key(chosen.randrange(items))
        return engine.call(
            "Query",
            {
                "TableName": TABLE,
                "Limit": 25,
                "KeyConditionExpression": "pk = :p",
                "ExpressionAttributeValues": {":p": {"S": partition}},
            },
        )

    return {"GetItem": get, "PutItem": put, "Query, page of 25,": page}
