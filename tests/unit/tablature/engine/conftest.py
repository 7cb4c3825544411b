"""An engine in memory, and short ways to create tables, call operations and read refusals."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

Call = Callable[..., dict[str, Any]]


class Clock:
    """Stands still until the test moves it."""

    def __init__(self) -> None:
        self.now = 1_800_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    """For the engines of tests in which time passes."""
    return Clock()


@pytest.fixture
def engine() -> Iterator[Engine]:
    """An engine whose data lives as long as the test."""
    with Engine.memory() as engine:
        yield engine


@pytest.fixture
def call(engine: Engine) -> Call:
    """Call an operation with the members of its request."""
    return lambda operation, **request: engine.call(operation, request)


@pytest.fixture
def refused(engine: Engine) -> Callable[..., str]:
    """The code and sentence with which an operation refuses a request."""

    def refuse(operation: str, **request: Any) -> str:
        with pytest.raises(EngineError) as caught:
            engine.call(operation, request)
        return f"{caught.value.code}: {caught.value.message}"

    return refuse


def key_schema(*keys: str) -> list[dict[str, str]]:
    return [
        {"AttributeName": key.partition(":")[0], "KeyType": kind}
        for key, kind in zip(keys, ("HASH", "RANGE"), strict=False)
    ]


def table_definition(name: str, *keys: str, gsis: dict[str, Any], lsis: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A CreateTable request; keys and indexes are spelled `name:type`, projections as a kind or a list."""
    definition: dict[str, Any] = {
        "TableName": name,
        "KeySchema": key_schema(*keys),
        "BillingMode": "PAY_PER_REQUEST",
        **more,
    }
    attributes = dict.fromkeys(keys)
    for member, indexes in (("GlobalSecondaryIndexes", gsis), ("LocalSecondaryIndexes", lsis)):
        if indexes:
            definition[member] = [index_definition(index, *spelled) for index, spelled in indexes.items()]
            attributes |= dict.fromkeys(key for _, *index_keys in indexes.values() for key in index_keys)
    definition["AttributeDefinitions"] = [
        dict(zip(("AttributeName", "AttributeType"), key.split(":"), strict=True)) for key in attributes
    ]
    return definition


def index_definition(name: str, projection: str | list[str], *keys: str) -> dict[str, Any]:
    shown = (
        {"ProjectionType": projection}
        if isinstance(projection, str)
        else {"ProjectionType": "INCLUDE", "NonKeyAttributes": projection}
    )
    return {"IndexName": name, "KeySchema": key_schema(*keys), "Projection": shown}


@pytest.fixture
def create(call: Call) -> Callable[..., str]:
    """Create a table: `create("things", "pk:S", "sk:N", gsis={"by_owner": ("ALL", "owner:S")})`."""

    def make(
        name: str = "things",
        *keys: str,
        gsis: dict[str, Any] | None = None,
        lsis: dict[str, Any] | None = None,
        **more: Any,
    ) -> str:
        call("CreateTable", **table_definition(name, *(keys or ("pk:S",)), gsis=gsis or {}, lsis=lsis or {}, **more))
        return name

    return make


@pytest.fixture
def define() -> Callable[..., dict[str, Any]]:
    """A CreateTable request, for engines that a test opens itself."""
    return lambda name, *keys, gsis=None, lsis=None, **more: table_definition(
        name, *keys, gsis=gsis or {}, lsis=lsis or {}, **more
    )
