"""The legacy comparison operators: what they refuse, and that each means what its expression twin means."""

from typing import Any

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.validation import request_expressions
from tablature.engine.validation.request_expressions import (
    PUT_ITEM,
    QUERY,
    SCAN,
    UPDATE_ITEM,
    read_expressions,
    reject_mixed_parameters,
)

ITEMS: list[dict[str, Any]] = [
    {},
    {"a": {"N": "1"}},
    {"a": {"N": "5"}},
    {"a": {"S": "pear"}},
    {"a": {"S": "apple pie"}},
    {"a": {"B": "AQI="}},
    {"a": {"SS": ["x", "pear"]}},
    {"a": {"NS": ["1", "5"]}},
    {"a": {"L": [{"N": "1"}, {"S": "pear"}]}},
    {"a": {"BOOL": True}},
    {"a": {"NULL": True}},
]
N1, N5, PEAR, AP = {"N": "1"}, {"N": "5"}, {"S": "pear"}, {"S": "ap"}

TWINS = [
    ("EQ", [N1], "a = :0"),
    ("EQ", [{"SS": ["pear", "x"]}], "a = :0"),
    ("NE", [PEAR], "a <> :0"),
    ("LT", [N5], "a < :0"),
    ("LE", [N1], "a <= :0"),
    ("GT", [{"S": "b"}], "a > :0"),
    ("GE", [N5], "a >= :0"),
    ("NULL", [], "attribute_not_exists(a)"),
    ("NOT_NULL", [], "attribute_exists(a)"),
    ("CONTAINS", [PEAR], "contains(a, :0)"),
    ("CONTAINS", [N1], "contains(a, :0)"),
    ("NOT_CONTAINS", [PEAR], "attribute_exists(a) AND NOT contains(a, :0)"),
    ("BEGINS_WITH", [AP], "begins_with(a, :0)"),
    ("IN", [N1, N5], "a IN (:0, :1)"),
    ("BETWEEN", [N1, N5], "a BETWEEN :0 AND :1"),
]


@pytest.mark.parametrize(("operator", "arguments", "twin"), TWINS)
def test_an_operator_means_what_its_expression_twin_means(operator, arguments, twin):
    test = {"ComparisonOperator": operator}
    if arguments:
        test["AttributeValueList"] = arguments
    old = read_expressions({"ScanFilter": {"a": test}}, SCAN).filter
    expected = read_expressions({"Expected": {"a": test}}, PUT_ITEM).condition
    request: dict[str, Any] = {"FilterExpression": twin}
    if arguments:
        request["ExpressionAttributeValues"] = {f":{at}": value for at, value in enumerate(arguments)}
    new = read_expressions(request, SCAN).filter
    assert old is not None
    assert expected is not None
    assert new is not None
    for item in ITEMS:
        assert old(item) is expected(item) is new(item), item


def _refusal(shape, **request):
    def read():
        reject_mixed_parameters(request, shape)
        read_expressions(request, shape)

    with pytest.raises(EngineError) as caught:
        read()
    return caught.value.message


INVALID = "One or more parameter values were invalid: "

FILTERS = [
    ("EQ", [], INVALID + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    ("EQ", [N1, N5], INVALID + "Invalid number of argument(s) for the EQ ComparisonOperator"),
    ("NULL", [N1], INVALID + "Invalid number of argument(s) for the NULL ComparisonOperator"),
    ("BETWEEN", [N1], INVALID + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"),
    ("IN", [], INVALID + "Invalid number of argument(s) for the IN ComparisonOperator"),
    ("IN", [N1, PEAR], INVALID + "AttributeValues inside AttributeValueList must be of same type"),
    ("LT", [{"SS": ["a"]}], INVALID + "ComparisonOperator LT is not valid for SS AttributeValue type"),
    ("BEGINS_WITH", [N1], INVALID + "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"),
    ("CONTAINS", [{"SS": ["a"]}], INVALID + "ComparisonOperator CONTAINS is not valid for SS AttributeValue type"),
    (
        "BETWEEN",
        [N5, N1],
        "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound",
    ),
]


@pytest.mark.parametrize(("operator", "arguments", "sentence"), FILTERS)
def test_arguments_that_do_not_fit_the_operator_are_refused(operator, arguments, sentence):
    test = {"a": {"ComparisonOperator": operator, "AttributeValueList": arguments}}
    assert _refusal(SCAN, ScanFilter=test) == sentence
    assert _refusal(QUERY, KeyConditions=test) == sentence


EXPECTED = [
    (
        {"Value": N1, "AttributeValueList": [N1]},
        "Value and AttributeValueList cannot be used together for Attribute: a",
    ),
    (
        {"Exists": True, "ComparisonOperator": "EQ", "Value": N1},
        "Exists and ComparisonOperator cannot be used together for Attribute: a",
    ),
    (
        {"ComparisonOperator": "EQ"},
        "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a",
    ),
    (
        {"AttributeValueList": [N1]},
        "AttributeValueList can only be used with a ComparisonOperator for Attribute: a",
    ),
    ({}, "Value must be provided when Exists is null for Attribute: a"),
    ({"Exists": True}, "Value must be provided when Exists is true for Attribute: a"),
    ({"Exists": False, "Value": N1}, "Value cannot be used when Exists is false for Attribute: a"),
]


@pytest.mark.parametrize(("test", "detail"), EXPECTED)
def test_contradictory_expectations_are_refused(test, detail):
    assert _refusal(PUT_ITEM, Expected={"a": test}) == INVALID + detail


def test_expectations_of_value_and_existence_hold():
    condition = read_expressions({"Expected": {"a": {"Value": N1}, "b": {"Exists": False}}}, PUT_ITEM).condition
    assert condition({"a": N1})
    assert not condition({"a": N5})
    assert not condition({"a": N1, "b": N1})


def test_or_needs_only_one_of_the_conditions():
    request = {"Expected": {"a": {"Value": N1}, "b": {"Value": N5}}, "ConditionalOperator": "OR"}
    condition = read_expressions(request, PUT_ITEM).condition
    assert condition({"b": N5})
    assert not condition({"b": N1})


def test_a_name_that_looks_like_a_placeholder_is_itself():
    condition = read_expressions({"Expected": {"#a": {"Value": N1}}}, PUT_ITEM).condition
    assert condition({"#a": N1})


def test_an_operator_with_nothing_to_join_is_refused():
    assert _refusal(PUT_ITEM, ConditionalOperator="OR") == (
        "ConditionalOperator cannot be used without Filter or Expected"
    )
    assert _refusal(PUT_ITEM, ConditionalOperator="OR", Expected={"a": {"Value": N1}}) == (
        "ConditionalOperator can only be used when Filter or Expected has two or more elements"
    )


MIXED = [
    (
        PUT_ITEM,
        {"ConditionExpression": "a = :v", "Expected": {}},
        "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}",
    ),
    (
        UPDATE_ITEM,
        {"UpdateExpression": "REMOVE a", "AttributeUpdates": {}, "Expected": {}},
        "Non-expression parameters: {AttributeUpdates, Expected} Expression parameters: {UpdateExpression}",
    ),
    (
        QUERY,
        {"KeyConditionExpression": "a = :v", "KeyConditions": {}, "QueryFilter": {}, "AttributesToGet": ["a"]},
        (
            "Non-expression parameters: {AttributesToGet, QueryFilter, KeyConditions} "
            "Expression parameters: {KeyConditionExpression}"
        ),
    ),
    (
        SCAN,
        {"ProjectionExpression": "a", "FilterExpression": "a = :v", "ScanFilter": {}, "ConditionalOperator": "OR"},
        (
            "Non-expression parameters: {ScanFilter, ConditionalOperator} "
            "Expression parameters: {ProjectionExpression, FilterExpression}"
        ),
    ),
]


@pytest.mark.parametrize(("shape", "request_", "detail"), MIXED)
def test_legacy_parameters_beside_expressions_are_refused(shape, request_, detail):
    assert _refusal(shape, **request_) == (
        f"Can not use both expression and non-expression parameters in the same request: {detail}"
    )


def test_a_filter_expression_may_stand_beside_legacy_key_conditions():
    request = {
        "KeyConditions": {"a": {"ComparisonOperator": "EQ", "AttributeValueList": [N1]}},
        "FilterExpression": "b = :v",
        "ExpressionAttributeValues": {":v": N1},
    }
    reject_mixed_parameters(request, QUERY)
    assert read_expressions(request, QUERY).key_condition is not None


def test_attributes_to_get_are_a_projection_of_distinct_names():
    projection = read_expressions({"AttributesToGet": ["a", "b.c"]}, request_expressions.GET_ITEM).projection
    assert projection({"a": N1, "b.c": N5, "d": N1}) == {"a": N1, "b.c": N5}
    assert _refusal(request_expressions.GET_ITEM, AttributesToGet=["a", "b", "a"]) == (
        INVALID + "Duplicate value in attribute name: a"
    )


@pytest.mark.parametrize("count", [0, 3])
def test_key_conditions_are_one_or_two(count):
    test = {"ComparisonOperator": "EQ", "AttributeValueList": [N1]}
    assert _refusal(QUERY, KeyConditions={str(at): test for at in range(count)}) == (
        "Conditions can be of length 1 or 2 only"
    )
