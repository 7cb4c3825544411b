"""Violated constraints are told together, each with its value, its path and what it must be."""

from typing import Any

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.validation.constraints import (
    MapShape,
    anything,
    enum,
    integer,
    list_of,
    map_of,
    member,
    string,
    structure,
)

ELEMENT = structure(member("Name", string(1, 3)), member("Kind", enum("A", "B"), required=True), name="Element")
SHAPE = structure(
    member("Word", string(2, 4, "[a-z]+"), required=True),
    member("Count", integer(1, 9)),
    member("Elements", list_of(ELEMENT, 1, 2)),
    member("ByName", map_of(integer(1), key=string(2, 5, "[a-z]+"))),
    member("Free", anything()),
)


def sentence(**request: Any) -> str:
    with pytest.raises(EngineError) as caught:
        SHAPE.check(request)
    assert caught.value.code == "ValidationException"
    return caught.value.message


def test_a_request_that_keeps_every_constraint_passes() -> None:
    SHAPE.check({"Word": "ab", "Count": 9, "Elements": [{"Kind": "A"}], "ByName": {"xy": 1}, "Free": {}, "More": 1})


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({}, "Value null at 'word' failed to satisfy constraint: Member must not be null"),
        (
            {"Word": "a"},
            "Value 'a' at 'word' failed to satisfy constraint: Member must have length greater than or equal to 2",
        ),
        (
            {"Word": "AB"},
            (
                "Value 'AB' at 'word' failed to satisfy constraint: "
                "Member must satisfy regular expression pattern: [a-z]+"
            ),
        ),
        (
            {"Word": "ab", "Count": 0},
            "Value '0' at 'count' failed to satisfy constraint: Member must have value greater than or equal to 1",
        ),
        (
            {"Word": "ab", "Elements": []},
            (
                "Value '[]' at 'elements' failed to satisfy constraint: "
                "Member must have length greater than or equal to 1"
            ),
        ),
        (
            {"Word": "ab", "Elements": [{"Kind": "A"}, {"Kind": "C"}]},
            (
                "Value 'C' at 'elements.2.member.kind' failed to satisfy constraint: "
                "Member must satisfy enum value set: [A, B]"
            ),
        ),
        (
            {"Word": "ab", "Elements": [{"Kind": "A", "Name": "x"}] * 3},
            (
                "Value '[Element(name=x, kind=A), Element(name=x, kind=A), Element(name=x, kind=A)]' at 'elements' "
                "failed to satisfy constraint: Member must have length less than or equal to 2"
            ),
        ),
        (
            {"Word": "ab", "ByName": {"x": 1}},
            (
                "Value '{x=1}' at 'byName' failed to satisfy constraint: Map keys must satisfy constraint: [Member "
                "must have length less than or equal to 5, Member must have length greater than or equal to 2, "
                "Member must satisfy regular expression pattern: [a-z]+]"
            ),
        ),
        (
            {"Word": "ab", "ByName": {"xy": 0}},
            (
                "Value '0' at 'byName.xy.member' failed to satisfy constraint: "
                "Member must have value greater than or equal to 1"
            ),
        ),
    ],
)
def test_a_broken_constraint_is_told(request_: dict[str, Any], message: str) -> None:
    assert sentence(**request_) == f"1 validation error detected: {message}"


def test_several_broken_constraints_are_told_in_the_order_of_the_members() -> None:
    assert sentence(Count=10) == (
        "2 validation errors detected: Value null at 'word' failed to satisfy constraint: Member must not be null; "
        "Value '10' at 'count' failed to satisfy constraint: Member must have value less than or equal to 9"
    )


def test_no_more_than_ten_are_told() -> None:
    shape = structure(*(member(f"M{number}", anything(), required=True) for number in range(12)))
    with pytest.raises(EngineError, match=r"^10 validation errors detected: "):
        shape.check({})


def test_the_lists_of_a_map_may_be_bounded() -> None:
    shape = structure(member("Lists", MapShape(list_of(anything()), sizes=(1, 2))))
    shape.check({"Lists": {"a": [1]}})
    with pytest.raises(EngineError, match=r"Map value must satisfy constraint: \[Member must have length less than"):
        shape.check({"Lists": {"a": [1, 2, 3]}})
