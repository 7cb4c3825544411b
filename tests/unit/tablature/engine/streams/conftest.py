"""A table with a stream on an engine whose clock the test moves, and a reader of its records."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tablature.engine.engine import Engine


class StreamedTable:
    """One table and everything a test does with it and its stream."""

    def __init__(self, engine: Engine, view: str) -> None:
        self.engine = engine
        self.arn = engine.call(
            "CreateTable",
            {
                "TableName": "orders",
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "BillingMode": "PAY_PER_REQUEST",
                "StreamSpecification": {"StreamEnabled": True, "StreamViewType": view},
            },
        )["TableDescription"]["LatestStreamArn"]

    def put(self, key: str, **attributes: str) -> None:
        item = {"pk": {"S": key}} | {name: {"S": value} for name, value in attributes.items()}
        self.engine.call("PutItem", {"TableName": "orders", "Item": item})

    def delete(self, key: str) -> None:
        self.engine.call("DeleteItem", {"TableName": "orders", "Key": {"pk": {"S": key}}})

    def describe(self) -> dict[str, Any]:
        return self.engine.call("DescribeStream", {"StreamArn": self.arn})["StreamDescription"]

    def iterator(self, kind: str = "TRIM_HORIZON", **members: Any) -> str:
        shard = self.describe()["Shards"][0]["ShardId"]
        request = {"StreamArn": self.arn, "ShardId": shard, "ShardIteratorType": kind} | members
        return str(self.engine.call("GetShardIterator", request)["ShardIterator"])

    def page(self, iterator: str, **members: Any) -> dict[str, Any]:
        return self.engine.call("GetRecords", {"ShardIterator": iterator} | members)

    def records(self, kind: str = "TRIM_HORIZON", **members: Any) -> list[dict[str, Any]]:
        records: list[dict[str, Any]] = self.page(self.iterator(kind, **members))["Records"]
        return records

    def switch_off(self) -> None:
        self.engine.call("UpdateTable", {"TableName": "orders", "StreamSpecification": {"StreamEnabled": False}})


@pytest.fixture
def engine(clock: Callable[[], float]) -> Iterator[Engine]:
    with Engine.memory(clock=clock) as engine:
        yield engine


@pytest.fixture
def streamed(engine: Engine) -> Callable[..., StreamedTable]:
    return lambda view="NEW_AND_OLD_IMAGES": StreamedTable(engine, view)
