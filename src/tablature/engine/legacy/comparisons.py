"""The legacy comparison operators: how many arguments of which types they take, and the condition trees they mean."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from tablature.engine.errors import invalid_parameter, validation
from tablature.engine.expressions.nodes import (
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
from tablature.engine.values import AttributeValue, kind_of, normalise, order_key

_SCALARS: Final = frozenset({"S", "N", "B"})
_COUNTS: Final[Mapping[str, int]] = {"NULL": 0, "NOT_NULL": 0, "BETWEEN": 2}
_TYPES: Final[Mapping[str, frozenset[str]]] = {
    **dict.fromkeys(("LE", "LT", "GE", "GT", "CONTAINS", "NOT_CONTAINS", "IN", "BETWEEN"), _SCALARS),
    "BEGINS_WITH": frozenset({"S", "B"}),
}
_COMPARATORS: Final = {"EQ": "=", "NE": "<>", "LE": "<=", "LT": "<", "GE": ">=", "GT": ">"}

_Build = Callable[[PathNode, tuple[ValueNode, ...]], ConditionNode]


def _present_without(path: PathNode, values: tuple[ValueNode, ...]) -> ConditionNode:
    """NOT_CONTAINS, unlike NOT contains(), is false of an attribute that isn't there."""
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
        raise validation(
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
    """The operator of a key test; those that no index serves keep their legacy name."""
    if operator == "BEGINS_WITH":
        return "begins_with"
    return operator if operator == "NE" else _COMPARATORS.get(operator, operator)
