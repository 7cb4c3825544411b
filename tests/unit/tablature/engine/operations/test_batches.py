"""BatchGetItem and BatchWriteItem: many keys at once, within limits, each once."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
Create = Callable[..., str]

BAD = "ValidationException: "
MISMATCH = BAD + "The provided key element does not match the schema"


def put(name: str, **more: Any) -> dict[str, Any]:
    return {"PutRequest": {"Item": {"pk": {"S": name}, **more}}}


def delete(name: str) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": {"pk": {"S": name}}}}


def keys(*names: str) -> list[dict[str, Any]]:
    return [{"pk": {"S": name}} for name in names]


def test_puts_and_deletes_of_several_tables_happen(call: Call, create: Create) -> None:
    create("things")
    create("others")
    call("PutItem", TableName="others", Item={"pk": {"S": "gone"}})
    answer = call("BatchWriteItem", RequestItems={"things": [put("a"), put("b")], "others": [delete("gone")]})
    assert answer == {"UnprocessedItems": {}}
    response = call(
        "BatchGetItem",
        RequestItems={"things": {"Keys": keys("a", "absent", "b")}, "others": {"Keys": keys("gone")}},
    )
    assert response == {"Responses": {"things": keys("a", "b"), "others": []}, "UnprocessedKeys": {}}


def test_a_projection_holds_for_its_table(call: Call, create: Create) -> None:
    create()
    call("BatchWriteItem", RequestItems={"things": [put("a", v={"N": "1"})]})
    asked = {"Keys": keys("a"), "ProjectionExpression": "#v", "ExpressionAttributeNames": {"#v": "v"}}
    assert call("BatchGetItem", RequestItems={"things": asked})["Responses"] == {"things": [{"v": {"N": "1"}}]}


def test_keys_beyond_sixteen_megabytes_come_back_unprocessed(call: Call, create: Create) -> None:
    create()
    names = [f"k{number}" for number in range(45)]
    for name in names:
        call("PutItem", TableName="things", Item={"pk": {"S": name}, "pad": {"S": "x" * 400_000}})
    asked = {"Keys": keys(*names), "ConsistentRead": True}
    answer = call("BatchGetItem", RequestItems={"things": asked})
    got, left = answer["Responses"]["things"], answer["UnprocessedKeys"]["things"]
    assert 0 < len(got) < 45
    assert left == {"Keys": keys(*names[len(got) :]), "ConsistentRead": True}


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, BAD + "The requestItems parameter is required for BatchWriteItem"),
        ({"things": [put("a"), delete("a")]}, BAD + "Provided list of item keys contains duplicates"),
        ({"things": [put("a")], "absent": [put("a")]}, "ResourceNotFoundException: Requested resource not found"),
        (
            {"things": [{"PutRequest": {"Item": {"x": {"S": "a"}}}}]},
            BAD + "One or more parameter values were invalid: Missing the key pk in the item",
        ),
        ({"things": [{"PutRequest": {"Item": {"pk": {"N": "1"}}}}]}, MISMATCH),
        ({"things": [{"DeleteRequest": {"Key": {"pk": {"N": "1"}}}}]}, MISMATCH),
        (
            {"things": [put("a", s={"SS": []})]},
            BAD + "One or more parameter values were invalid: An string set  may not be empty",
        ),
        ({"things": [put("a", s={"S": "x" * 409_600})]}, BAD + "Item size has exceeded the maximum allowed size"),
        (
            {"things": [{}]},
            BAD + "Supplied AttributeValue has more than one datatypes set, "
            "must contain exactly one of the supported datatypes",
        ),
        (
            {"things": [{"PutRequest": {}}]},
            BAD + "1 validation error detected: Value null at 'requestItems.things.member.1.member.putRequest.item' "
            "failed to satisfy constraint: Member must not be null",
        ),
    ],
)
def test_a_batch_of_writes_that_cannot_be_is_refused_and_writes_nothing(
    call: Call, create: Create, refused: Refused, asked: dict[str, Any], sentence: str
) -> None:
    create()
    assert refused("BatchWriteItem", RequestItems=asked) == sentence
    assert call("Scan", TableName="things")["Count"] == 0


def test_no_more_than_twenty_five_writes_go_together(create: Create, refused: Refused) -> None:
    create("things")
    create("others")
    sentence = refused("BatchWriteItem", RequestItems={"things": [put(str(number)) for number in range(26)]})
    assert sentence.startswith(BAD + "1 validation error detected: Value '{things=[WriteRequest(")
    assert sentence.endswith(
        "]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: "
        "[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"
    )
    spread = {name: [put(str(number)) for number in range(13)] for name in ("things", "others")}
    assert refused("BatchWriteItem", RequestItems=spread) == (
        BAD + "Too many items requested for the BatchWriteItem call"
    )


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({}, BAD + "The requestItems parameter is required for BatchGetItem"),
        ({"things": {"Keys": keys("a", "a")}}, BAD + "Provided list of item keys contains duplicates"),
        ({"things": {"Keys": [{"pk": {"N": "1"}}]}}, MISMATCH),
        ({"absent": {"Keys": keys("a")}}, "ResourceNotFoundException: Requested resource not found"),
        (
            {"things": {"Keys": keys(*map(str, range(101)))}},
            BAD + "1 validation error detected: Value at 'RequestItems.things.member.Keys' failed to satisfy "
            "constraint: Member must have length less than or equal to 100",
        ),
        (
            {"things": {"Keys": keys("a"), "ProjectionExpression": "v", "AttributesToGet": ["v"]}},
            BAD + "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}",
        ),
        (
            {"things": {}},
            BAD + "1 validation error detected: Value null at 'requestItems.things.member.keys' "
            "failed to satisfy constraint: Member must not be null",
        ),
    ],
)
def test_a_batch_of_reads_that_cannot_be_is_refused(
    create: Create, refused: Refused, asked: dict[str, Any], sentence: str
) -> None:
    create()
    assert refused("BatchGetItem", RequestItems=asked) == sentence


def test_a_wrong_option_of_a_batch_is_told_alone(refused: Refused) -> None:
    sentence = refused("BatchWriteItem", RequestItems={"bad!name": []}, ReturnConsumedCapacity="ALL")
    assert sentence.startswith("ValidationException: 1 validation error detected: Value 'ALL' at 'returnConsumed")
