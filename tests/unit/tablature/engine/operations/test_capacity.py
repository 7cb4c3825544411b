"""ConsumedCapacity and ItemCollectionMetrics tell what was charged, per table and index."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Create = Callable[..., str]

KEY = {"pk": {"S": "a"}}


def item(size: int = 0, **more: Any) -> dict[str, Any]:
    return KEY | more | ({"pad": {"S": "x" * size}} if size else {})


@pytest.fixture
def things(create: Create) -> str:
    return create(gsis={"by_owner": ("KEYS_ONLY", "owner:S"), "whole": ("ALL", "owner:S")})


def charged(call: Call, operation: str, **request: Any) -> dict[str, Any]:
    answer = call(operation, TableName="things", ReturnConsumedCapacity="INDEXES", **request)["ConsumedCapacity"]
    charges = {"total": answer["CapacityUnits"], "table": answer["Table"]["CapacityUnits"]}
    for member in ("GlobalSecondaryIndexes", "LocalSecondaryIndexes"):
        charges |= {name: units["CapacityUnits"] for name, units in answer.get(member, {}).items()}
    return charges


def test_a_read_is_charged_by_four_kilobytes_and_half_when_eventual(call: Call, things: str) -> None:
    assert charged(call, "GetItem", Key=KEY) == {"total": 0.5, "table": 0.5}
    call("PutItem", TableName="things", Item=item(9000))
    assert charged(call, "GetItem", Key=KEY) == {"total": 1.5, "table": 1.5}
    assert charged(call, "GetItem", Key=KEY, ConsistentRead=True) == {"total": 3.0, "table": 3.0}


def test_a_write_is_charged_for_the_larger_image(call: Call, things: str) -> None:
    assert charged(call, "PutItem", Item=item(2000)) == {"total": 2.0, "table": 2.0}
    assert charged(call, "PutItem", Item=item(100)) == {"total": 2.0, "table": 2.0}
    assert charged(call, "DeleteItem", Key=KEY) == {"total": 1.0, "table": 1.0}
    assert charged(call, "DeleteItem", Key=KEY) == {"total": 1.0, "table": 1.0}


def test_an_index_is_charged_when_its_entry_changes(call: Call, things: str) -> None:
    x, y = {"owner": {"S": "x"}}, {"owner": {"S": "y"}}
    assert charged(call, "PutItem", Item=item(**x)) == {"total": 3.0, "table": 1.0, "by_owner": 1.0, "whole": 1.0}
    assert charged(call, "PutItem", Item=item(**x)) == {"total": 1.0, "table": 1.0}
    assert charged(call, "PutItem", Item=item(1500, **x)) == {"total": 4.0, "table": 2.0, "whole": 2.0}
    moved = charged(call, "PutItem", Item=item(1500, **y))
    assert moved == {"total": 8.0, "table": 2.0, "by_owner": 2.0, "whole": 4.0}
    gone = charged(call, "DeleteItem", Key=KEY)
    assert gone == {"total": 5.0, "table": 2.0, "by_owner": 1.0, "whole": 2.0}


def test_an_index_read_is_charged_to_the_index(call: Call, things: str) -> None:
    call("PutItem", TableName="things", Item=item(9000, owner={"S": "x"}))
    query = {
        "KeyConditionExpression": "#o = :o",
        "ExpressionAttributeNames": {"#o": "owner"},
        "ExpressionAttributeValues": {":o": {"S": "x"}},
    }
    assert charged(call, "Query", IndexName="by_owner", **query) == {"total": 0.5, "table": 0.0, "by_owner": 0.5}
    assert charged(call, "Scan", IndexName="whole") == {"total": 1.5, "table": 0.0, "whole": 1.5}


def test_a_local_index_that_reaches_back_charges_the_table_too(call: Call, create: Create) -> None:
    create("things", "pk:S", "sk:N", lsis={"by_size": ("KEYS_ONLY", "pk:S", "size:N")})
    for number in range(3):
        row = KEY | {"sk": {"N": str(number)}, "size": {"N": "1"}, "note": {"S": "x"}}
        call("PutItem", TableName="things", Item=row)
    units = charged(
        call,
        "Query",
        IndexName="by_size",
        KeyConditionExpression="pk = :p",
        ExpressionAttributeValues={":p": {"S": "a"}},
        ProjectionExpression="note",
    )
    assert units == {"total": 2.0, "table": 1.5, "by_size": 0.5}


def test_the_total_alone_names_no_arms(call: Call, things: str) -> None:
    answer = call("PutItem", TableName="things", Item=item(), ReturnConsumedCapacity="TOTAL")
    assert answer == {"ConsumedCapacity": {"TableName": "things", "CapacityUnits": 1.0}}
    assert call("PutItem", TableName="things", Item=item(), ReturnConsumedCapacity="NONE") == {}


def test_a_transaction_costs_twice_and_its_repetition_the_reads(call: Call, things: str) -> None:
    request = {
        "TransactItems": [{"Put": {"TableName": "things", "Item": item(1500, owner={"S": "x"})}}],
        "ClientRequestToken": "t",
        "ReturnConsumedCapacity": "TOTAL",
    }
    assert call("TransactWriteItems", **request)["ConsumedCapacity"] == [
        {"TableName": "things", "CapacityUnits": 7.0, "WriteCapacityUnits": 7.0}
    ]
    assert call("TransactWriteItems", **request)["ConsumedCapacity"] == [
        {"TableName": "things", "CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}
    ]
    got = call(
        "TransactGetItems",
        TransactItems=[{"Get": {"TableName": "things", "Key": KEY}}],
        ReturnConsumedCapacity="INDEXES",
    )
    units = {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0}
    assert got["ConsumedCapacity"] == [{"TableName": "things", **units, "Table": units}]


def test_a_batch_is_charged_table_by_table(call: Call, create: Create) -> None:
    create("things")
    create("others")
    writes = {"things": [{"PutRequest": {"Item": item(1500)}}], "others": [{"DeleteRequest": {"Key": KEY}}]}
    answer = call("BatchWriteItem", RequestItems=writes, ReturnConsumedCapacity="TOTAL")
    assert answer["ConsumedCapacity"] == [
        {"TableName": "things", "CapacityUnits": 2.0},
        {"TableName": "others", "CapacityUnits": 1.0},
    ]
    reads = {"things": {"Keys": [KEY], "ConsistentRead": True}, "others": {"Keys": [KEY]}}
    assert call("BatchGetItem", RequestItems=reads, ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"] == [
        {"TableName": "things", "CapacityUnits": 1.0},
        {"TableName": "others", "CapacityUnits": 0.5},
    ]


def test_collections_are_measured_only_where_there_are_local_indexes(call: Call, create: Create) -> None:
    create("plain")
    assert call("PutItem", TableName="plain", Item=item(), ReturnItemCollectionMetrics="SIZE") == {}
    create("things", "pk:S", "sk:N", lsis={"by_size": ("ALL", "pk:S", "size:N")})
    metrics = {"ItemCollectionKey": KEY, "SizeEstimateRangeGB": [0.0, 1.0]}
    row = KEY | {"sk": {"N": "1"}}
    assert call("PutItem", TableName="things", Item=row, ReturnItemCollectionMetrics="SIZE") == {
        "ItemCollectionMetrics": metrics
    }
    batch = call(
        "BatchWriteItem",
        RequestItems={"things": [{"PutRequest": {"Item": row}}]},
        ReturnItemCollectionMetrics="SIZE",
    )
    assert batch["ItemCollectionMetrics"] == {"things": [metrics]}
