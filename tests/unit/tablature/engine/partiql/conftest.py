"""A table with a few items, and statements run against it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError


@pytest.fixture
def engine() -> Iterator[Engine]:
    with Engine.memory() as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "Music",
                "KeySchema": [
                    {"AttributeName": "artist", "KeyType": "HASH"},
                    {"AttributeName": "year", "KeyType": "RANGE"},
                ],
                "AttributeDefinitions": [
                    {"AttributeName": "artist", "AttributeType": "S"},
                    {"AttributeName": "year", "AttributeType": "N"},
                    {"AttributeName": "genre", "AttributeType": "S"},
                ],
                "GlobalSecondaryIndexes": [
                    {
                        "IndexName": "by-genre",
                        "KeySchema": [{"AttributeName": "genre", "KeyType": "HASH"}],
                        "Projection": {"ProjectionType": "KEYS_ONLY"},
                    }
                ],
                "BillingMode": "PAY_PER_REQUEST",
            },
        )
        yield engine


@pytest.fixture
def execute(engine: Engine) -> Callable[..., dict[str, Any]]:
    """Run one statement; further keywords are other members of the request."""

    def run(statement: str, *parameters: dict[str, Any], **members: Any) -> dict[str, Any]:
        request: dict[str, Any] = {"Statement": statement, **members}
        if parameters:
            request["Parameters"] = list(parameters)
        return engine.call("ExecuteStatement", request)

    return run


@pytest.fixture
def refusal(execute: Callable[..., dict[str, Any]]) -> Callable[..., tuple[str, str]]:
    """The code and sentence with which a statement is refused."""

    def refuse(statement: str, *parameters: dict[str, Any], **members: Any) -> tuple[str, str]:
        with pytest.raises(EngineError) as caught:
            execute(statement, *parameters, **members)
        return caught.value.code, caught.value.message

    return refuse


@pytest.fixture
def albums(engine: Engine) -> None:
    """Five albums of Ada, from 1 to 5, and one of Bob."""
    for year in range(1, 6):
        item = {
            "artist": {"S": "Ada"},
            "year": {"N": str(year)},
            "genre": {"S": "odd" if year % 2 else "even"},
            "notes": {"M": {"tracks": {"L": [{"N": str(year)}, {"S": "x"}]}}},
        }
        engine.call("PutItem", {"TableName": "Music", "Item": item})
    engine.call("PutItem", {"TableName": "Music", "Item": {"artist": {"S": "Bob"}, "year": {"N": "9"}}})
