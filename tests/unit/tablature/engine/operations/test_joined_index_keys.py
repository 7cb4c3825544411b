"""A global index whose keys several attributes make up: what it lists, in which order, and how it is asked."""

import base64
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablature.engine.engine import Engine
from tablature.engine.errors import EngineError

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]

BAD = "ValidationException: "
HASHES = {"tenant": "S", "region": "N"}
RANGES = {"year": "N", "tag": "B", "name": "S"}


def definition(hashes: dict[str, str], ranges: dict[str, str], **more: Any) -> dict[str, Any]:
    keys = [*((name, "HASH") for name in hashes), *((name, "RANGE") for name in ranges)]
    kinds = {"pk": "S", **hashes, **ranges}
    return {
        "TableName": "things",
        "BillingMode": "PAY_PER_REQUEST",
        "KeySchema": [{"AttributeName": "pk", "KeyType": "HASH"}],
        "AttributeDefinitions": [{"AttributeName": name, "AttributeType": kind} for name, kind in kinds.items()],
        "GlobalSecondaryIndexes": [
            {
                "IndexName": "joined",
                "KeySchema": [{"AttributeName": name, "KeyType": role} for name, role in keys],
                "Projection": {"ProjectionType": "ALL"},
            }
        ],
        **more,
    }


def item(pk: str, year: int = 1, tag: bytes = b"t", name: str = "n", **more: Any) -> dict[str, Any]:
    return {
        "pk": {"S": pk},
        "tenant": {"S": "x"},
        "region": {"N": "7"},
        "year": {"N": str(year)},
        "tag": {"B": base64.b64encode(tag).decode()},
        "name": {"S": name},
        **more,
    }


def asking(condition: str, **more: Any) -> dict[str, Any]:
    """A Query of the partition x/7, with a condition on the sort key that uses `:y`, `:t`, `:n`, `:m`."""
    values = {
        ":x": {"S": "x"},
        ":r": {"N": "7"},
        ":y": {"N": "2"},
        ":t": {"B": "dA=="},
        ":n": {"S": "b"},
        ":m": {"S": "c"},
        ":p": {"S": "a"},
    }
    text = f"tenant = :x AND #r = :r AND {condition}" if condition else "tenant = :x AND #r = :r"
    names = {"#r": "region", "#n": "name", "#y": "year"}
    words = set(text.replace("(", " ").replace(")", " ").replace(",", " ").split())
    return {
        "TableName": "things",
        "IndexName": "joined",
        "KeyConditionExpression": text,
        "ExpressionAttributeNames": {key: name for key, name in names.items() if key in words},
        "ExpressionAttributeValues": {key: value for key, value in values.items() if key in words},
        **more,
    }


@pytest.fixture
def things(call: Call) -> None:
    call("CreateTable", **definition(HASHES, RANGES))
    for pk, year, name in (("1", 10, "a"), ("2", 2, "b"), ("3", 2, "a"), ("4", 2, "c"), ("5", -3, "z"), ("6", 2, "ab")):
        call("PutItem", TableName="things", Item=item(pk, year, name=name))
    call("PutItem", TableName="things", Item=item("elsewhere", region={"N": "8"}))
    without = item("unlisted")
    del without["tag"]
    call("PutItem", TableName="things", Item=without)


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("", "536241"),
        ("#y = :y", "3624"),
        ("#y > :y", "1"),
        ("#y >= :y", "36241"),
        ("#y < :y", "5"),
        ("#y <= :y", "53624"),
        ("#y = :y AND tag = :t", "3624"),
        ("#y = :y AND tag > :t", ""),
        ("#y = :y AND tag = :t AND #n = :n", "2"),
        ("#n BETWEEN :n AND :m AND tag = :t AND #y = :y", "24"),
        ("#y = :y AND tag = :t AND begins_with(#n, :p)", "36"),
        ("#y = :y AND tag = :t AND #n > :n", "4"),
    ],
)
def test_the_sort_key_is_narrowed_attribute_by_attribute(call: Call, condition: str, expected: str) -> None:
    assert "".join(item["pk"]["S"] for item in call("Query", **asking(condition))["Items"]) == expected


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize("forward", [True, False])
def test_pages_go_on_after_every_key_attribute(call: Call, forward: bool) -> None:
    letters, start = "", {}
    while True:
        page = call("Query", **asking("#y <= :y", Limit=2, ScanIndexForward=forward, **start))
        letters += "".join(item["pk"]["S"] for item in page["Items"])
        if "LastEvaluatedKey" not in page:
            break
        assert set(page["LastEvaluatedKey"]) == {"pk", *HASHES, *RANGES}
        start = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
    assert letters == ("53624" if forward else "42635")


@pytest.mark.usefixtures("things")
def test_a_scan_lists_what_has_every_key_attribute_and_an_update_brings_it_in(call: Call) -> None:
    def listed() -> set[str]:
        return {item["pk"]["S"] for item in call("Scan", TableName="things", IndexName="joined")["Items"]}

    assert listed() == {*"123456", "elsewhere"}
    values = {":t": {"B": "dA=="}}
    key = {"pk": {"S": "unlisted"}}
    call("UpdateItem", TableName="things", Key=key, UpdateExpression="SET tag = :t", ExpressionAttributeValues=values)
    assert "unlisted" in listed()
    call("UpdateItem", TableName="things", Key=key, UpdateExpression="REMOVE tenant")
    assert "unlisted" not in listed()


@pytest.mark.usefixtures("things")
@pytest.mark.parametrize(
    ("condition", "sentence"),
    [
        (
            "tag = :t",
            (
                "RANGE key attributes year must have equality conditions specified in the query because a condition is "
                "present on key attribute tag"
            ),
        ),
        (
            "#y > :y AND #n = :n",
            (
                "RANGE key attributes year, tag must have equality conditions specified in the query because a "
                "condition is present on key attribute name"
            ),
        ),
        ("#y = :n", "One or more parameter values were invalid: Condition parameter type does not match schema type"),
    ],
)
def test_a_sort_key_with_a_gap_is_refused(refused: Refused, condition: str, sentence: str) -> None:
    assert refused("Query", **asking(condition)) == BAD + sentence


@pytest.mark.usefixtures("things")
def test_every_attribute_of_the_partition_key_is_needed(refused: Refused) -> None:
    partial = {"KeyConditionExpression": "tenant = :x", "ExpressionAttributeValues": {":x": {"S": "x"}}}
    at = {"TableName": "things", "IndexName": "joined"}
    assert refused("Query", **at, **partial) == BAD + "Query condition missed key schema element: region"
    legacy = {
        name: {"ComparisonOperator": "EQ", "AttributeValueList": [value]}
        for name, value in (("tenant", {"S": "x"}), ("region", {"N": "7"}))
    }
    assert refused("Query", **at, KeyConditions=legacy) == BAD + "Query key condition not supported"


@pytest.mark.usefixtures("things")
def test_such_an_index_is_not_read_by_statements(refused: Refused, call: Call) -> None:
    assert refused("ExecuteStatement", Statement="SELECT * FROM things.joined WHERE tenant = 'x'") == BAD + (
        "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys."
    )
    assert len(call("ExecuteStatement", Statement="SELECT * FROM things WHERE pk = '1'")["Items"]) == 1


def test_an_index_is_described_added_and_filled_with_all_its_keys(call: Call) -> None:
    wanted = definition(HASHES, RANGES)
    plain = {name: value for name, value in wanted.items() if name != "GlobalSecondaryIndexes"}
    call("CreateTable", **plain | {"AttributeDefinitions": wanted["AttributeDefinitions"][:1]})
    call("PutItem", TableName="things", Item=item("1"))
    (index,) = wanted["GlobalSecondaryIndexes"]
    call(
        "UpdateTable",
        TableName="things",
        GlobalSecondaryIndexUpdates=[{"Create": index}],
        AttributeDefinitions=wanted["AttributeDefinitions"],
    )
    (described,) = call("DescribeTable", TableName="things")["Table"]["GlobalSecondaryIndexes"]
    assert (described["KeySchema"], described["ItemCount"]) == (index["KeySchema"], 1)


@pytest.mark.parametrize(
    ("roles", "sentence"),
    [
        ("HHHHH", "exceeds the maximum allowed number of HASH key attributes"),
        ("HRRRRR", "exceeds the maximum allowed number of RANGE key attributes"),
        ("HRH", "HASH key attributes must come before RANGE key attributes"),
        ("RRR", "The first KeySchemaElement is not a HASH key type"),
    ],
)
def test_a_key_has_up_to_four_attributes_of_each_kind(refused: Refused, roles: str, sentence: str) -> None:
    wanted = definition({f"a{place}": "S" for place in range(len(roles))}, {})
    (index,) = wanted["GlobalSecondaryIndexes"]
    for element, role in zip(index["KeySchema"], roles, strict=True):
        element["KeyType"] = {"H": "HASH", "R": "RANGE"}[role]
    assert sentence in refused("CreateTable", **wanted)


keys = st.tuples(st.integers(-20, 20), st.binary(min_size=1, max_size=3), st.text("\0a\xff", min_size=1, max_size=3))


@settings(max_examples=40, deadline=None)
@given(st.lists(keys, min_size=1, max_size=12, unique=True), st.data())
def test_items_sort_by_their_attributes_one_after_another(values: list[tuple[int, bytes, str]], data: Any) -> None:
    with Engine.memory() as engine:
        engine.call("CreateTable", definition(HASHES, RANGES))
        for place, key in enumerate(values):
            engine.call("PutItem", {"TableName": "things", "Item": item(str(place), *key)})
        ordered = sorted(values, key=lambda key: (key[0], key[1], key[2].encode()))
        year, tag, _ = data.draw(st.sampled_from(values))
        request = asking("#y = :y AND tag >= :t")
        request["ExpressionAttributeValues"] |= {":y": {"N": str(year)}, ":t": {"B": base64.b64encode(tag).decode()}}

        def places(answer: dict[str, Any]) -> list[tuple[int, bytes, str]]:
            return [values[int(item["pk"]["S"])] for item in answer["Items"]]

        assert places(engine.call("Query", asking(""))) == ordered
        assert places(engine.call("Query", request)) == [key for key in ordered if key[0] == year and key[1] >= tag]


def test_an_empty_key_attribute_is_refused_in_the_words_of_any_index(call: Call) -> None:
    call("CreateTable", **definition(HASHES, RANGES))
    with pytest.raises(EngineError, match="IndexName: joined, IndexKey: tenant"):
        call("PutItem", TableName="things", Item=item("1", tenant={"S": ""}))
