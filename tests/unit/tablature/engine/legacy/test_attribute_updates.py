"""AttributeUpdates: what PUT, ADD and DELETE do, and what they refuse."""

import pytest

from tablature.engine.errors import EngineError
from tablature.engine.validation.request_expressions import UPDATE_ITEM, read_expressions

N1, N2, N3 = {"N": "1"}, {"N": "2"}, {"N": "3"}
L1 = {"L": [N1]}


def _update(**updates):
    return read_expressions({"AttributeUpdates": updates}, UPDATE_ITEM).update


def _action(action=None, value=None):
    return {key: given for key, given in (("Action", action), ("Value", value)) if given is not None}


APPLIED = [
    (_action(None, N1), {}, {"a": N1}),
    (_action("PUT", N1), {"a": N2}, {"a": N1}),
    (_action("ADD", N1), {}, {"a": N1}),
    (_action("ADD", N1), {"a": N2}, {"a": N3}),
    (_action("ADD", {"NS": ["1", "2"]}), {"a": {"NS": ["1"]}}, {"a": {"NS": ["1", "2"]}}),
    (_action("ADD", L1), {"a": L1}, {"a": {"L": [N1, N1]}}),
    (_action("DELETE"), {"a": N1, "b": N2}, {"b": N2}),
    (_action("DELETE", {"SS": ["x"]}), {"a": {"SS": ["x", "y"]}}, {"a": {"SS": ["y"]}}),
    (_action("DELETE", {"SS": ["x"]}), {"a": {"SS": ["x"]}}, {}),
    (_action("DELETE", {"SS": ["x"]}), {}, {}),
]


@pytest.mark.parametrize(("action", "item", "expected"), APPLIED)
def test_an_action_makes_the_new_item(action, item, expected):
    assert _update(a=action).apply(item) == expected


REFUSED = [
    (_action("PUT"), "Only DELETE action is allowed when no attribute value is specified"),
    (_action("ADD"), "Only DELETE action is allowed when no attribute value is specified"),
    (_action("ADD", {"S": "x"}), "ADD action is not supported for the type S"),
    (_action("DELETE", N1), "DELETE action with value is not supported for the type N"),
]


@pytest.mark.parametrize(("action", "detail"), REFUSED)
def test_actions_without_a_fitting_value_are_refused(action, detail):
    with pytest.raises(EngineError) as caught:
        _update(a=action)
    assert caught.value.message == f"One or more parameter values were invalid: {detail}"


@pytest.mark.parametrize(
    ("name", "detail"),
    [("", "Empty attribute name"), ("x" * 65536, "Attribute name is too large, must be less than 65536 bytes")],
)
def test_names_no_attribute_can_have_are_refused(name, detail):
    with pytest.raises(EngineError) as caught:
        _update(**{name: _action("PUT", N1)})
    assert caught.value.message == f"One or more parameter values were invalid: {detail}"


@pytest.mark.parametrize("action", [_action("ADD", N1), _action("DELETE", {"SS": ["x"]})])
def test_an_attribute_of_another_type_is_refused(action):
    with pytest.raises(EngineError) as caught:
        _update(a=action).apply({"a": {"S": "x"}})
    assert caught.value.message == "Type mismatch for attribute to update"


def test_no_updates_are_no_update():
    assert _update() is None


def test_only_deletes_do_not_create_an_item():
    assert not _update(a=_action("DELETE")).creates
    assert _update(a=_action("DELETE"), b=_action("PUT", N1)).creates


def test_key_attributes_cannot_be_updated():
    with pytest.raises(EngineError) as caught:
        _update(a=_action("PUT", N1)).reject_key_attributes(["k", "a"])
    assert caught.value.message == (
        "One or more parameter values were invalid: Cannot update attribute a. This attribute is part of the key"
    )
