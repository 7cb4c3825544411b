"""Members of the wrong JSON type are serialization errors, in the service's words; nulls are absent members."""

import pytest


def put(item):
    return {"TableName": "t", "Item": item}


def test_a_sound_payload_arrives_as_it_was_sent(ask, engine):
    request = put({"a": {"S": "x"}, "b": {"M": {"c": {"L": [{"NULL": True}, {"NS": ["1"]}]}}}, "d": {"B": "YQ=="}})
    assert ask(request, target="DynamoDB_20120810.PutItem").status == 200
    assert engine.calls == [("PutItem", request)]


def test_nulls_and_unknown_members_are_dropped(ask, engine):
    ask({"TableName": "t", "Limit": None, "Whatever": 1, "ScanFilter": None}, target="DynamoDB_20120810.Scan")
    assert engine.calls == [("Scan", {"TableName": "t"})]


def test_a_fraction_is_cut_to_a_whole_number(ask, engine):
    ask({"TableName": "t", "Limit": 5.7}, target="DynamoDB_20120810.Scan")
    assert engine.calls == [("Scan", {"TableName": "t", "Limit": 5})]


def test_a_null_attribute_value_is_an_empty_one(ask, engine):
    ask(put({"a": None, "b": {"L": [None]}}), target="DynamoDB_20120810.PutItem")
    assert engine.calls == [("PutItem", put({"a": {}, "b": {"L": [{}]}}))]


@pytest.mark.parametrize(
    ("operation", "request_", "message"),
    [
        ("PutItem", {"TableName": 23}, "NUMBER_VALUE cannot be converted to String"),
        ("PutItem", {"TableName": 2.5}, "DECIMAL_VALUE cannot be converted to String"),
        ("PutItem", {"TableName": True}, "TRUE_VALUE cannot be converted to String"),
        ("PutItem", {"TableName": []}, "Unrecognized collection type class java.lang.String"),
        ("PutItem", {"TableName": {}}, "Start of structure or map found where not expected"),
        ("Scan", {"Limit": "1"}, "STRING_VALUE cannot be converted to Integer"),
        ("Scan", {"Limit": False}, "FALSE_VALUE cannot be converted to Integer"),
        ("Scan", {"ConsistentRead": "true"}, "Unexpected token received from parser"),
        ("Scan", {"ConsistentRead": 1}, "NUMBER_VALUE cannot be converted to Boolean"),
        ("Scan", {"AttributesToGet": "a"}, "Unexpected field type"),
        ("Scan", {"AttributesToGet": {}}, "Start of structure or map found where not expected"),
        ("PutItem", put("a"), "Unexpected field type"),
        (
            "PutItem",
            put([]),
            (
                "Unrecognized collection type "
                "java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"
            ),
        ),
        ("PutItem", put({"a": "x"}), "Unexpected value type in payload"),
        (
            "PutItem",
            put({"a": []}),
            "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue",
        ),
        ("PutItem", put({"a": {"B": "abc"}}), "Base64 encoded length is expected a multiple of 4 bytes but found: 3"),
        ("PutItem", put({"a": {"BS": ["a?=="]}}), "Invalid Base64 character: '?'"),
        ("PutItem", put({"a": {"B": "YR=="}}), "Invalid last non-pad Base64 character dectected"),
        ("CreateTable", {"KeySchema": ["x"]}, "Unexpected value type in payload"),
        (
            "CreateTable",
            {"ProvisionedThroughput": {"ReadCapacityUnits": "5"}},
            "STRING_VALUE cannot be converted to Long",
        ),
    ],
)
def test_a_member_of_the_wrong_type_is_named_by_what_it_is(ask, engine, operation, request_, message):
    answer = ask(request_, target=f"DynamoDB_20120810.{operation}")
    assert answer.status == 400
    assert answer.json == {"__type": "com.amazon.coral.service#SerializationException", "Message": message}
    assert engine.calls == []


@pytest.mark.parametrize(
    "body", [b"", b"{", b"null", b"[]", b"3", b'"x"', b"{}}", b'{"a":NaN}', b"\xff", b"[" * 100_000]
)
def test_a_body_that_is_no_object_is_a_serialization_error(ask, engine, body):
    answer = ask(body)
    assert answer.status == 400
    assert answer.json["__type"] == "com.amazon.coral.service#SerializationException"
    assert engine.calls == []


def test_a_payload_nested_without_end_is_refused(ask):
    deep = b'{"TableName":"t","Item":{"a":' + b'{"L":[' * 50_000 + b"]}" * 50_000 + b"}}"
    answer = ask(deep, target="DynamoDB_20120810.PutItem")
    assert (answer.status, answer.json["__type"]) == (400, "com.amazon.coral.service#SerializationException")
