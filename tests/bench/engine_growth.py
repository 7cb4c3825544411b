"""Whether cost stays flat as a table grows from a thousand to a million items."""

import itertools
import random
from collections.abc import Callable
from pathlib import Path

from engine_work import TABLE, definition, item
from measure import Line, rates

from tablature.engine.engine import Engine
from tablature.engine.storage import Transaction

SMALL, LARGE = 1_000, 1_000_000
IN_A_PARTITION = 100
CHUNK = 20_000


def lines(folder: Path, seconds: float = 1.5) -> list[Line]:
    with Engine(folder / "small.db") as small, Engine(folder / "large.db") as large:
        for engine, items in ((small, SMALL), (large, LARGE)):
            engine.call("CreateTable", definition())
            _load(engine, items)
        few, many = _workloads(small, SMALL), _workloads(large, LARGE)
        return [_line(name, rates({"small": few[name], "large": many[name]}, seconds)) for name in few]


def _line(name: str, measured: dict[str, float]) -> Line:
    small, large = measured["small"], measured["large"]
    what = f"{name} in process, cost at {LARGE:,} items against {SMALL:,}"
    return Line(what, f"{small:,.0f}/s and {large:,.0f}/s", small / large, 1.3, at_most=True)


def _load(engine: Engine, items: int) -> None:
    """Fill the table in a few large transactions; one call per item would take an hour."""
    table = engine.storage.table(TABLE)
    assert table is not None
    numbers = iter(range(items))
    while chunk := list(itertools.islice(numbers, CHUNK)):

        def fill(transaction: Transaction, chunk: list[int] = chunk) -> None:
            for number in chunk:
                entry = item(*_key(number))
                transaction.write(table, table.key_of(entry), None, entry)

        engine.storage.write(fill)


def _key(number: int) -> tuple[str, str]:
    return f"part{number // IN_A_PARTITION}", f"{number % IN_A_PARTITION:03d}"


def _workloads(engine: Engine, items: int) -> dict[str, Callable[[], object]]:
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
