"""Finds keys in a WHERE clause: conditions that fix a key attribute, and its values."""

from collections.abc import Collection, Mapping
from typing import Final

from tablature.engine.encoding.values import AttributeValue, Item
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    OperandNode,
    PathNode,
    ValueNode,
)

_MIRRORED: Final = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}

Values = Mapping[str, AttributeValue]


def conjuncts(where: ConditionNode | None) -> list[ConditionNode]:
    """The conditions that all must hold."""
    if where is None:
        return []
    if isinstance(where, JunctionNode) and where.operator == "AND":
        return [part for condition in where.conditions for part in conjuncts(condition)]
    return [where]


def join_conditions(conditions: list[ConditionNode]) -> ConditionNode | None:
    """The conditions joined by AND."""
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return JunctionNode("AND", tuple(conditions))


def split_key(where: ConditionNode | None, values: Values, names: Collection[str]) -> tuple[Item, list[ConditionNode]]:
    """The key attributes that the clause equates with values, and the conditions left over."""
    key: Item = {}
    rest: list[ConditionNode] = []
    for condition in conjuncts(where):
        name, value = _equality(condition, values)
        if name not in names or value is None or key.get(name, value) != value:
            rest.append(condition)
        else:
            key[name] = value
    return key, rest


def conflicting_key(where: ConditionNode | None, values: Values, names: Collection[str]) -> str | None:
    """The first key attribute that the clause equates with two different values."""
    key, rest = split_key(where, values, names)
    return next((name for condition in rest if (name := _equality(condition, values)[0]) in key), None)


def _equality(condition: ConditionNode, values: Values) -> tuple[str, AttributeValue | None]:
    """The attribute and value of an equality. IN with one element counts as one."""
    if isinstance(condition, InNode) and len(condition.options) == 1:
        condition = CompareNode("=", condition.operand, condition.options[0])
    test = key_test(condition, values)
    return (test[0], test[2][0]) if test is not None and test[1] == "=" else ("", None)


def key_test(condition: ConditionNode, values: Values) -> tuple[str, str, list[AttributeValue]] | None:
    """A condition that an index could serve, as (attribute, operator, bounds); None for any other."""
    if isinstance(condition, CompareNode) and condition.operator in _MIRRORED:
        name, bounds = _attribute(condition.left), _literals((condition.right,), values)
        if name is not None and bounds is not None:
            return name, condition.operator, bounds
        name, bounds = _attribute(condition.right), _literals((condition.left,), values)
        if name is not None and bounds is not None:
            return name, _MIRRORED[condition.operator], bounds
    if isinstance(condition, BetweenNode):
        return _key_test(condition.operand, "BETWEEN", (condition.lower, condition.upper), values)
    if isinstance(condition, CallNode) and condition.function == "begins_with":
        return _key_test(condition.arguments[0], "begins_with", condition.arguments[1:], values)
    return None


def allowed_values(condition: ConditionNode, name: str, values: Values) -> list[AttributeValue] | None:
    """The values that a condition with `=`, IN or OR allows for a key attribute; None for other conditions."""
    if isinstance(condition, InNode):
        return _literals(condition.options, values) if _attribute(condition.operand) == name else None
    if isinstance(condition, JunctionNode) and condition.operator == "OR":
        allowed: list[AttributeValue] = []
        for part in condition.conditions:
            inner = allowed_values(part, name, values)
            if inner is None:
                return None
            allowed.extend(inner)
        return allowed
    test = key_test(condition, values)
    return test[2] if test is not None and test[:2] == (name, "=") else None


def _key_test(
    operand: OperandNode, operator: str, bounds: tuple[OperandNode, ...], values: Values
) -> tuple[str, str, list[AttributeValue]] | None:
    name, literals = _attribute(operand), _literals(bounds, values)
    return None if name is None or literals is None else (name, operator, literals)


def _attribute(operand: OperandNode) -> str | None:
    """The name of a top-level attribute."""
    if isinstance(operand, PathNode) and len(operand.parts) == 1:
        return str(operand.parts[0])
    return None


def _literals(operands: tuple[OperandNode, ...], values: Values) -> list[AttributeValue] | None:
    literals = [values[operand.name] for operand in operands if isinstance(operand, ValueNode)]
    return literals if len(literals) == len(operands) else None
