"""Reads Expected, QueryFilter and ScanFilter into conditions, and KeyConditions into key tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from tablature.engine.encoding.values import AttributeValue, kind_of, normalise, order_key
from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.expressions.bound_expressions import BoundCondition, BoundKeyCondition, KeyTest, UsedPaths
from tablature.engine.expressions.evaluation import compile_condition
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    NotNode,
    PathNode,
    ValueNode,
)

_SCALARS: Final = frozenset({"S", "N", "B"})
_COUNTS: Final[Mapping[str, int]] = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2}
_TYPES: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN", "BETWEEN"), _SCALARS),
    "BEGINS_WITH": frozenset({"S", "B"}),
}
_COMPARATORS: Final = {"EQ": "=", "NE": "<>", "LE": "<=", "LT": "<", "GE": ">=", "GT": ">"}

_Build = Callable[[PathNode, tuple[ValueNode, ...]], ConditionNode]


def _present_without(path: PathNode, values: tuple[ValueNode, ...]) -> ConditionNode:
    """NOT_CONTAINS, unlike NOT contains(), is false for a missing attribute."""
    absent = NotNode(CallNode("contains", (path, *values)))
    return JunctionNode("AND", (CallNode("attribute_exists", (path,)), absent))


_TREES: Final[Mapping[str, _Build]] = {
    "NULL": lambda path, _: CallNode("attribute_not_exists", (path,)),
    "NOT_NULL": lambda path, _: CallNode("attribute_exists", (path,)),
    "CONTAINS": lambda path, values: CallNode("contains", (path, *values)),
    "NOT_CONTAINS": _present_without,
    "BEGINS_WITH": lambda path, values: CallNode("begins_with", (path, *values)),
    "IN": InNode,
    "BETWEEN": lambda path, values: BetweenNode(path, *values),
}


def check_arguments(operator: str, arguments: Sequence[Mapping[str, Any]]) -> tuple[AttributeValue, ...]:
    """The arguments in normal form, once their number and types fit the operator."""
    values = tuple(normalise(argument) for argument in arguments)
    fits = len(values) >= 1 if operator == "IN" else len(values) == _COUNTS.get(operator, 1)
    if not fits:
        raise invalid_parameter(f"Invalid number of argument(s) for the {operator} ComparisonOperator")
    kinds = [kind_of(value) for value in values]
    if len(set(kinds)) > 1:
        raise invalid_parameter("AttributeValues inside AttributeValueList must be of same type")
    for kind in kinds:
        if operator in _TYPES and kind not in _TYPES[operator]:
            raise invalid_parameter(f"ComparisonOperator {operator} is not valid for {kind} AttributeValue type")
    if operator == "BETWEEN" and order_key(values[0]) > order_key(values[1]):
        raise validation_error(
            "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"
        )
    return values


def condition_tree(name: str, operator: str, keys: Sequence[str]) -> ConditionNode:
    """The tree of `name operator values`, where keys are the placeholders of the values."""
    path, values = PathNode((name,)), tuple(ValueNode(key) for key in keys)
    if operator in _COMPARATORS:
        return CompareNode(_COMPARATORS[operator], path, values[0])
    return _TREES[operator](path, values)


def key_operator(operator: str) -> str:
    """The operator of a key test. Operators that an index can't serve keep their legacy name."""
    if operator == "BEGINS_WITH":
        return "begins_with"
    return operator if operator == "NE" else _COMPARATORS.get(operator, operator)


_MOST_KEY_CONDITIONS: Final = 2
_Test = tuple[str, str, tuple[AttributeValue, ...]]


def read_filter(
    parameter: str, filters: Mapping[str, Mapping[str, Any]], joined_by: str | None
) -> BoundCondition | None:
    """The condition of a QueryFilter or ScanFilter."""
    tests: list[_Test] = []
    for name, test in filters.items():
        operator = test["ComparisonOperator"]
        tests.append((name, operator, check_arguments(operator, test.get("AttributeValueList") or ())))
    return _joined_condition(tests, joined_by, parameter)


def read_expected(expected: Mapping[str, Mapping[str, Any]], joined_by: str | None) -> BoundCondition | None:
    """The condition of an Expected parameter."""
    return _joined_condition([_read_expectation(name, test) for name, test in expected.items()], joined_by, "Expected")


def read_key_conditions(conditions: Mapping[str, Mapping[str, Any]] | None) -> BoundKeyCondition | None:
    if conditions is None:
        return None
    tests = {}
    for name, test in conditions.items():
        operator = test["ComparisonOperator"]
        arguments = check_arguments(operator, test.get("AttributeValueList") or ())
        tests[name] = KeyTest(key_operator(operator), arguments)
    if not 1 <= len(tests) <= _MOST_KEY_CONDITIONS:
        raise validation_error("Conditions can be of length 1 or 2 only")
    return BoundKeyCondition(tests, is_legacy=True)


def reject_idle_operator(joined_by: str | None, conditions: Iterable[Mapping[str, Any] | None]) -> None:
    """Reject a ConditionalOperator that has nothing to join."""
    if joined_by is None:
        return
    present = [condition for condition in conditions if condition is not None]
    if not present:
        raise validation_error("ConditionalOperator cannot be used without Filter or Expected")
    if any(len(condition) <= 1 for condition in present):
        raise validation_error("ConditionalOperator can only be used when Filter or Expected has two or more elements")


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


def _joined_condition(tests: Sequence[_Test], joined_by: str | None, parameter: str) -> BoundCondition | None:
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
    return BoundCondition(compile_condition(root, {}), values, used, parameter)
