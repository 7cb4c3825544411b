"""A table with indexes and items on an engine whose clock the test moves."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import ServiceError


class Clock:
    """Stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def engine(clock: Clock) -> Iterator[Engine]:
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


@pytest.fixture
def refusal(engine: Engine) -> Callable[..., str]:
    """Call an operation that must be refused; returns `Code: message`."""

    def call(operation: str, **request: Any) -> str:
        with pytest.raises(ServiceError) as refused:
            engine.call(operation, request)
        return f"{refused.value.code}: {refused.value.message}"

    return call
