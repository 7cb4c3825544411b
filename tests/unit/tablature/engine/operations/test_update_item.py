"""UpdateItem changes attributes, returns what was asked for, and keeps keys and indexes sound."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
Create = Callable[..., str]

BAD = "ValidationException: "
DETECTED = BAD + "1 validation error detected: "
KEY = {"pk": {"S": "a"}}
ITEM = {"pk": {"S": "a"}, "n": {"N": "1"}, "m": {"M": {"x": {"S": "1"}, "y": {"S": "2"}}}, "l": {"L": [{"N": "7"}]}}


@pytest.fixture
def things(call: Call, create: Create) -> str:
    create(gsis={"by_owner": ("ALL", "owner:S")})
    call("PutItem", TableName="things", Item=ITEM)
    return "things"


def update(expression: str, **values: Any) -> dict[str, Any]:
    request: dict[str, Any] = {"TableName": "things", "Key": KEY, "UpdateExpression": expression}
    if values:
        request["ExpressionAttributeValues"] = {f":{name}": value for name, value in values.items()}
    return request


@pytest.mark.parametrize(
    ("wanted", "attributes"),
    [
        ("ALL_OLD", ITEM),
        ("ALL_NEW", ITEM | {"m": {"M": {"x": {"S": "9"}, "y": {"S": "2"}}}, "n": {"N": "2"}}),
        ("UPDATED_OLD", {"m": {"M": {"x": {"S": "1"}}}, "n": {"N": "1"}}),
        ("UPDATED_NEW", {"m": {"M": {"x": {"S": "9"}}}, "n": {"N": "2"}}),
        ("NONE", None),
    ],
)
def test_the_asked_attributes_are_returned(
    call: Call, things: str, wanted: str, attributes: dict[str, Any] | None
) -> None:
    answer = call("UpdateItem", **update("SET m.x = :x ADD n :n", x={"S": "9"}, n={"N": "1"}), ReturnValues=wanted)
    assert answer.get("Attributes") == attributes


def test_an_update_of_an_absent_item_creates_it(call: Call, create: Create) -> None:
    create()
    answer = call("UpdateItem", **update("SET n = :n", n={"N": "1"}), ReturnValues="ALL_NEW")
    assert answer["Attributes"] == KEY | {"n": {"N": "1"}}
    assert call("UpdateItem", TableName="things", Key={"pk": {"S": "b"}}) == {}
    assert call("GetItem", TableName="things", Key={"pk": {"S": "b"}}) == {"Item": {"pk": {"S": "b"}}}


@pytest.mark.parametrize(
    "request_",
    [
        update("REMOVE n"),
        update("DELETE s :s", s={"SS": ["a"]}),
        {"TableName": "things", "Key": KEY, "AttributeUpdates": {"n": {"Action": "DELETE"}}},
    ],
)
def test_an_update_that_only_removes_creates_nothing(call: Call, create: Create, request_: dict[str, Any]) -> None:
    create()
    assert call("UpdateItem", **request_, ReturnValues="UPDATED_NEW") == {}
    assert call("GetItem", TableName="things", Key=KEY) == {}


def test_removing_returns_no_new_attributes(call: Call, things: str) -> None:
    assert call("UpdateItem", **update("REMOVE n"), ReturnValues="UPDATED_NEW") == {}


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        (
            update("SET pk = :p", p={"S": "b"}),
            BAD + "One or more parameter values were invalid: "
            "Cannot update attribute pk. This attribute is part of the key",
        ),
        (
            update("SET #o = :o", o={"N": "1"}) | {"ExpressionAttributeNames": {"#o": "owner"}},
            BAD + "One or more parameter values were invalid: "
            "Type mismatch for Index Key owner Expected: S Actual: N IndexName: by_owner",
        ),
        (
            update("SET #o = :o", o={"S": ""}) | {"ExpressionAttributeNames": {"#o": "owner"}},
            BAD + "One or more parameter values are not valid. The update expression attempted to update a secondary "
            "index key to a value that is not supported. "
            "The AttributeValue for a key attribute cannot contain an empty string value.",
        ),
        (update("SET x = y"), BAD + "The provided expression refers to an attribute that does not exist in the item"),
        (
            update("SET n = n + :s", s={"S": "a"}),
            DETECTED + "Invalid UpdateExpression: Incorrect operand type for operator or function; "
            "operator or function: +, operand type: S",
        ),
        (
            update("SET absent.x = :n", n={"N": "1"}),
            BAD + "The document path provided in the update expression is invalid for update",
        ),
        (update(""), BAD + "Invalid UpdateExpression: The expression can not be empty;"),
        (
            update("SET n = :n", n={"SS": []}),
            DETECTED + "One or more parameter values were invalid: An string set  may not be empty",
        ),
        (
            update("SET big = :b", b={"S": "x" * 409_600}),
            BAD + "Item size to update has exceeded the maximum allowed size",
        ),
        (
            update("SET n = :n", n={"N": "1"}) | {"ReturnValues": "SOME", "ReturnConsumedCapacity": "MUCH"},
            DETECTED + "Value 'SOME' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value "
            "set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]",
        ),
    ],
)
def test_what_the_service_refuses_is_refused_and_changes_nothing(
    call: Call, refused: Refused, things: str, request_: dict[str, Any], sentence: str
) -> None:
    assert refused("UpdateItem", **request_) == sentence
    assert call("GetItem", TableName="things", Key=KEY)["Item"] == ITEM


def test_a_number_that_grows_out_of_range_is_refused(call: Call, refused: Refused, things: str) -> None:
    call("UpdateItem", **update("SET n = :n", n={"N": "9e125"}))
    assert refused("UpdateItem", **update("ADD n :n", n={"N": "9e125"})) == (
        BAD + "Number overflow. Attempting to store a number with magnitude larger than supported range"
    )


def test_an_index_key_stored_wrong_before_the_index_came_does_not_stop_other_updates(
    call: Call, create: Create, define: Callable[..., dict[str, Any]]
) -> None:
    create()
    call("PutItem", TableName="things", Item=KEY | {"owner": {"N": "1"}})
    index = define("things", "pk:S", gsis={"by_owner": ("ALL", "owner:S")})
    call(
        "UpdateTable",
        TableName="things",
        AttributeDefinitions=index["AttributeDefinitions"],
        GlobalSecondaryIndexUpdates=[{"Create": index["GlobalSecondaryIndexes"][0]}],
    )
    call("UpdateItem", **update("SET n = :n", n={"N": "1"}))
    assert call("Scan", TableName="things", IndexName="by_owner")["Count"] == 0


def test_an_update_that_nests_sound_values_too_deep_is_refused(call: Call, refused: Refused, things: str) -> None:
    deep: dict[str, Any] = {"S": "leaf"}
    for _ in range(30):
        deep = {"M": {"x": deep}}
    call("UpdateItem", **update("SET d = :d", d=deep))
    assert refused("UpdateItem", **update("SET m.x = :d", d={"L": [deep]})) == (
        BAD + "Nesting Levels have exceeded supported limits"
    )


def test_an_update_measures_what_it_writes_and_its_actions(call: Call, refused: Refused, create: Create) -> None:
    create()
    room = 409_600 - len("big") - 3 - 19
    assert refused("UpdateItem", **update("SET big = :b", b={"S": "x" * (room + 1)})) == (
        BAD + "Item size to update has exceeded the maximum allowed size"
    )
    call("UpdateItem", **update("SET big = :b", b={"S": "x" * room}))
