"""Transactions happen together or not at all, say why they were cancelled, and repeat safely."""

from collections.abc import Callable
from typing import Any

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
Create = Callable[..., str]

BAD = "ValidationException: "
CANCELLED = (
    "TransactionCanceledException: Transaction cancelled, please refer cancellation reasons for specific reasons "
)


def put(name: str, **more: Any) -> dict[str, Any]:
    return {"Put": {"TableName": "things", "Item": {"pk": {"S": name}}, **more}}


def change(kind: str, name: str, **more: Any) -> dict[str, Any]:
    return {kind: {"TableName": "things", "Key": {"pk": {"S": name}}, **more}}


def add(name: str, amount: str) -> dict[str, Any]:
    values = {":n": {"N": amount}}
    return change("Update", name, UpdateExpression="ADD n :n", ExpressionAttributeValues=values)


def names(call: Call) -> list[str]:
    return sorted(item["pk"]["S"] for item in call("Scan", TableName="things")["Items"])


def test_all_actions_happen_together(call: Call, create: Create) -> None:
    create()
    call("PutItem", TableName="things", Item={"pk": {"S": "gone"}})
    call("PutItem", TableName="things", Item={"pk": {"S": "checked"}})
    actions = [
        put("new"),
        change("Delete", "gone"),
        add("counted", "1"),
        change("ConditionCheck", "checked", ConditionExpression="attribute_exists(pk)"),
    ]
    assert call("TransactWriteItems", TransactItems=actions) == {}
    assert names(call) == ["checked", "counted", "new"]


def test_names_and_values_may_be_idle_where_an_action_has_no_expression(
    call: Call, create: Create, refused: Refused
) -> None:
    create()
    idle: dict[str, Any] = {"ExpressionAttributeNames": {"#n": "n"}, "ExpressionAttributeValues": {":n": {"N": "1"}}}
    call("TransactWriteItems", TransactItems=[put("new", **idle), change("Delete", "gone", **idle)])
    assert names(call) == ["new"]
    got = call("TransactGetItems", TransactItems=[change("Get", "new", ExpressionAttributeNames={"#n": "n"})])
    assert got["Responses"] == [{"Item": {"pk": {"S": "new"}}}]
    unused = put("new", ConditionExpression="attribute_exists(#n)", **idle)
    error = refused("TransactWriteItems", TransactItems=[unused])
    assert error == BAD + "Value provided in ExpressionAttributeValues unused in expressions: keys: {:n}"


def test_one_false_condition_cancels_all_with_a_reason_in_its_place(engine: Engine, call: Call, create: Create) -> None:
    create()
    stored = {"pk": {"S": "b"}, "n": {"N": "1"}}
    call("PutItem", TableName="things", Item=stored)
    condition = {"ConditionExpression": "attribute_not_exists(pk)", "ReturnValuesOnConditionCheckFailure": "ALL_OLD"}
    with pytest.raises(EngineError) as caught:
        engine.call("TransactWriteItems", {"TransactItems": [put("a"), change("Delete", "b", **condition), put("c")]})
    assert str(caught.value).endswith("[None, ConditionalCheckFailed, None]")
    assert caught.value.fields["CancellationReasons"] == [
        {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed", "Item": stored},
        {"Code": "None"},
    ]
    assert names(call) == ["b"]


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        ({"Put": {"TableName": "things", "Item": {"x": {"S": "a"}}}}, "Missing the key pk in the item"),
        ({"Put": {"TableName": "things", "Item": {"pk": {"N": "1"}}}}, "Type mismatch for key pk"),
        ({"Delete": {"TableName": "things", "Key": {"pk": {"N": "1"}}}}, "does not match the schema"),
        (change("Update", "a", UpdateExpression="SET x = y"), "refers to an attribute that does not exist"),
    ],
)
def test_an_action_the_table_refuses_cancels_with_a_validation_error(
    engine: Engine, create: Create, action: dict[str, Any], reason: str
) -> None:
    create()
    with pytest.raises(EngineError) as caught:
        engine.call("TransactWriteItems", {"TransactItems": [put("other"), action]})
    sound, refused = caught.value.fields["CancellationReasons"]
    assert (sound, refused["Code"]) == ({"Code": "None"}, "ValidationError")
    assert reason in refused["Message"]


@pytest.mark.parametrize(
    ("actions", "sentence"),
    [
        (
            [],
            BAD + "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: "
            "Member must have length greater than or equal to 1",
        ),
        (
            [put("a") | change("Delete", "b")],
            BAD + "TransactItems can only contain one of Check, Put, Update or Delete",
        ),
        ([{}], BAD + "TransactItems can only contain one of Check, Put, Update or Delete"),
        (
            [put("a"), change("Delete", "a")],
            BAD + "Transaction request cannot include multiple operations on one item",
        ),
        (
            [{"Put": {"TableName": "absent", "Item": {"pk": {"S": "a"}}}}],
            "ResourceNotFoundException: Requested resource not found",
        ),
        (
            [put(""), put("b")],
            BAD + "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain "
            "an empty string value. Key: pk",
        ),
        (
            [change("Update", "a")],
            BAD + "1 validation error detected: Value null at 'transactItems.1.member.update.updateExpression' failed "
            "to satisfy constraint: Member must not be null",
        ),
        (
            [put("a", ConditionExpression="a =")],
            BAD + 'Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "="',
        ),
    ],
)
def test_a_malformed_transaction_is_refused_as_a_whole(
    create: Create, refused: Refused, actions: list[dict[str, Any]], sentence: str
) -> None:
    create()
    assert refused("TransactWriteItems", TransactItems=actions) == sentence


def test_no_more_than_a_hundred_actions_go_together(create: Create, refused: Refused) -> None:
    create()
    sentence = refused("TransactWriteItems", TransactItems=[put(str(number)) for number in range(101)])
    assert sentence.startswith(BAD + "1 validation error detected: Value '[TransactWriteItem(")
    assert sentence.endswith(
        "at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100"
    )


def test_a_transaction_holds_at_most_four_megabytes(call: Call, create: Create, refused: Refused) -> None:
    create()
    large = [
        {"Put": {"TableName": "things", "Item": {"pk": {"S": str(n)}, "v": {"S": "x" * 409_000}}}} for n in range(11)
    ]
    assert "exceeding the 4MB limit" in refused("TransactWriteItems", TransactItems=large)
    assert call("TransactWriteItems", TransactItems=large[:10]) == {}


def test_a_repeated_token_repeats_the_answer_and_not_the_writes(call: Call, create: Create, refused: Refused) -> None:
    create()
    first = call("TransactWriteItems", TransactItems=[add("a", "1")], ClientRequestToken="t")
    assert call("TransactWriteItems", TransactItems=[add("a", "1")], ClientRequestToken="t") == first
    assert call("GetItem", TableName="things", Key={"pk": {"S": "a"}})["Item"]["n"] == {"N": "1"}
    other = refused("TransactWriteItems", TransactItems=[add("a", "2")], ClientRequestToken="t")
    assert other.startswith("IdempotentParameterMismatchException: ")


def test_a_token_is_forgotten_after_ten_minutes(define: Callable[..., dict[str, Any]]) -> None:
    now = [1_000_000.0]
    with Engine.memory(clock=lambda: now[0]) as engine:
        engine.call("CreateTable", define("things", "pk:S"))
        request = {"TransactItems": [add("a", "1")], "ClientRequestToken": "t"}
        for later in (0, 599, 1200):
            now[0] = 1_000_000.0 + later
            engine.call("TransactWriteItems", request)
        item = engine.call("GetItem", {"TableName": "things", "Key": {"pk": {"S": "a"}}})["Item"]
    assert item["n"] == {"N": "2"}


def test_a_cancelled_transaction_does_not_use_up_its_token(call: Call, create: Create, refused: Refused) -> None:
    create()
    action = put("a", ConditionExpression="attribute_not_exists(pk)")
    call("PutItem", TableName="things", Item={"pk": {"S": "a"}})
    assert refused("TransactWriteItems", TransactItems=[action], ClientRequestToken="t") == (
        CANCELLED + "[ConditionalCheckFailed]"
    )
    call("DeleteItem", TableName="things", Key={"pk": {"S": "a"}})
    assert call("TransactWriteItems", TransactItems=[action], ClientRequestToken="t") == {}


def test_after_the_first_action_the_table_refuses_no_other_is_looked_at(engine: Engine, create: Create) -> None:
    create()
    wrong = {"Put": {"TableName": "things", "Item": {"pk": {"N": "1"}}}}
    unmet = put("a", ConditionExpression="attribute_exists(pk)")
    with pytest.raises(EngineError) as caught:
        engine.call("TransactWriteItems", {"TransactItems": [unmet, wrong, wrong]})
    reasons = caught.value.fields["CancellationReasons"]
    assert [reason["Code"] for reason in reasons] == ["None", "ValidationError", "None"]


def test_the_size_of_a_condition_that_is_too_large_is_told(refused: Refused) -> None:
    condition = "a = :v" + " AND a = :v" * 373
    action = put("a", ConditionExpression=condition, ExpressionAttributeValues={":v": {"S": "x"}})
    sentence = "Expression size has exceeded the maximum allowed size; expression size: 4109"
    assert refused("TransactWriteItems", TransactItems=[action]) == f"{BAD}Invalid ConditionExpression: {sentence}"


def test_a_token_that_is_too_long_is_told_before_a_wrong_option(refused: Refused) -> None:
    sentence = refused(
        "TransactWriteItems", TransactItems=[put("a")], ClientRequestToken="x" * 37, ReturnConsumedCapacity="ALL"
    )
    assert sentence.startswith(f"{BAD}2 validation errors detected: Value '{'x' * 37}' at 'clientRequestToken' ")


def test_tokens_that_are_forgotten_are_found_by_their_age(engine: Engine) -> None:
    plan = engine.storage.write(
        lambda transaction: transaction.connection.execute(
            "EXPLAIN QUERY PLAN DELETE FROM tokens WHERE at <= 1"
        ).fetchall()
    )
    assert "USING INDEX tokens_by_age" in plan[0][-1] or "USING COVERING INDEX tokens_by_age" in plan[0][-1]


def test_items_are_read_together(call: Call, create: Create) -> None:
    create()
    call("PutItem", TableName="things", Item={"pk": {"S": "a"}, "v": {"N": "1"}})
    asked = [change("Get", "a"), change("Get", "absent"), change("Get", "a2", ProjectionExpression="v")]
    call("PutItem", TableName="things", Item={"pk": {"S": "a2"}})
    assert call("TransactGetItems", TransactItems=asked) == {
        "Responses": [{"Item": {"pk": {"S": "a"}, "v": {"N": "1"}}}, {}, {}]
    }


def test_a_read_with_a_wrong_key_cancels(engine: Engine, create: Create) -> None:
    create()
    wrong = {"Get": {"TableName": "things", "Key": {"pk": {"N": "1"}}}}
    with pytest.raises(EngineError) as caught:
        engine.call("TransactGetItems", {"TransactItems": [change("Get", "a"), wrong]})
    assert [reason["Code"] for reason in caught.value.fields["CancellationReasons"]] == ["None", "ValidationError"]
