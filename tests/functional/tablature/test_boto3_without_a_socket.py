"""The botocore hook: boto3 answered by an engine in the same process."""

import boto3
import pytest

from tablature.engine.botocore_hook import route
from tablature.engine.engine import Engine

CREDENTIALS = {"region_name": "us-east-1", "aws_access_key_id": "any", "aws_secret_access_key": "any"}


@pytest.fixture
def routed(create_orders):
    with Engine.memory() as engine:
        client = boto3.client("dynamodb", **CREDENTIALS)
        route(client, engine)
        create_orders(client)
        yield client, engine
        client.close()


def test_requests_reach_the_engine_without_a_socket(routed):
    client, engine = routed
    client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"N": "1"}, "raw": {"B": b"\x00"}})
    response = client.query(
        TableName="orders", KeyConditionExpression="pk = :a", ExpressionAttributeValues={":a": {"S": "a"}}
    )
    assert response["Items"] == [{"pk": {"S": "a"}, "sk": {"N": "1"}, "raw": {"B": b"\x00"}}]
    assert engine.call("Scan", {"TableName": "orders"})["Count"] == 1


def test_errors_are_boto3s_own(routed):
    client, _ = routed
    with pytest.raises(client.exceptions.ResourceNotFoundException) as missing:
        client.describe_table(TableName="missing")
    assert missing.value.response["Error"]["Message"] == "Requested resource not found: Table: missing not found"


def test_a_resource_and_a_streams_client_are_routed_the_same_way(routed):
    _, engine = routed
    resource = boto3.resource("dynamodb", **CREDENTIALS)
    route(resource.meta.client, engine)
    resource.Table("orders").put_item(Item={"pk": "a", "sk": 1})
    assert resource.Table("orders").get_item(Key={"pk": "a", "sk": 1})["Item"] == {"pk": "a", "sk": 1}
    streams = boto3.client("dynamodbstreams", **CREDENTIALS)
    route(streams, engine)
    assert streams.list_streams()["Streams"] == []
    streams.close()
