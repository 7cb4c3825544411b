"""PutItem stores whole items, under conditions, and refuses what the service refuses, in its words."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]

BAD = "ValidationException: "
INVALID = BAD + "One or more parameter values were invalid: "
NOT_VALID = BAD + "One or more parameter values are not valid. "
DETECTED = BAD + "1 validation error detected: "
ENVELOPED = DETECTED + "One or more parameter values were invalid: "


def test_an_item_reads_back_as_it_was_put_with_its_numbers_in_normal_form(
    call: Call, create: Callable[..., str]
) -> None:
    create()
    item = {
        "pk": {"S": "a"},
        "n": {"N": "1e2"},
        "b": {"B": "AAEC"},
        "empty": {"S": ""},
        "ss": {"SS": ["x", "y"]},
        "m": {"M": {"l": {"L": [{"BOOL": False}, {"NULL": True}]}}},
    }
    assert call("PutItem", TableName="things", Item=item) == {}
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}})["Item"] == item | {"n": {"N": "100"}}


def test_a_put_replaces_the_whole_item_and_returns_the_old_one_when_asked(
    call: Call, create: Callable[..., str]
) -> None:
    create()
    first, second = {"pk": {"S": "a"}, "x": {"S": "1"}}, {"pk": {"S": "a"}, "y": {"S": "2"}}
    assert call("PutItem", TableName="things", Item=first, ReturnValues="ALL_OLD") == {}
    assert call("PutItem", TableName="things", Item=second, ReturnValues="ALL_OLD") == {"Attributes": first}
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}}) == {"Item": second}


def test_the_request_is_never_changed(call: Call, create: Callable[..., str]) -> None:
    create()
    request = {"TableName": "things", "Item": {"pk": {"S": "a"}, "n": {"N": "1.0"}, "ns": {"NS": ["1.0"]}}}
    call("PutItem", **request)
    assert request["Item"] == {"pk": {"S": "a"}, "n": {"N": "1.0"}, "ns": {"NS": ["1.0"]}}


def test_a_false_condition_leaves_the_item_alone_and_can_show_it(engine: Any, call: Call, create: Any) -> None:
    create()
    stored = {"pk": {"S": "a"}, "v": {"N": "1"}}
    call("PutItem", TableName="things", Item=stored)
    request = {
        "TableName": "things",
        "Item": {"pk": {"S": "a"}},
        "ConditionExpression": "attribute_not_exists(pk)",
        "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
    }
    with pytest.raises(Exception, match="The conditional request failed") as caught:
        engine.call("PutItem", request)
    assert (caught.value.code, caught.value.fields) == ("ConditionalCheckFailedException", {"Item": stored})
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}})["Item"] == stored


@pytest.mark.parametrize(
    ("item", "sentence"),
    [
        ({}, INVALID + "Missing the key pk in the item"),
        ({"pk": {"S": "a"}}, INVALID + "Missing the key sk in the item"),
        ({"pk": {"N": "1"}, "sk": {"N": "1"}}, INVALID + "Type mismatch for key pk expected: S actual: N"),
        (
            {"pk": {"S": ""}, "sk": {"N": "1"}},
            NOT_VALID + "The AttributeValue for a key attribute cannot contain an empty string value. Key: pk",
        ),
        (
            {"pk": {"S": "x" * 2049}, "sk": {"N": "1"}},
            INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes",
        ),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "owner": {"N": "1"}},
            INVALID + "Type mismatch for Index Key owner Expected: S Actual: N IndexName: by_owner",
        ),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "owner": {"S": ""}},
            NOT_VALID + "A value specified for a secondary index key is not supported. The AttributeValue for a key "
            "attribute cannot contain an empty string value. IndexName: by_owner, IndexKey: owner",
        ),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "owner": {"S": "x" * 2049}},
            INVALID + "Size limit exceeded for Index Key owner Actual Size: 2049 bytes Max Size: 2048 bytes "
            "IndexName: by_owner",
        ),
        ({"pk": {"S": "a"}, "sk": {"N": "1"}, "": {"S": "x"}}, INVALID + "Empty attribute name"),
        ({"pk": {"S": "a"}, "sk": {"N": "1"}, "s": {"SS": []}}, ENVELOPED + "An string set  may not be empty"),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "s": {"NULL": False}},
            ENVELOPED + "Null attribute value types must have the value of true",
        ),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "s": {}},
            BAD + "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
        (
            {"pk": {"S": "a"}, "sk": {"N": "1"}, "big": {"S": "x" * 409_600}},
            BAD + "Item size has exceeded the maximum allowed size",
        ),
    ],
)
def test_an_item_that_cannot_be_stored_is_refused(
    create: Callable[..., str], refused: Refused, item: dict[str, Any], sentence: str
) -> None:
    create("things", "pk:S", "sk:N", gsis={"by_owner": ("ALL", "owner:S")})
    assert refused("PutItem", TableName="things", Item=item) == sentence


def test_an_item_of_exactly_the_largest_size_is_stored(call: Call, create: Callable[..., str]) -> None:
    create()
    room = 409_600 - len("pk") - len("a") - len("big")
    call("PutItem", TableName="things", Item={"pk": {"S": "a"}, "big": {"S": "x" * room}})
    stored = call("GetItem", TableName="things", Key={"pk": {"S": "a"}})["Item"]
    assert len(stored["big"]["S"]) == room


def test_a_binary_key_may_not_be_empty_and_a_sort_key_not_too_long(
    create: Callable[..., str], refused: Refused
) -> None:
    create("things", "pk:S", "sk:B")
    empty = refused("PutItem", TableName="things", Item={"pk": {"S": "a"}, "sk": {"B": ""}})
    assert empty == (NOT_VALID + "The AttributeValue for a key attribute cannot contain an empty binary value. Key: sk")
    long = refused("PutItem", TableName="things", Item={"pk": {"S": "a"}, "sk": {"B": "AAAA" * 342}})
    assert long == INVALID + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"ReturnValues": "ALL_NEW"}, DETECTED + "ReturnValues can only be ALL_OLD or NONE"),
        (
            {"ReturnValues": "SOME", "ReturnConsumedCapacity": "MUCH"},
            BAD + "2 validation errors detected: Value 'MUCH' at 'returnConsumedCapacity' failed to satisfy "
            "constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value 'SOME' at 'returnValues' "
            "failed to satisfy constraint: Member must satisfy enum value set: "
            "[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
        ),
        (
            {"TableName": "", "ReturnValues": "SOME"},
            DETECTED + "Value '' at 'tableName' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1",
        ),
        (
            {"TableName": "a;c"},
            DETECTED + "Value 'a;c' at 'tableName' failed to satisfy constraint: "
            "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+",
        ),
        ({"TableName": "elsewhere"}, "ResourceNotFoundException: Requested resource not found"),
        (
            {"ConditionExpression": "a ="},
            DETECTED + 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
        ),
        (
            {"ConditionExpression": "a = :v", "ExpressionAttributeValues": {":v": {"NS": []}}},
            ENVELOPED + "An number set  may not be empty",
        ),
    ],
)
def test_a_malformed_request_is_refused_before_anything_is_looked_up(
    create: Callable[..., str], refused: Refused, more: dict[str, Any], sentence: str
) -> None:
    create()
    assert refused("PutItem", **{"TableName": "things", "Item": {"pk": {"S": "a"}}, **more}) == sentence


def test_a_missing_item_and_table_name_are_told(refused: Refused) -> None:
    assert refused("PutItem", Item={}) == (
        DETECTED + "Value null at 'tableName' failed to satisfy constraint: Member must not be null"
    )
    assert refused("PutItem", TableName="things") == (
        DETECTED + "Value null at 'item' failed to satisfy constraint: Member must not be null"
    )


def test_a_table_may_be_named_by_its_arn(call: Call, create: Callable[..., str]) -> None:
    create()
    arn = call("DescribeTable", TableName="things")["Table"]["TableArn"]
    call("PutItem", TableName=arn, Item={"pk": {"S": "a"}})
    assert call("GetItem", TableName=arn, Key={"pk": {"S": "a"}})["Item"] == {"pk": {"S": "a"}}
