"""Projections: what they pick, and what of them is refused."""

import pytest

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError
from tablature.engine.validation.request_expressions import GET_ITEM

ITEM = {
    "a": {"S": "1"},
    "m": {"M": {"x": {"S": "2"}, "y": {"M": {"z": {"S": "3"}}}}},
    "l": {"L": [{"S": "0"}, {"M": {"k": {"S": "4"}, "o": {"S": "5"}}}, {"S": "2"}]},
}

PICKED = [
    ("a", {"a": ITEM["a"]}),
    ("a, gone", {"a": ITEM["a"]}),
    ("m.x", {"m": {"M": {"x": {"S": "2"}}}}),
    ("m.y.z, m.x", {"m": {"M": {"y": {"M": {"z": {"S": "3"}}}, "x": {"S": "2"}}}}),
    ("l[2], l[0]", {"l": {"L": [{"S": "0"}, {"S": "2"}]}}),
    ("l[1].k", {"l": {"L": [{"M": {"k": {"S": "4"}}}]}}),
    ("l[1].k, l[1].o", {"l": {"L": [{"M": {"k": {"S": "4"}, "o": {"S": "5"}}}]}}),
    ("l[9]", {}),
    ("m.gone", {}),
    ("a.b", {}),
    ("m[0]", {}),
    ("#n", {"a": ITEM["a"]}),
]


@pytest.mark.parametrize(("text", "expected"), PICKED)
def test_a_projection_picks_its_paths(read, text, expected):
    names = {"ExpressionAttributeNames": {"#n": "a"}} if "#" in text else {}
    assert read(GET_ITEM, ProjectionExpression=text, **names).projection(ITEM) == expected


REFUSED = [
    ("", "The expression can not be empty;"),
    ("a b", 'Syntax error; token: "b", near: "a b"'),
    ("a,", 'Syntax error; token: "<EOF>", near: ","'),
    ("a, :v", 'Syntax error; token: ":v", near: ", :v"'),
    ("a[b]", 'Syntax error; token: "b", near: "[b]"'),
    ("size(a)", 'Syntax error; token: "(", near: "size(a"'),
    ("name", "Attribute name is a reserved keyword; reserved keyword: name"),
    ("#x", "An expression attribute name used in the document path is not defined; attribute name: #x"),
    (
        "a, a",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [a], path two: [a]"
        ),
    ),
    (
        "a.b, a",
        (
            "Two document paths overlap with each other; must remove or rewrite one of these paths; "
            "path one: [a, b], path two: [a]"
        ),
    ),
    (
        "a.b, a[0]",
        (
            "Two document paths conflict with each other; must remove or rewrite one of these paths; "
            "path one: [a, b], path two: [a, [0]]"
        ),
    ),
    ("a" + ".b" * 32, "The document path has too many nesting levels; nesting levels: 33"),
]


@pytest.mark.parametrize(("text", "sentence"), REFUSED)
def test_a_faulty_projection_is_refused(refusal, text, sentence):
    assert refusal(GET_ITEM, ProjectionExpression=text) == f"Invalid ProjectionExpression: {sentence}"


@pytest.mark.parametrize(
    ("operation", "request_"),
    [
        ("GetItem", {"Key": {"pk": {"S": "a"}}}),
        ("Scan", {}),
        ("Query", {"KeyConditions": {"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [{"S": "a"}]}}}),
    ],
)
def test_a_projection_into_a_key_is_refused(operation, request_):
    with Engine.memory() as engine:
        engine.call(
            "CreateTable",
            {
                "TableName": "table",
                "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
                "AttributeDefinitions": [{"AttributeName": "pk", "AttributeType": "S"}],
                "BillingMode": "PAY_PER_REQUEST",
            },
        )
        with pytest.raises(EngineError) as caught:
            engine.call(operation, {"TableName": "table", "ProjectionExpression": "pk.x", **request_})
    assert caught.value.message == (
        "Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: Key: pk"
    )
