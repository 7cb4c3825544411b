"""Attribute values are checked, normalised, measured and compared as the service does."""

from typing import Any

import pytest

from tablature.engine.encoding import values
from tablature.engine.errors import EngineError

INVALID = "One or more parameter values were invalid: "


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        ({}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        ({"X": "y"}, "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"),
        (
            {"S": "a", "N": "1"},
            (
                "Supplied AttributeValue has more than one datatypes set, "
                "must contain exactly one of the supported datatypes"
            ),
        ),
        ({"S": "a", "N": "b"}, "The parameter cannot be converted to a numeric value: b"),
        ({"NULL": False}, INVALID + "Null attribute value types must have the value of true"),
        ({"SS": []}, INVALID + "An string set  may not be empty"),
        ({"NS": []}, INVALID + "An number set  may not be empty"),
        ({"BS": []}, INVALID + "Binary sets should not be empty"),
        ({"SS": ["a", "b", "a"]}, INVALID + "Input collection [a, b, a] contains duplicates."),
        ({"NS": ["1", "1.0"]}, "Input collection contains duplicates"),
        ({"BS": ["Yg==", "Yg=="]}, INVALID + "Input collection [Yg==, Yg==]of type BS contains duplicates."),
        ({"M": {"a": {"L": [{"SS": []}]}}}, INVALID + "An string set  may not be empty"),
    ],
)
def test_a_value_that_cannot_be_is_refused(value: dict[str, Any], sentence: str) -> None:
    with pytest.raises(EngineError) as caught:
        values.normalise(value)
    assert caught.value.message == sentence


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"S": "leaf"}
    for _ in range(levels):
        value = {"L": [value]}
    return value


def test_a_value_may_be_nested_to_the_thirty_second_level_only() -> None:
    assert values.normalise(nested(31)) == nested(31)
    with pytest.raises(EngineError, match="Nesting Levels have exceeded supported limits"):
        values.normalise(nested(32))


def test_numbers_are_normalised_wherever_they_are() -> None:
    value = {"M": {"n": {"N": "1e1"}, "l": {"L": [{"NS": ["01", "2.0"]}]}}}
    assert values.normalise(value) == {"M": {"n": {"N": "10"}, "l": {"L": [{"NS": ["1", "2"]}]}}}


@pytest.mark.parametrize(
    ("value", "size"),
    [
        ({"S": "héé"}, 5),
        ({"B": "AAEC"}, 3),
        ({"B": "AA=="}, 1),
        ({"BOOL": True}, 1),
        ({"NULL": True}, 1),
        ({"SS": ["ab", "c"]}, 3),
        ({"NS": ["1", "22"]}, 4),
        ({"BS": ["AAEC", ""]}, 3),
        ({"L": []}, 3),
        ({"L": [{"S": "a"}]}, 5),
        ({"M": {"ab": {"S": "c"}}}, 7),
    ],
)
def test_a_value_is_measured_as_the_service_measures_it(value: dict[str, Any], size: int) -> None:
    assert values.value_size(value) == size


def test_an_items_size_counts_names_too() -> None:
    assert values.item_size({"pk": {"S": "abc"}, "ø": {"N": "1"}}) == 2 + 3 + 2 + 2


@pytest.mark.parametrize(
    ("left", "right", "same"),
    [
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}, True),
        ({"L": [{"SS": ["a", "b"]}]}, {"L": [{"SS": ["b", "a"]}]}, True),
        ({"M": {"x": {"NS": ["1", "2"]}}}, {"M": {"x": {"NS": ["2", "1"]}}}, True),
        ({"L": [{"S": "a"}, {"S": "b"}]}, {"L": [{"S": "b"}, {"S": "a"}]}, False),
        ({"S": "1"}, {"N": "1"}, False),
        ({"M": {"x": {"S": "a"}}}, {"M": {}}, False),
    ],
)
def test_sets_are_equal_in_any_order_at_any_depth(left: dict[str, Any], right: dict[str, Any], same: bool) -> None:
    assert values.equal(left, right) is same


def test_a_name_has_at_most_sixty_four_kilobytes() -> None:
    values.normalise_item({"x" * 65_535: {"S": ""}})
    for item in ({"é" * 32_768: {"S": ""}}, {"m": {"M": {"x" * 65_536: {"S": ""}}}}):
        with pytest.raises(EngineError, match="Attribute name is too large, must be less than 65536 bytes"):
            values.normalise_item(item)
