"""GetItem and DeleteItem find items by exactly their key."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]

MISMATCH = "ValidationException: The provided key element does not match the schema"


def test_an_absent_item_is_an_empty_answer(call: Call, create: Callable[..., str]) -> None:
    create()
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}}) == {}
    assert call("DeleteItem", TableName="things", Key={"pk": {"S": "a"}}, ReturnValues="ALL_OLD") == {}


def test_a_projection_shows_only_what_it_names(call: Call, create: Callable[..., str]) -> None:
    create()
    call("PutItem", TableName="things", Item={"pk": {"S": "a"}, "m": {"M": {"x": {"N": "1"}, "y": {"N": "2"}}}})
    answer = call("GetItem", TableName="things", Key={"pk": {"S": "a"}}, ProjectionExpression="m.x, absent")
    assert answer == {"Item": {"m": {"M": {"x": {"N": "1"}}}}}


def test_a_deleted_item_is_gone_and_shown_when_asked(call: Call, create: Callable[..., str]) -> None:
    create()
    item = {"pk": {"S": "a"}, "v": {"N": "1"}}
    call("PutItem", TableName="things", Item=item)
    answer = call("DeleteItem", TableName="things", Key={"pk": {"S": "a"}}, ReturnValues="ALL_OLD")
    assert answer == {"Attributes": item}
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}}) == {}


@pytest.mark.parametrize("operation", ["GetItem", "DeleteItem", "UpdateItem"])
@pytest.mark.parametrize(
    "key",
    [
        {},
        {"pk": {"S": "a"}},
        {"pk": {"S": "a"}, "sk": {"S": "1"}},
        {"pk": {"S": "a"}, "other": {"N": "1"}},
        {"pk": {"S": "a"}, "sk": {"N": "1"}, "more": {"N": "1"}},
    ],
)
def test_a_key_that_is_not_the_tables_is_refused(
    create: Callable[..., str], refused: Refused, operation: str, key: dict[str, Any]
) -> None:
    create("things", "pk:S", "sk:N")
    assert refused(operation, TableName="things", Key=key) == MISMATCH


@pytest.mark.parametrize("operation", ["GetItem", "DeleteItem", "UpdateItem"])
def test_an_empty_key_value_is_refused(create: Callable[..., str], refused: Refused, operation: str) -> None:
    create()
    assert refused(operation, TableName="things", Key={"pk": {"S": ""}}) == (
        "ValidationException: One or more parameter values are not valid. The AttributeValue for a key attribute "
        "cannot contain an empty string value. Key: pk"
    )


@pytest.mark.parametrize("operation", ["GetItem", "DeleteItem", "UpdateItem", "Query", "Scan"])
def test_an_absent_table_is_not_found(refused: Refused, operation: str) -> None:
    request: dict[str, Any] = {"TableName": "absent"}
    if operation == "Query":
        request |= {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": {"S": "a"}}}
    elif operation != "Scan":
        request["Key"] = {"pk": {"S": "a"}}
    assert refused(operation, **request) == "ResourceNotFoundException: Requested resource not found"


def test_delete_returns_nothing_but_the_old_item(create: Callable[..., str], refused: Refused) -> None:
    create()
    assert refused("DeleteItem", TableName="things", Key={"pk": {"S": "a"}}, ReturnValues="UPDATED_NEW") == (
        "ValidationException: ReturnValues can only be ALL_OLD or NONE"
    )


def test_numbers_are_found_however_they_are_spelled(call: Call, create: Callable[..., str]) -> None:
    create("things", "pk:N")
    call("PutItem", TableName="things", Item={"pk": {"N": "100"}})
    assert call("GetItem", TableName="things", Key={"pk": {"N": "1.00e2"}}) == {"Item": {"pk": {"N": "100"}}}


def test_a_table_may_be_named_by_its_arn_and_by_no_other(
    call: Call, create: Callable[..., str], refused: Refused
) -> None:
    create()
    key = {"pk": {"S": "a"}}
    call("PutItem", TableName="arn:aws:dynamodb:us-east-1:000000000000:table/things", Item=key)
    assert call("GetItem", TableName="things", Key=key) == {"Item": key}
    for arn in ("arn:aws:s3:us-east-1:000000000000:table/things", "arn:aws:dynamodb:us-east-1:000000000000:x/things"):
        error = refused("GetItem", TableName=arn, Key=key)
        assert error.startswith(
            f"ValidationException: 1 validation error detected: Value '{arn}' at 'tableName' failed"
        )
