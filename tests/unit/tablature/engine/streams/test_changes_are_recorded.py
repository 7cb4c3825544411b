"""Which records writes leave in a stream, and what they hold."""

import pytest


def shown(record):
    change = record["dynamodb"]
    return record["eventName"], change.get("OldImage"), change.get("NewImage")


def test_an_item_that_comes_changes_and_goes_leaves_three_records(streamed):
    table = streamed()
    table.put("1", a="x")
    table.put("1", a="y")
    table.delete("1")
    old, new = ({"pk": {"S": "1"}, "a": {"S": value}} for value in "xy")
    assert [shown(record) for record in table.records()] == [
        ("INSERT", None, old),
        ("MODIFY", old, new),
        ("REMOVE", new, None),
    ]


def test_a_write_that_changes_nothing_leaves_no_record(streamed, engine):
    table = streamed()
    table.put("1", a="x")
    table.put("1", a="x")
    table.delete("2")
    engine.call(
        "UpdateItem",
        {
            "TableName": "orders",
            "Key": {"pk": {"S": "1"}},
            "UpdateExpression": "SET a = :a",
            "ExpressionAttributeValues": {":a": {"S": "x"}},
        },
    )
    assert [record["eventName"] for record in table.records()] == ["INSERT"]


@pytest.mark.parametrize(
    ("view", "images"),
    [
        ("KEYS_ONLY", set()),
        ("NEW_IMAGE", {"NewImage"}),
        ("OLD_IMAGE", {"OldImage"}),
        ("NEW_AND_OLD_IMAGES", {"OldImage", "NewImage"}),
    ],
)
def test_a_record_has_the_images_of_its_view_type(streamed, view, images):
    table = streamed(view)
    table.put("1", a="x")
    table.put("1", a="longer")
    change = table.records()[1]["dynamodb"]
    assert {"OldImage", "NewImage"} & set(change) == images
    assert (change["Keys"], change["StreamViewType"]) == ({"pk": {"S": "1"}}, view)
    assert change["SizeBytes"] == 3 + ("OldImage" in images) * 5 + ("NewImage" in images) * 10


def test_a_record_says_where_and_when_it_was_made(streamed, clock):
    table = streamed()
    table.put("1")
    (record,) = table.records()
    assert (record["eventSource"], record["eventVersion"], record["awsRegion"]) == ("aws:dynamodb", "1.1", "us-east-1")
    assert record["dynamodb"]["ApproximateCreationDateTime"] == int(clock.now)
    assert len(record["dynamodb"]["SequenceNumber"]) >= 21


def test_a_transaction_and_a_batch_leave_a_record_for_each_item(streamed, engine):
    table = streamed()
    puts = [{"Item": {"pk": {"S": key}}} for key in "abcd"]
    engine.call("BatchWriteItem", {"RequestItems": {"orders": [{"PutRequest": put} for put in puts[:2]]}})
    engine.call("TransactWriteItems", {"TransactItems": [{"Put": put | {"TableName": "orders"}} for put in puts[2:]]})
    assert [record["dynamodb"]["Keys"]["pk"]["S"] for record in table.records()] == ["a", "b", "c", "d"]


def test_a_refused_write_leaves_no_record(streamed, refused):
    table = streamed()
    item = {"pk": {"S": "1"}}
    message = refused("PutItem", TableName="orders", Item=item, ConditionExpression="attribute_exists(pk)")
    assert message.startswith("ConditionalCheckFailedException")
    assert table.records() == []
