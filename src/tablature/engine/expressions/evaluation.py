"""Compiles a condition tree, its names resolved, into a closure over items and values."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from tablature.engine.expressions.bound import Evaluator, Values
from tablature.engine.expressions.matching import (
    COMPARATORS,
    Operand,
    begins_with,
    contains,
    equals,
    has_type,
    is_between,
    size_of,
)
from tablature.engine.expressions.nodes import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    NameRef,
    NotNode,
    OperandNode,
    PathNode,
    ValueNode,
)
from tablature.engine.expressions.paths import Path, read_path
from tablature.engine.values import Item

Reader: TypeAlias = Callable[[Item, Values], Operand]
Names: TypeAlias = Mapping[str, str]


def resolve_path(node: PathNode, names: Names) -> Path:
    return tuple(names[part.key] if isinstance(part, NameRef) else part for part in node.parts)


def compile_condition(node: ConditionNode, names: Names) -> Evaluator:
    if isinstance(node, JunctionNode):
        return _compile_junction(node, names)
    if isinstance(node, NotNode):
        inner = compile_condition(node.condition, names)
        return lambda item, values: not inner(item, values)
    if isinstance(node, CompareNode):
        return _compile_comparison(node, names)
    if isinstance(node, BetweenNode):
        operand, lower, upper = (compile_operand(part, names) for part in (node.operand, node.lower, node.upper))
        return lambda item, values: is_between(operand(item, values), lower(item, values), upper(item, values))
    if isinstance(node, InNode):
        return _compile_membership(node, names)
    return _compile_predicate(node, names)


def compile_operand(node: OperandNode, names: Names) -> Reader:
    if isinstance(node, ValueNode):
        key = node.name
        return lambda _item, values: values[key]
    if isinstance(node, CallNode):
        measured = compile_operand(node.arguments[0], names)
        return lambda item, values: size_of(measured(item, values))
    path = resolve_path(node, names)
    if len(path) == 1:
        name = str(path[0])
        return lambda item, _values: item.get(name)
    return lambda item, _values: read_path(item, path)


def _compile_junction(node: JunctionNode, names: Names) -> Evaluator:
    conditions = tuple(compile_condition(condition, names) for condition in node.conditions)
    if node.operator == "AND":
        return lambda item, values: all(condition(item, values) for condition in conditions)
    return lambda item, values: any(condition(item, values) for condition in conditions)


def _compile_comparison(node: CompareNode, names: Names) -> Evaluator:
    compare = COMPARATORS[node.operator]
    left, right = compile_operand(node.left, names), compile_operand(node.right, names)
    return lambda item, values: compare(left(item, values), right(item, values))


def _compile_membership(node: InNode, names: Names) -> Evaluator:
    operand = compile_operand(node.operand, names)
    options = tuple(compile_operand(option, names) for option in node.options)

    def is_member(item: Item, values: Values) -> bool:
        sought = operand(item, values)
        return any(equals(sought, option(item, values)) for option in options)

    return is_member


def _compile_predicate(node: CallNode, names: Names) -> Evaluator:
    first = compile_operand(node.arguments[0], names)
    if node.function == "attribute_exists":
        return lambda item, values: first(item, values) is not None
    if node.function == "attribute_not_exists":
        return lambda item, values: first(item, values) is None
    second = compile_operand(node.arguments[1], names)
    test = {"begins_with": begins_with, "contains": contains, "attribute_type": has_type}[node.function]
    return lambda item, values: test(first(item, values), second(item, values))
