"""A table with indexes and items on an engine whose clock the test moves."""

from collections.abc import Callable, Iterator

import pytest

from tablature.engine.engine import Engine


@pytest.fixture
def engine(clock: Callable[[], float]) -> Iterator[Engine]:
    with Engine.memory(clock=clock) as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "orders",
                "AttributeDefinitions": [
                    {"AttributeName": name, "AttributeType": kind} for name, kind in (("pk", "S"), ("g", "N"))
                ],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "BillingMode": "PAY_PER_REQUEST",
                "GlobalSecondaryIndexes": [
                    {
                        "IndexName": "by-g",
                        "KeySchema": [{"AttributeName": "g", "KeyType": "HASH"}],
                        "Projection": {"ProjectionType": "KEYS_ONLY"},
                    }
                ],
            },
        )
        yield engine


@pytest.fixture
def put(engine: Engine) -> Callable[[str, int], None]:
    def put(key: str, number: int) -> None:
        engine.call("PutItem", {"TableName": "orders", "Item": {"pk": {"S": key}, "g": {"N": str(number)}}})

    return put


@pytest.fixture
def content(engine: Engine) -> Callable[[str], dict[str, int]]:
    def read(table: str) -> dict[str, int]:
        items = engine.call("Scan", {"TableName": table})["Items"]
        return {item["pk"]["S"]: int(item["g"]["N"]) for item in items}

    return read
