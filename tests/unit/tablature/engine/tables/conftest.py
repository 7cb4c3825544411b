"""An engine in memory, and requests for tables that state only what a test is about."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

Refusal = Callable[..., str]


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.memory() as engine:
        yield engine


def attributes(*names: str) -> list[dict[str, str]]:
    return [{"AttributeName": name.partition(":")[0], "AttributeType": name.partition(":")[2] or "S"} for name in names]


def key(*names: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": name, "KeyType": kind} for name, kind in zip(names, ("HASH", "RANGE", "RANGE"), strict=False)
    ]


def index(name: str, *keys: str, **members: Any) -> dict[str, Any]:
    return {"IndexName": name, "KeySchema": key(*keys), "Projection": {"ProjectionType": "ALL"}} | members


def table(*keys: str, name: str = "orders", **members: Any) -> dict[str, Any]:
    keys = keys or ("pk",)
    request = {
        "TableName": name,
        "AttributeDefinitions": attributes(*keys),
        "KeySchema": key(*keys),
        "BillingMode": "PAY_PER_REQUEST",
    } | members
    return {name: value for name, value in request.items() if value is not None}


class Requests:
    """What tests build requests with."""

    attributes = staticmethod(attributes)
    key = staticmethod(key)
    index = staticmethod(index)
    table = staticmethod(table)
    units = staticmethod(lambda read, write: {"ReadCapacityUnits": read, "WriteCapacityUnits": write})


@pytest.fixture
def make() -> type[Requests]:
    return Requests


@pytest.fixture
def refusal(engine: Engine) -> Refusal:
    """Call an operation that must be refused; returns `Code: message`."""

    def call(operation: str, **request: Any) -> str:
        with pytest.raises(EngineError) as refused:
            engine.call(operation, request)
        return f"{refused.value.code}: {refused.value.message}"

    return call
