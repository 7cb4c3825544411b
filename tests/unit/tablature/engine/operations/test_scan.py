"""Scan meets every item once, in pages and segments, on tables and indexes."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]

BAD = "ValidationException: "


@pytest.fixture
def things(call: Call, create: Callable[..., str]) -> str:
    create("things", "pk:S", gsis={"by_owner": ("KEYS_ONLY", "owner:S")})
    for number in range(20):
        item: dict[str, Any] = {"pk": {"S": f"k{number}"}, "n": {"N": str(number)}}
        call("PutItem", TableName="things", Item=item | ({"owner": {"S": "x"}} if number % 2 else {}))
    return "things"


def all_pages(call: Call, **request: Any) -> list[dict[str, Any]]:
    answer = call("Scan", **request)
    items = answer["Items"]
    while "LastEvaluatedKey" in answer:
        answer = call("Scan", **request, ExclusiveStartKey=answer["LastEvaluatedKey"])
        items += answer["Items"]
    return items


def test_pages_meet_every_item_once(call: Call, things: str) -> None:
    items = all_pages(call, TableName="things", Limit=3)
    assert sorted(int(item["n"]["N"]) for item in items) == list(range(20))


def test_the_order_is_not_that_of_the_keys_and_never_changes(call: Call, things: str) -> None:
    order = [item["pk"]["S"] for item in all_pages(call, TableName="things", Limit=7)]
    assert order != sorted(order)
    assert order == [item["pk"]["S"] for item in call("Scan", TableName="things")["Items"]]


@pytest.mark.parametrize("total", [1, 2, 3, 16])
def test_segments_share_the_items_out(call: Call, things: str, total: int) -> None:
    items = [
        item["pk"]["S"]
        for segment in range(total)
        for item in all_pages(call, TableName="things", Segment=segment, TotalSegments=total, Limit=2)
    ]
    assert sorted(items) == sorted(f"k{number}" for number in range(20))


def test_a_scan_of_an_index_meets_only_what_the_index_lists(call: Call, things: str) -> None:
    items = all_pages(call, TableName="things", IndexName="by_owner", Limit=3)
    assert sorted(item["pk"]["S"] for item in items) == sorted(f"k{number}" for number in range(1, 20, 2))
    assert all(set(item) == {"pk", "owner"} for item in items)


def test_a_filter_is_applied_after_the_limit(call: Call, things: str) -> None:
    answer = call(
        "Scan",
        TableName="things",
        Limit=10,
        FilterExpression="n < :n",
        ExpressionAttributeValues={":n": {"N": "0"}},
    )
    assert (answer["Count"], answer["ScannedCount"], answer["Items"]) == (0, 10, [])
    assert "LastEvaluatedKey" in answer


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"Limit": 0},
            BAD + "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1",
        ),
        (
            {"Segment": 1},
            BAD + "The TotalSegments parameter is required but was not present in the request "
            "when Segment parameter is present",
        ),
        (
            {"TotalSegments": 1},
            BAD + "The Segment parameter is required but was not present in the request "
            "when parameter TotalSegments is present",
        ),
        (
            {"Segment": 2, "TotalSegments": 2},
            BAD + "The Segment parameter is zero-based and must be less than parameter TotalSegments: "
            "Segment: 2 is not less than TotalSegments: 2",
        ),
        (
            {"Segment": -1, "TotalSegments": 2},
            BAD + "1 validation error detected: Value '-1' at 'segment' failed to satisfy constraint: "
            "Member must have value greater than or equal to 0",
        ),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            BAD + "Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"N": "1"}}},
            BAD + "The provided starting key is invalid: The provided key element does not match the schema",
        ),
        ({"IndexName": "absent"}, BAD + "The table does not have the specified index: absent"),
        (
            {"IndexName": "by_owner", "ConsistentRead": True},
            BAD + "Consistent reads are not supported on global secondary indexes",
        ),
        (
            {"Select": "EVERYTHING"},
            BAD + "1 validation error detected: Value 'EVERYTHING' at 'select' failed to satisfy constraint: Member "
            "must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]",
        ),
    ],
)
def test_a_scan_that_cannot_be_is_refused(refused: Refused, things: str, more: dict[str, Any], sentence: str) -> None:
    assert refused("Scan", TableName="things", **more) == sentence


def test_a_starting_key_of_another_segment_is_refused(call: Call, refused: Refused, things: str) -> None:
    last = call("Scan", TableName="things")["Items"][-1]["pk"]
    sentence = refused("Scan", TableName="things", Segment=0, TotalSegments=100, ExclusiveStartKey={"pk": last})
    assert "Please use ExclusiveStartKey with correct Segment. TotalSegments: 100 Segment: 0" in sentence
