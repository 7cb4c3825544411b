"""Key conditions: what they become, and what is refused with and without a table at hand."""

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.expressions.bound_expressions import KeyRange
from tablature.engine.schema import KeyAttribute
from tablature.engine.validation.request_expressions import QUERY

HASH, RANGE = KeyAttribute("h", "S"), KeyAttribute("r", "N")
VALUES = {":h": {"S": "x"}, ":n": {"N": "1"}, ":m": {"N": "2"}, ":s": {"S": "p"}}
X, ONE, TWO = {"S": "x"}, {"N": "1"}, {"N": "2"}


def _used(text):
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return {key: value for key, value in VALUES.items() if key in words}


READ = [
    ("h = :h", KeyRange((X,))),
    (":h = h", KeyRange((X,))),
    ("h = :h AND r = :n", KeyRange((X,), "=", (ONE,))),
    ("r < :n AND h = :h", KeyRange((X,), "<", (ONE,))),
    ("h = :h AND :n < r", KeyRange((X,), ">", (ONE,))),
    ("h = :h AND :n >= r", KeyRange((X,), "<=", (ONE,))),
    ("h = :h AND r BETWEEN :n AND :m", KeyRange((X,), "BETWEEN", (ONE, TWO))),
    ("(h = :h) AND (r > :n)", KeyRange((X,), ">", (ONE,))),
    ("(h = :h AND r >= :n)", KeyRange((X,), ">=", (ONE,))),
]


@pytest.mark.parametrize(("text", "expected"), READ)
def test_a_key_condition_becomes_a_range(read, text, expected):
    clauses = read(QUERY, KeyConditionExpression=text, ExpressionAttributeValues=_used(text))
    assert clauses.key_condition.for_keys([HASH], [RANGE]) == expected


def test_begins_with_reads_a_string_prefix(read):
    text = "h = :h AND begins_with(r, :s)"
    clauses = read(QUERY, KeyConditionExpression=text, ExpressionAttributeValues=_used(text))
    key_range = clauses.key_condition.for_keys([HASH], [KeyAttribute("r", "S")])
    assert key_range == KeyRange((X,), "begins_with", ({"S": "p"},))


WITHOUT_TABLE = [
    ("h = :h OR r = :n", "Invalid operator used in KeyConditionExpression: OR"),
    ("NOT h = :h", "Invalid operator used in KeyConditionExpression: NOT"),
    ("h IN (:h)", "Invalid operator used in KeyConditionExpression: IN"),
    ("h <> :h", "Invalid operator used in KeyConditionExpression: <>"),
    ("attribute_exists(h)", "Invalid operator used in KeyConditionExpression: attribute_exists"),
    ("contains(h, :h)", "Invalid operator used in KeyConditionExpression: contains"),
    ("size(h) = :n", "KeyConditionExpressions cannot contain nested operations"),
    ("h = r", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"),
    (":h = :s", "Invalid condition in KeyConditionExpression: No key attribute specified"),
    ("h.a = :h", "KeyConditionExpressions cannot have conditions on nested attributes"),
    ("h = :h AND h = :s", "KeyConditionExpressions must only contain one condition per key"),
    (
        "h = :h AND :n BETWEEN r AND :m",
        (
            "Invalid condition in KeyConditionExpression: "
            "BETWEEN operator must have the key attribute as its first operand"
        ),
    ),
    (
        "begins_with(:s, h)",
        (
            "Invalid condition in KeyConditionExpression: "
            "begins_with operator must have the key attribute as its first operand"
        ),
    ),
    (
        "begins_with(h, :n)",
        (
            "Invalid KeyConditionExpression: Incorrect operand type for operator or function; "
            "operator or function: begins_with, operand type: N"
        ),
    ),
    ("h = ", 'Invalid KeyConditionExpression: Syntax error; token: "<EOF>", near: "="'),
]


@pytest.mark.parametrize(("text", "sentence"), WITHOUT_TABLE)
def test_a_faulty_key_condition_is_refused_without_a_table(refusal, text, sentence):
    values = {"ExpressionAttributeValues": used} if (used := _used(text)) else {}
    assert refusal(QUERY, KeyConditionExpression=text, **values) == sentence


WITH_TABLE = [
    (
        "h = :h AND r = :n AND x = :m",
        HASH,
        RANGE,
        "The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)",
    ),
    ("r = :n", HASH, RANGE, "Query condition missed key schema element: h"),
    ("h = :h AND x = :n", HASH, RANGE, "Query condition missed key schema element: r"),
    ("h = :h AND r = :n", HASH, None, "Query key condition not supported"),
    ("h > :h", HASH, RANGE, "Query key condition not supported"),
    (
        "h = :n",
        HASH,
        RANGE,
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
    ),
    (
        "h = :h AND r = :s",
        HASH,
        RANGE,
        "One or more parameter values were invalid: Condition parameter type does not match schema type",
    ),
]


@pytest.mark.parametrize(("text", "hash_key", "range_key", "sentence"), WITH_TABLE)
def test_a_key_condition_that_does_not_fit_the_keys_is_refused(read, text, hash_key, range_key, sentence):
    condition = read(QUERY, KeyConditionExpression=text, ExpressionAttributeValues=_used(text)).key_condition
    with pytest.raises(EngineError) as caught:
        condition.for_keys([hash_key], [range_key] if range_key else [])
    assert caught.value.message == sentence


def test_a_query_without_a_key_condition_is_refused(refusal):
    assert refusal(QUERY) == (
        "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
    )


def test_filters_on_keys_are_refused_once_the_keys_are_known(read):
    condition = read(
        QUERY,
        KeyConditionExpression="h = :h",
        FilterExpression="r.x > :n",
        ExpressionAttributeValues=_used("h = :h r > :n"),
    ).filter
    with pytest.raises(EngineError) as caught:
        condition.reject_key_attributes(["h", "r"])
    assert caught.value.message == (
        "Filter Expression can only contain non-primary key attributes: Primary key attribute: r"
    )


def test_paths_into_keys_are_refused_once_the_keys_are_known(read):
    condition = read(
        QUERY,
        KeyConditionExpression="h = :h",
        FilterExpression="r.x > :n",
        ExpressionAttributeValues=_used("h = :h r > :n"),
    ).filter
    with pytest.raises(EngineError) as caught:
        condition.used.reject_nested_keys(["h"], ["r"])
    assert caught.value.message == (
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: IndexKey: r"
    )
