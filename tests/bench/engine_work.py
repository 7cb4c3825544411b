"""The work that every server is given: one table, six operations, through boto3."""

import itertools
from collections.abc import Callable
from typing import Any

import boto3
from botocore.config import Config

TABLE = "bench"
CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "any", "aws_secret_access_key": "any"}
OPERATIONS = ("PutItem", "GetItem", "Query of 100", "UpdateItem ADD", "TransactWriteItems of 4", "BatchWriteItem of 25")


def connect(url: str, connections: int = 1) -> Any:
    """A boto3 client that neither retries nor checks parameters twice."""
    settings = Config(retries={"total_max_attempts": 1}, max_pool_connections=connections, parameter_validation=False)
    return boto3.client("dynamodb", endpoint_url=url, config=settings, **CREDENTIALS)


def definition() -> dict[str, Any]:
    return {
        "TableName": TABLE,
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "owner")],
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}, {"AttributeName": "sk", "KeyType": "RANGE"}],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "by-owner",
                "KeySchema": [{"AttributeName": "owner", "KeyType": "HASH"}],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        "BillingMode": "PAY_PER_REQUEST",
    }


def item(partition: str, sort: str) -> dict[str, Any]:
    """Ten attributes, about four hundred bytes."""
    return {
        "pk": {"S": partition},
        "sk": {"S": sort},
        "owner": {"S": f"USER#{partition}"},
        "title": {"S": "A title of ordinary length for a document"},
        "body": {"S": "x" * 200},
        "count": {"N": "0"},
        "ratio": {"N": "0.125"},
        "done": {"BOOL": False},
        "tags": {"SS": ["one", "two", "three"]},
        "place": {"M": {"city": {"S": "Nairobi"}, "floor": {"N": "3"}}},
    }


def prepare(client: Any) -> None:
    """Create the table and put a partition of a hundred items and one to read into it."""
    client.create_table(**definition())
    client.get_waiter("table_exists").wait(TableName=TABLE, WaiterConfig={"Delay": 1})
    puts = [{"PutRequest": {"Item": item("hundred", f"{number:03d}")}} for number in range(100)]
    for start in range(0, 100, 25):
        client.batch_write_item(RequestItems={TABLE: puts[start : start + 25]})
    client.put_item(TableName=TABLE, Item=item("one", "1"))


def workloads(client: Any) -> dict[str, Callable[[], object]]:
    """Each operation as something to call over and over."""
    fresh = itertools.count()

    def put() -> object:
        return client.put_item(TableName=TABLE, Item=item(f"p{next(fresh)}", "1"))

    def get() -> object:
        return client.get_item(TableName=TABLE, Key={"pk": {"S": "one"}, "sk": {"S": "1"}})

    def query() -> object:
        return client.query(
            TableName=TABLE,
            KeyConditionExpression="pk = :p",
            ExpressionAttributeValues={":p": {"S": "hundred"}},
        )

    def add() -> object:
        return client.update_item(
            TableName=TABLE,
            Key={"pk": {"S": "one"}, "sk": {"S": "1"}},
            UpdateExpression="ADD #c :one",
            ExpressionAttributeNames={"#c": "count"},
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    def transact() -> object:
        puts = [{"Put": {"TableName": TABLE, "Item": item(f"t{next(fresh)}", "1")}} for _ in range(4)]
        return client.transact_write_items(TransactItems=puts)

    def batch() -> object:
        puts = [{"PutRequest": {"Item": item(f"b{next(fresh)}", "1")}} for _ in range(25)]
        return client.batch_write_item(RequestItems={TABLE: puts})

    return dict(zip(OPERATIONS, (put, get, query, add, transact, batch), strict=True))
