"""boto3 as a client: waiters, paginators, binary values, errors, and many threads at once."""

from concurrent.futures import ThreadPoolExecutor

import boto3
import pytest


@pytest.fixture
def server(lasting_server):
    return lasting_server


@pytest.fixture
def orders(client, create_orders):
    create_orders(client)
    yield "orders"
    if "orders" in client.list_tables()["TableNames"]:
        client.delete_table(TableName="orders")


def item(key, sort, **attributes):
    return {"pk": {"S": key}, "sk": {"N": str(sort)}} | attributes


def test_every_type_comes_back_as_it_went(client, orders):
    sent = item(
        "a",
        1,
        text={"S": "grüß 你好"},
        number={"N": "-1.5"},
        raw={"B": b"\x00\xff"},
        yes={"BOOL": True},
        none={"NULL": True},
        texts={"SS": ["x", "y"]},
        numbers={"NS": ["1", "2"]},
        raws={"BS": [b"a"]},
        nested={"M": {"list": {"L": [{"S": ""}, {"M": {}}]}}},
    )
    client.put_item(TableName=orders, Item=sent)
    stored = client.get_item(TableName=orders, Key=item("a", 1))["Item"]
    assert stored == sent


def test_pages_and_waiters_work(client, orders):
    requests = [{"PutRequest": {"Item": item("a", number)}} for number in range(60)]
    for start in range(0, 60, 25):
        client.batch_write_item(RequestItems={orders: requests[start : start + 25]})
    pages = client.get_paginator("query").paginate(
        TableName=orders,
        KeyConditionExpression="pk = :a",
        ExpressionAttributeValues={":a": {"S": "a"}},
        PaginationConfig={"PageSize": 7},
    )
    assert [int(entry["sk"]["N"]) for page in pages for entry in page["Items"]] == list(range(60))
    client.delete_table(TableName=orders)
    client.get_waiter("table_not_exists").wait(TableName=orders)


def test_errors_arrive_as_boto3s_own(client, orders):
    with pytest.raises(client.exceptions.ConditionalCheckFailedException) as refused:
        client.put_item(TableName=orders, Item=item("a", 1), ConditionExpression="attribute_exists(pk)")
    assert refused.value.response["Error"]["Message"] == "The conditional request failed"
    put = {"Put": {"TableName": orders, "Item": item("a", 1), "ConditionExpression": "attribute_exists(pk)"}}
    with pytest.raises(client.exceptions.TransactionCanceledException) as cancelled:
        client.transact_write_items(TransactItems=[put])
    assert cancelled.value.response["CancellationReasons"] == [
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
    ]
    with pytest.raises(client.exceptions.ResourceInUseException):
        client.create_table(
            TableName=orders,
            AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
            BillingMode="PAY_PER_REQUEST",
        )


def test_many_threads_lose_nothing(client, orders):
    def add(_):
        client.update_item(
            TableName=orders,
            Key=item("counter", 0),
            UpdateExpression="ADD n :one",
            ExpressionAttributeValues={":one": {"N": "1"}},
        )

    with ThreadPoolExecutor(16) as threads:
        list(threads.map(add, range(320)))
    assert client.get_item(TableName=orders, Key=item("counter", 0))["Item"]["n"] == {"N": "320"}


def test_the_resource_interface_works(server, orders):
    resource = boto3.resource(
        "dynamodb",
        endpoint_url=server.url,
        region_name="eu-west-1",
        aws_access_key_id="other",
        aws_secret_access_key="other",
    )
    table = resource.Table(orders)
    with table.batch_writer() as batch:
        for number in range(30):
            batch.put_item(Item={"pk": "a", "sk": number})
    assert table.scan()["Count"] == 30
    assert table.item_count == 30


def test_streams_are_read_by_their_own_client(server, client, orders):
    specification = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}
    client.update_table(TableName=orders, StreamSpecification=specification)
    client.put_item(TableName=orders, Item=item("a", 1))
    streams = server.client("dynamodbstreams")
    (stream,) = streams.list_streams(TableName=orders)["Streams"]
    shards = streams.describe_stream(StreamArn=stream["StreamArn"])["StreamDescription"]["Shards"]
    iterator = streams.get_shard_iterator(
        StreamArn=stream["StreamArn"], ShardId=shards[0]["ShardId"], ShardIteratorType="TRIM_HORIZON"
    )["ShardIterator"]
    (record,) = streams.get_records(ShardIterator=iterator)["Records"]
    assert record["dynamodb"]["NewImage"] == item("a", 1)
    streams.close()
