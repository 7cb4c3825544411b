"""Names and values of a request: their own rules, and that each must be used."""

import pytest

from tablature.engine.expressions.text_checks import RESERVED_WORDS
from tablature.engine.validation.request_expressions import GET_ITEM, PUT_ITEM, QUERY, SCAN, UPDATE_ITEM

ONE = {":v": {"N": "1"}}

CASES = [
    ({"ExpressionAttributeNames": {}}, "ExpressionAttributeNames must not be empty"),
    ({"ExpressionAttributeValues": {}}, "ExpressionAttributeValues must not be empty"),
    (
        {"ExpressionAttributeNames": {"x": "y"}},
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "x"',
    ),
    (
        {"ExpressionAttributeNames": {"#a-b": "y"}},
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "#a-b"',
    ),
    (
        {"ExpressionAttributeNames": {"#": "y"}},
        'ExpressionAttributeNames contains invalid key: Syntax error; key: "#"',
    ),
    (
        {"ExpressionAttributeNames": {"#a": ""}},
        "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a",
    ),
    (
        {"ExpressionAttributeNames": {"#a": "y" * 65536}},
        (
            "ExpressionAttributeNames contains invalid value: "
            "Attribute name is too large, must be less than 65536 bytes for key #a"
        ),
    ),
    (
        {"ExpressionAttributeNames": {"": "y"}},
        "ExpressionAttributeNames contains invalid key: The expression attribute map contains an empty key;",
    ),
    (
        {"ExpressionAttributeNames": {"#" + "a" * 255: "y"}},
        (
            "ExpressionAttributeNames contains invalid key: "
            "The expression attribute map contains a key that is too long; size of key: 256"
        ),
    ),
    (
        {"ExpressionAttributeValues": {"v": {"N": "1"}}},
        'ExpressionAttributeValues contains invalid key: Syntax error; key: "v"',
    ),
    (
        {"ExpressionAttributeValues": {":v": {"N": "x"}}},
        (
            "ExpressionAttributeValues contains invalid value: "
            "The parameter cannot be converted to a numeric value: x for key :v"
        ),
    ),
    (
        {"ExpressionAttributeValues": {":v": {}}},
        (
            "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, "
            "must contain exactly one of the supported datatypes for key :v"
        ),
    ),
    (
        {"ExpressionAttributeNames": {"#x": "y", "#z": "y"}, "ExpressionAttributeValues": ONE},
        "Value provided in ExpressionAttributeNames unused in expressions: keys: {#x, #z}",
    ),
    (
        {"ExpressionAttributeValues": {**ONE, ":w": {"N": "1"}}},
        "Value provided in ExpressionAttributeValues unused in expressions: keys: {:w}",
    ),
]


@pytest.mark.parametrize(("parameters", "sentence"), CASES)
def test_faulty_placeholders_are_refused(refusal, parameters, sentence):
    assert refusal(PUT_ITEM, ConditionExpression="a = :v", **parameters) == sentence


def test_unused_placeholders_are_listed_in_the_order_of_a_hash_map(refusal):
    names = {f"#{name}": name for name in ("zz", "b", "a", "long")}
    message = refusal(
        PUT_ITEM, ConditionExpression="a = :v", ExpressionAttributeNames=names, ExpressionAttributeValues=ONE
    )
    assert message.endswith("keys: {#long, #zz, #a, #b}")


def test_a_placeholder_used_by_any_expression_of_the_request_counts(read):
    assert read(
        QUERY,
        KeyConditionExpression="#k = :k",
        FilterExpression="f > :f",
        ProjectionExpression="#p",
        ExpressionAttributeNames={"#k": "k", "#p": "p"},
        ExpressionAttributeValues={":k": {"S": "x"}, ":f": {"N": "1"}},
    )


@pytest.mark.parametrize(
    ("shape", "parameters", "sentence"),
    [
        (
            GET_ITEM,
            {"ExpressionAttributeNames": {"#a": "a"}},
            "ExpressionAttributeNames can only be specified when using expressions",
        ),
        (
            PUT_ITEM,
            {"ExpressionAttributeValues": ONE},
            "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null",
        ),
        (
            UPDATE_ITEM,
            {"ExpressionAttributeValues": ONE},
            (
                "ExpressionAttributeValues can only be specified when using expressions: "
                "UpdateExpression and ConditionExpression are null"
            ),
        ),
        (
            SCAN,
            {"ExpressionAttributeValues": ONE, "ProjectionExpression": "a"},
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null",
        ),
    ],
)
def test_placeholders_without_an_expression_are_refused(refusal, shape, parameters, sentence):
    assert refusal(shape, **parameters) == sentence


def test_an_operation_that_takes_no_values_ignores_them(read):
    assert read(GET_ITEM, ProjectionExpression="a", ExpressionAttributeValues=ONE).projection({"a": ONE}) == {"a": ONE}


def test_there_are_573_reserved_words():
    assert len(RESERVED_WORDS) == 573


@pytest.mark.parametrize("word", ["SIZE", "name", "Status", "ttl", "ZONE", "Abort", "count", "DATE", "year"])
def test_reserved_words_are_refused_in_any_case(refusal, word):
    message = refusal(GET_ITEM, ProjectionExpression=f"a, {word}")
    assert message == (f"Invalid ProjectionExpression: Attribute name is a reserved keyword; reserved keyword: {word}")
