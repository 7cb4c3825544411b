"""Reads Expected, QueryFilter and ScanFilter into conditions, and KeyConditions into key tests."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from tablature.engine.errors import invalid_parameter, validation
from tablature.engine.expressions.bound import Condition, KeyCondition, KeyTest, UsedPaths
from tablature.engine.expressions.evaluation import compile_condition
from tablature.engine.expressions.nodes import ConditionNode, JunctionNode
from tablature.engine.legacy.comparisons import check_arguments, condition_tree, key_operator
from tablature.engine.values import AttributeValue

_MOST_KEY_CONDITIONS: Final = 2
_Test = tuple[str, str, tuple[AttributeValue, ...]]


def read_filter(parameter: str, filters: Mapping[str, Mapping[str, Any]], joined_by: str | None) -> Condition | None:
    """The condition of a QueryFilter or ScanFilter."""
    tests: list[_Test] = []
    for name, test in filters.items():
        operator = test["ComparisonOperator"]
        tests.append((name, operator, check_arguments(operator, test.get("AttributeValueList") or ())))
    return _condition(tests, joined_by, parameter)


def read_expected(expected: Mapping[str, Mapping[str, Any]], joined_by: str | None) -> Condition | None:
    """The condition of an Expected parameter."""
    return _condition([_read_expectation(name, test) for name, test in expected.items()], joined_by, "Expected")


def read_key_conditions(conditions: Mapping[str, Mapping[str, Any]] | None) -> KeyCondition | None:
    if conditions is None:
        return None
    tests = {}
    for name, test in conditions.items():
        operator = test["ComparisonOperator"]
        arguments = check_arguments(operator, test.get("AttributeValueList") or ())
        tests[name] = KeyTest(key_operator(operator), arguments)
    if not 1 <= len(tests) <= _MOST_KEY_CONDITIONS:
        raise validation("Conditions can be of length 1 or 2 only")
    return KeyCondition(tests, is_legacy=True)


def refuse_idle_operator(joined_by: str | None, conditions: Iterable[Mapping[str, Any] | None]) -> None:
    """Refuse a ConditionalOperator that has nothing to join."""
    if joined_by is None:
        return
    present = [condition for condition in conditions if condition is not None]
    if not present:
        raise validation("ConditionalOperator cannot be used without Filter or Expected")
    if any(len(condition) <= 1 for condition in present):
        raise validation("ConditionalOperator can only be used when Filter or Expected has two or more elements")


def _read_expectation(name: str, test: Mapping[str, Any]) -> _Test:
    operator, arguments, value = (test.get(key) for key in ("ComparisonOperator", "AttributeValueList", "Value"))
    if arguments is not None and value is not None:
        raise invalid_parameter(f"Value and AttributeValueList cannot be used together for Attribute: {name}")
    if operator is None:
        return _read_existence(name, test)
    if test.get("Exists") is not None:
        raise invalid_parameter(f"Exists and ComparisonOperator cannot be used together for Attribute: {name}")
    if arguments is None and value is None and operator not in ("NULL", "NOT_NULL"):
        detail = f"Value or AttributeValueList must be used with ComparisonOperator: {operator} for Attribute: {name}"
        raise invalid_parameter(detail)
    given = arguments if arguments is not None else [value] if value is not None else []
    return name, operator, check_arguments(operator, given)


def _read_existence(name: str, test: Mapping[str, Any]) -> _Test:
    exists, value = test.get("Exists"), test.get("Value")
    if test.get("AttributeValueList") is not None:
        raise invalid_parameter(f"AttributeValueList can only be used with a ComparisonOperator for Attribute: {name}")
    if exists is False:
        if value is not None:
            raise invalid_parameter(f"Value cannot be used when Exists is false for Attribute: {name}")
        return name, "NULL", ()
    if value is None:
        shown = "null" if exists is None else "true"
        raise invalid_parameter(f"Value must be provided when Exists is {shown} for Attribute: {name}")
    return name, "EQ", check_arguments("EQ", [value])


def _condition(tests: Sequence[_Test], joined_by: str | None, parameter: str) -> Condition | None:
    if not tests:
        return None
    values: dict[str, AttributeValue] = {}
    trees: list[ConditionNode] = []
    for position, (name, operator, arguments) in enumerate(tests):
        keyed = {f":{position}_{number}": argument for number, argument in enumerate(arguments)}
        values.update(keyed)
        trees.append(condition_tree(name, operator, tuple(keyed)))
    root = trees[0] if len(trees) == 1 else JunctionNode("OR" if joined_by == "OR" else "AND", tuple(trees))
    used = UsedPaths(tuple((name,) for name, _, _ in tests))
    return Condition(compile_condition(root, {}), values, used, parameter)
