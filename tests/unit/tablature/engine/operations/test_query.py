"""Query reads one partition in order, in pages, through indexes and filters."""

from collections.abc import Callable
from typing import Any

import pytest

Call = Callable[..., dict[str, Any]]
Refused = Callable[..., str]
Create = Callable[..., str]

BAD = "ValidationException: "
LONG = BAD + "One or more parameter values were invalid: "


@pytest.fixture
def things(call: Call, create: Create) -> str:
    create(
        "things",
        "pk:S",
        "sk:N",
        gsis={"by_owner": ("ALL", "owner:S"), "thin": ("KEYS_ONLY", "owner:S")},
        lsis={"by_size": (["colour"], "pk:S", "size:N")},
    )
    for number in range(6):
        item = {
            "pk": {"S": "a"},
            "sk": {"N": str(number - 2)},
            "owner": {"S": "x"},
            "size": {"N": str(10 - number)},
            "colour": {"S": "red"},
            "note": {"S": "n" * number},
        }
        call("PutItem", TableName="things", Item=item)
    return "things"


def of(condition: str, **values: Any) -> dict[str, Any]:
    names = {f"#{name}": name for name in ("owner", "size") if f"#{name}" in condition}
    request: dict[str, Any] = {
        "TableName": "things",
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": {f":{name}": value for name, value in values.items()},
    }
    return request | ({"ExpressionAttributeNames": names} if names else {})


def sorts(answer: dict[str, Any]) -> list[int]:
    return [int(item["sk"]["N"]) for item in answer["Items"]]


@pytest.mark.parametrize(
    ("condition", "values", "expected"),
    [
        ("pk = :p", {}, [-2, -1, 0, 1, 2, 3]),
        ("pk = :p AND sk = :n", {"n": {"N": "1.0"}}, [1]),
        ("pk = :p AND sk < :n", {"n": {"N": "0"}}, [-2, -1]),
        ("pk = :p AND sk <= :n", {"n": {"N": "0"}}, [-2, -1, 0]),
        ("pk = :p AND sk > :n", {"n": {"N": "1"}}, [2, 3]),
        ("pk = :p AND sk >= :n", {"n": {"N": "1"}}, [1, 2, 3]),
        ("sk BETWEEN :n AND :m AND pk = :p", {"n": {"N": "-1"}, "m": {"N": "1"}}, [-1, 0, 1]),
    ],
)
def test_a_key_condition_chooses_a_range(
    call: Call, things: str, condition: str, values: dict[str, Any], expected: list[int]
) -> None:
    request = of(condition, p={"S": "a"}, **values)
    assert sorts(call("Query", **request)) == expected
    assert sorts(call("Query", **request, ScanIndexForward=False)) == expected[::-1]


def test_begins_with_chooses_a_prefix_up_to_the_highest_characters(call: Call, create: Create) -> None:
    create("words", "pk:S", "sk:S")
    for word in ("a", "ab", "ab\U0010ffff", "abc", "ac", "b"):
        call("PutItem", TableName="words", Item={"pk": {"S": "w"}, "sk": {"S": word}})
    request = of("pk = :p AND begins_with(sk, :s)", p={"S": "w"}, s={"S": "ab"}) | {"TableName": "words"}
    assert [item["sk"]["S"] for item in call("Query", **request)["Items"]] == ["ab", "abc", "ab\U0010ffff"]


def test_a_limit_is_counted_before_the_filter_and_a_full_page_names_its_end(call: Call, things: str) -> None:
    request = of("pk = :p", p={"S": "a"}, long={"S": "nnn"}) | {"FilterExpression": "note >= :long", "Limit": 4}
    first = call("Query", **request)
    assert (first["Count"], first["ScannedCount"]) == (1, 4)
    assert first["LastEvaluatedKey"] == {"pk": {"S": "a"}, "sk": {"N": "1"}}
    second = call("Query", **request, ExclusiveStartKey=first["LastEvaluatedKey"])
    assert sorts(second) == [2, 3]
    assert "LastEvaluatedKey" not in second


def test_a_page_that_ends_exactly_at_the_limit_still_names_its_end(call: Call, things: str) -> None:
    answer = call("Query", **of("pk = :p", p={"S": "a"}), Limit=6)
    assert answer["LastEvaluatedKey"] == {"pk": {"S": "a"}, "sk": {"N": "3"}}
    rest = call("Query", **of("pk = :p", p={"S": "a"}), ExclusiveStartKey=answer["LastEvaluatedKey"])
    assert rest == {"Items": [], "Count": 0, "ScannedCount": 0}


def test_a_page_holds_a_megabyte_measured_before_the_filter(call: Call, create: Create) -> None:
    create("things", "pk:S", "sk:N")
    for number in range(4):
        item = {"pk": {"S": "a"}, "sk": {"N": str(number)}, "bulk_": {"S": "x" * 399_000}}
        call("PutItem", TableName="things", Item=item)
    request = of("pk = :p", p={"S": "a"}, no={"S": "none"}) | {"FilterExpression": "bulk_ = :no"}
    answer = call("Query", **request)
    assert (answer["Count"], answer["ScannedCount"]) == (0, 2)
    assert answer["LastEvaluatedKey"]["sk"] == {"N": "1"}


def test_an_index_page_ends_with_the_index_and_table_keys(call: Call, things: str) -> None:
    request = of("#owner = :o", o={"S": "x"}) | {"IndexName": "by_owner", "Limit": 2}
    seen: list[int] = []
    answer = call("Query", **request)
    assert set(answer["LastEvaluatedKey"]) == {"owner", "pk", "sk"}
    while "LastEvaluatedKey" in answer:
        seen += sorts(answer)
        answer = call("Query", **request, ExclusiveStartKey=answer["LastEvaluatedKey"])
    assert sorted(seen + sorts(answer)) == [-2, -1, 0, 1, 2, 3]


def test_an_index_shows_what_it_projects(call: Call, things: str) -> None:
    thin = call("Query", **of("#owner = :o", o={"S": "x"}), IndexName="thin", Limit=1)["Items"][0]
    assert set(thin) == {"owner", "pk", "sk"}
    local = call("Query", **of("pk = :p AND #size > :s", p={"S": "a"}, s={"N": "9"}), IndexName="by_size")["Items"][0]
    assert set(local) == {"pk", "sk", "size", "colour"}


def test_a_local_index_reaches_back_for_what_it_lacks(call: Call, things: str) -> None:
    request = of("pk = :p AND #size = :s", p={"S": "a"}, s={"N": "10"}) | {"IndexName": "by_size"}
    assert set(call("Query", **request, Select="ALL_ATTRIBUTES")["Items"][0]) == {
        "pk",
        "sk",
        "owner",
        "size",
        "colour",
        "note",
    }
    assert call("Query", **request, ProjectionExpression="note")["Items"] == [{"note": {"S": ""}}]


def test_counting_returns_no_items(call: Call, things: str) -> None:
    assert call("Query", **of("pk = :p", p={"S": "a"}), Select="COUNT") == {"Count": 6, "ScannedCount": 6}


def test_a_query_refuses_key_values_that_no_item_can_have(refused: Refused, create: Create) -> None:
    create("things", "pk:S", "sk:S")
    too_long = refused("Query", **of("pk = :p", p={"S": "x" * 2049}))
    assert too_long == LONG + "Size of hashkey has exceeded the maximum size limit of2048 bytes"
    too_long = refused("Query", **of("pk = :p AND sk > :s", p={"S": "x"}, s={"S": "x" * 1025}))
    assert too_long == LONG + "Aggregated size of all range keys has exceeded the size limit of 1024 bytes"


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (
            {"Limit": 0},
            BAD + "1 validation error detected: Value at 'Limit' failed to satisfy constraint: "
            "Member must have value greater than or equal to 1",
        ),
        ({"IndexName": "absent"}, BAD + "The table does not have the specified index: absent"),
        (
            {"Select": "SPECIFIC_ATTRIBUTES"},
            BAD + "1 validation error detected: Must specify the AttributesToGet or ProjectionExpression when "
            "choosing to get SPECIFIC_ATTRIBUTES",
        ),
        (
            {"Select": "ALL_PROJECTED_ATTRIBUTES"},
            BAD + "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName",
        ),
        (
            {"Select": "COUNT", "ProjectionExpression": "pk"},
            BAD + "Cannot specify the ProjectionExpression when choosing to get only the Count",
        ),
        (
            {"FilterExpression": "pk = :p"},
            BAD + "Filter Expression can only contain non-primary key attributes: Primary key attribute: pk",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "a"}}},
            BAD + "The provided starting key is invalid",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"S": "1"}}},
            BAD + "The provided starting key is invalid: The provided key element does not match the schema",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "one"}}},
            BAD + "The parameter cannot be converted to a numeric value: one",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "b"}, "sk": {"N": "1"}}},
            BAD + "The provided starting key is outside query boundaries based on provided conditions",
        ),
        (
            {"ExclusiveStartKey": {"pk": {}, "sk": {"N": "1"}}},
            BAD + "The provided starting key is invalid: "
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes",
        ),
    ],
)
def test_a_query_that_cannot_be_is_refused(refused: Refused, things: str, more: dict[str, Any], sentence: str) -> None:
    assert refused("Query", **of("pk = :p", p={"S": "a"}), **more) == sentence


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"ConsistentRead": True}, BAD + "Consistent reads are not supported on global secondary indexes"),
        (
            {"Select": "ALL_ATTRIBUTES"},
            BAD + "One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported for global "
            "secondary index thin because its projection type is not ALL",
        ),
        (
            {"ProjectionExpression": "note"},
            BAD + "One or more parameter values were invalid: Global secondary index thin does not project [note]",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "1"}}},
            BAD + "The provided starting key is invalid",
        ),
        (
            {"ExclusiveStartKey": {"pk": {"S": "a"}, "sk": {"N": "1"}, "owner": {"S": ""}}},
            BAD + "The provided starting key is invalid",
        ),
        (
            {"FilterExpression": "note = :o"},
            BAD + "One or more parameter values were invalid: Secondary index thin does not project one or more "
            "filter attributes: [note]",
        ),
    ],
)
def test_a_global_index_cannot_do_what_a_table_can(
    refused: Refused, things: str, more: dict[str, Any], sentence: str
) -> None:
    request = of("#owner = :o", o={"S": "x"}) | {"IndexName": "thin"}
    assert refused("Query", **request, **more) == sentence


def test_a_starting_key_beyond_the_range_is_refused(refused: Refused, things: str) -> None:
    request = of("pk = :p AND sk < :n", p={"S": "a"}, n={"N": "1"})
    assert refused("Query", **request, ExclusiveStartKey={"pk": {"S": "a"}, "sk": {"N": "2"}}) == (
        BAD + "The provided starting key does not match the range key predicate"
    )


def test_reversed_pages_meet_every_item_once(call: Call, things: str) -> None:
    request = of("pk = :p", p={"S": "a"}) | {"IndexName": "by_size", "ScanIndexForward": False, "Limit": 1}
    seen: list[int] = []
    answer = call("Query", **request)
    while "LastEvaluatedKey" in answer:
        seen += sorts(answer)
        answer = call("Query", **request, ExclusiveStartKey=answer["LastEvaluatedKey"])
    assert seen + sorts(answer) == [-2, -1, 0, 1, 2, 3]
