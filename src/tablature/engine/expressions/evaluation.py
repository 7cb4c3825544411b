"""Compiles a condition tree into a closure over items and values, and defines each comparison and function."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from tablature.engine.encoding.values import (
    AttributeValue,
    Item,
    binary,
    binary_length,
    equal,
    is_comparable,
    kind_of,
    order_key,
    text_length,
)
from tablature.engine.expressions.bound_expressions import Evaluator, Values
from tablature.engine.expressions.paths import Path, read_path
from tablature.engine.expressions.syntax_tree import (
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

Operand: TypeAlias = AttributeValue | None

_MEMBER_TYPES: Final = {"SS": "S", "NS": "N", "BS": "B"}


def equals(left: Operand, right: Operand) -> bool:
    return left is not None and right is not None and equal(left, right)


def differs(left: Operand, right: Operand) -> bool:
    """Not equal. Also true for a missing attribute."""
    return not equals(left, right)


def _order_comparison(holds: Callable[[bytes, bytes], bool]) -> Callable[[Operand, Operand], bool]:
    def compare(left: Operand, right: Operand) -> bool:
        if left is None or right is None or not is_comparable(left, right):
            return False
        return holds(order_key(left), order_key(right))

    return compare


COMPARATORS: Final[Mapping[str, Callable[[Operand, Operand], bool]]] = {
    "=": equals,
    "<>": differs,
    "<": _order_comparison(lambda left, right: left < right),
    "<=": _order_comparison(lambda left, right: left <= right),
    ">": _order_comparison(lambda left, right: left > right),
    ">=": _order_comparison(lambda left, right: left >= right),
}


def is_between(operand: Operand, lower: Operand, upper: Operand) -> bool:
    return COMPARATORS[">="](operand, lower) and COMPARATORS["<="](operand, upper)


def begins_with(operand: Operand, prefix: Operand) -> bool:
    if operand is None or prefix is None:
        return False
    if "S" in operand and "S" in prefix:
        text: str = operand["S"]
        return text.startswith(prefix["S"])
    return "B" in operand and "B" in prefix and binary(operand["B"]).startswith(binary(prefix["B"]))


def contains(container: Operand, wanted: Operand) -> bool:
    if container is None or wanted is None:
        return False
    kind = kind_of(container)
    if kind == "L":
        return any(equal(member, wanted) for member in container["L"])
    if kind in _MEMBER_TYPES:
        return wanted.get(_MEMBER_TYPES[kind]) in container[kind]
    if kind == "S":
        return "S" in wanted and wanted["S"] in container["S"]
    return kind == "B" and "B" in wanted and binary(wanted["B"]) in binary(container["B"])


def size_of(operand: Operand) -> Operand:
    """The length in bytes of a string or binary, the count of a collection; None for types without a size."""
    if operand is None:
        return None
    kind = kind_of(operand)
    if kind in ("N", "BOOL", "NULL"):
        return None
    measure = {"S": text_length, "B": binary_length}.get(kind, len)
    return {"N": str(measure(operand[kind]))}


def has_type(operand: Operand, kind: Operand) -> bool:
    return operand is not None and kind is not None and kind.get("S") in operand


Reader: TypeAlias = Callable[[Item, Values], Operand]
NameMapping: TypeAlias = Mapping[str, str]


def resolve_path(node: PathNode, names: NameMapping) -> Path:
    return tuple(names[part.key] if isinstance(part, NameRef) else part for part in node.parts)


def compile_condition(node: ConditionNode, names: NameMapping) -> Evaluator:
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


def compile_operand(node: OperandNode, names: NameMapping) -> Reader:
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


def _compile_junction(node: JunctionNode, names: NameMapping) -> Evaluator:
    conditions = tuple(compile_condition(condition, names) for condition in node.conditions)
    if node.operator == "AND":
        return lambda item, values: all(condition(item, values) for condition in conditions)
    return lambda item, values: any(condition(item, values) for condition in conditions)


def _compile_comparison(node: CompareNode, names: NameMapping) -> Evaluator:
    compare = COMPARATORS[node.operator]
    left, right = compile_operand(node.left, names), compile_operand(node.right, names)
    return lambda item, values: compare(left(item, values), right(item, values))


def _compile_membership(node: InNode, names: NameMapping) -> Evaluator:
    operand = compile_operand(node.operand, names)
    options = tuple(compile_operand(option, names) for option in node.options)

    def is_member(item: Item, values: Values) -> bool:
        sought = operand(item, values)
        return any(equals(sought, option(item, values)) for option in options)

    return is_member


def _compile_predicate(node: CallNode, names: NameMapping) -> Evaluator:
    first = compile_operand(node.arguments[0], names)
    if node.function == "attribute_exists":
        return lambda item, values: first(item, values) is not None
    if node.function == "attribute_not_exists":
        return lambda item, values: first(item, values) is None
    second = compile_operand(node.arguments[1], names)
    test = {"begins_with": begins_with, "contains": contains, "attribute_type": has_type}[node.function]
    return lambda item, values: test(first(item, values), second(item, values))
