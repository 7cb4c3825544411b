"""What updates do to an item: every action and function, on what is there and what isn't."""

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.validation.request_expressions import UPDATE_ITEM

N1, N2, N3 = {"N": "1"}, {"N": "2"}, {"N": "3"}
S = {"S": "s"}

CASES = [
    ("SET a = :v", {}, {":v": S}, {"a": S}),
    ("SET a = b", {"b": N1}, None, {"a": N1, "b": N1}),
    ("SET a = b, b = a", {"a": N1, "b": N2}, None, {"a": N2, "b": N1}),
    ("SET a = a + :v", {"a": N1}, {":v": N2}, {"a": N3}),
    ("SET a = :v - a", {"a": N1}, {":v": N3}, {"a": N2}),
    ("SET a = (a + :v)", {"a": N1}, {":v": N2}, {"a": N3}),
    ("SET a = if_not_exists(a, :v)", {}, {":v": N1}, {"a": N1}),
    ("SET a = if_not_exists(a, :v)", {"a": N2}, {":v": N1}, {"a": N2}),
    ("SET a = if_not_exists(b.c, :v) + :w", {}, {":v": N1, ":w": N2}, {"a": N3}),
    (
        "SET a = list_append(if_not_exists(a, :e), :v)",
        {},
        {":e": {"L": []}, ":v": {"L": [N1]}},
        {"a": {"L": [N1]}},
    ),
    ("SET a = list_append(:v, a)", {"a": {"L": [N1]}}, {":v": {"L": [N2]}}, {"a": {"L": [N2, N1]}}),
    ("SET a.b = :v", {"a": {"M": {"c": N1}}}, {":v": N2}, {"a": {"M": {"c": N1, "b": N2}}}),
    ("SET a[1] = :v", {"a": {"L": [N1, N2]}}, {":v": N3}, {"a": {"L": [N1, N3]}}),
    ("SET a[7] = :v", {"a": {"L": [N1]}}, {":v": N3}, {"a": {"L": [N1, N3]}}),
    ("SET a[9] = :v, a[8] = :w", {"a": {"L": []}}, {":v": N2, ":w": N1}, {"a": {"L": [N1, N2]}}),
    ("SET a[0].b = :v", {"a": {"L": [{"M": {}}]}}, {":v": N1}, {"a": {"L": [{"M": {"b": N1}}]}}),
    ("REMOVE a", {"a": N1, "b": N2}, None, {"b": N2}),
    ("REMOVE gone", {"b": N2}, None, {"b": N2}),
    ("REMOVE a[0], a[2]", {"a": {"L": [N1, N2, N3]}}, None, {"a": {"L": [N2]}}),
    ("REMOVE a[9]", {"a": {"L": [N1]}}, None, {"a": {"L": [N1]}}),
    ("REMOVE a.b.c", {"a": {"M": {"b": {"M": {"c": N1}}}}}, None, {"a": {"M": {"b": {"M": {}}}}}),
    ("SET a[3] = :v REMOVE a[0]", {"a": {"L": [N1, N2]}}, {":v": N3}, {"a": {"L": [N2, N3]}}),
    ("SET a[1] = :v REMOVE a[0]", {"a": {"L": [N1, N2]}}, {":v": N3}, {"a": {"L": [N3]}}),
    ("ADD a :v", {}, {":v": N1}, {"a": N1}),
    ("ADD a :v", {"a": N1}, {":v": {"N": "-1"}}, {"a": {"N": "0"}}),
    ("ADD a :v", {"a": {"SS": ["x"]}}, {":v": {"SS": ["x", "y"]}}, {"a": {"SS": ["x", "y"]}}),
    ("ADD a.b :v", {"a": {"M": {"b": N1}}}, {":v": N1}, {"a": {"M": {"b": N2}}}),
    ("DELETE a :v", {"a": {"SS": ["x", "y"]}}, {":v": {"SS": ["x"]}}, {"a": {"SS": ["y"]}}),
    ("DELETE a :v", {"a": {"SS": ["x"]}, "b": N1}, {":v": {"SS": ["x", "y"]}}, {"b": N1}),
    ("DELETE a :v", {"b": N1}, {":v": {"SS": ["x"]}}, {"b": N1}),
    (
        "remove c add d :v set a = :v delete e :w",
        {"c": N1, "e": {"NS": ["1", "2"]}},
        {":v": N1, ":w": {"NS": ["2"]}},
        {"a": N1, "d": N1, "e": {"NS": ["1"]}},
    ),
    (
        "SET a = a + :v",
        {"a": {"N": "0.1"}},
        {":v": {"N": "9999999999999999999999999999999999999.9"}},
        {"a": {"N": "10000000000000000000000000000000000000"}},
    ),
]


@pytest.mark.parametrize(("text", "item", "values", "expected"), CASES)
def test_the_update_makes_the_new_item(updated, text, item, values, expected):
    assert updated(text, item, values) == expected


def test_the_old_item_is_left_as_it_was(updated):
    item = {"a": {"M": {"l": {"L": [N1, N2]}}}}
    updated("SET a.l[0] = :v REMOVE a.l[1]", item, {":v": N3})
    assert item == {"a": {"M": {"l": {"L": [N1, N2]}}}}


WRONG_PATH = "The document path provided in the update expression is invalid for update"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
NO_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"

REFUSED = [
    ("SET a.b = :v", {}, {":v": N1}, WRONG_PATH),
    ("SET a.b = :v", {"a": S}, {":v": N1}, WRONG_PATH),
    ("SET a[0] = :v", {"a": {"M": {}}}, {":v": N1}, WRONG_PATH),
    ("SET a.b = :v", {"a": {"L": []}}, {":v": N1}, WRONG_PATH),
    ("SET a[5].b = :v", {"a": {"L": []}}, {":v": N1}, WRONG_PATH),
    ("REMOVE a.b", {}, None, WRONG_PATH),
    ("ADD a.b :v", {}, {":v": N1}, WRONG_PATH),
    ("SET a = gone", {}, None, NO_ATTRIBUTE),
    ("SET a = gone + :v", {}, {":v": N1}, NO_ATTRIBUTE),
    ("SET a = if_not_exists(b, c)", {}, None, NO_ATTRIBUTE),
    ("SET a = a + :v", {"a": S}, {":v": N1}, WRONG_TYPE),
    ("SET a = list_append(a, :v)", {"a": S}, {":v": {"L": []}}, WRONG_TYPE),
    ("ADD a :v", {"a": S}, {":v": N1}, WRONG_TYPE),
    ("ADD a :v", {"a": {"NS": ["1"]}}, {":v": {"SS": ["1"]}}, WRONG_TYPE),
    ("DELETE a :v", {"a": {"NS": ["1"]}}, {":v": {"SS": ["1"]}}, WRONG_TYPE),
    (
        "SET a = a + :v",
        {"a": {"N": "1E+50"}},
        {":v": {"N": "1"}},
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
    ),
    (
        "SET a = a + :v",
        {"a": {"N": "9E+125"}},
        {":v": {"N": "9E+125"}},
        "Number overflow. Attempting to store a number with magnitude larger than supported range",
    ),
]


@pytest.mark.parametrize(("text", "item", "values", "sentence"), REFUSED)
def test_an_update_that_does_not_fit_the_item_is_refused(updated, text, item, values, sentence):
    with pytest.raises(EngineError) as caught:
        updated(text, item, values)
    assert caught.value.message == sentence


def test_touched_parts_follow_the_written_paths(read):
    update = read(
        UPDATE_ITEM,
        UpdateExpression="SET a.b = :v, l[1] = :v REMOVE gone",
        ExpressionAttributeValues={":v": N1},
    ).update
    item = {"a": {"M": {"b": N1, "c": N2}}, "l": {"L": [N2, N1]}, "other": S}
    assert update.touched(item) == {"a": {"M": {"b": N1}}, "l": {"L": [N1]}}


@pytest.mark.parametrize(
    ("text", "creates"),
    [
        ("REMOVE a", False),
        ("DELETE a :v", False),
        ("ADD a :v", True),
        ("SET a = :v", True),
        ("SET a = :v REMOVE b", True),
    ],
)
def test_only_set_and_add_create_a_missing_item(read, text, creates):
    values = {"ExpressionAttributeValues": {":v": {"NS": ["1"]}}} if ":v" in text else {}
    assert read(UPDATE_ITEM, UpdateExpression=text, **values).update.creates is creates


def test_types_known_beforehand_are_told(read):
    text = "SET a = :s, b = c, d = e + :n, f = list_append(f, :l), g = if_not_exists(g, :s), h.i = :s ADD j :n REMOVE k"
    update = read(
        UPDATE_ITEM,
        UpdateExpression=text,
        ExpressionAttributeValues={":s": S, ":n": N1, ":l": {"L": []}},
    ).update
    assert update.types == {"a": "S", "d": "N", "f": "L", "g": "S", "j": "N"}
