"""Binds key condition expressions and turns them into one test per key attribute."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.bound_expressions import BoundKeyCondition, KeyTest
from tablature.engine.expressions.conditions import check_condition, plan_condition
from tablature.engine.expressions.evaluation import NameMapping, resolve_path
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.syntax_tree import (
    BetweenNode,
    CallNode,
    CompareNode,
    ConditionNode,
    InNode,
    JunctionNode,
    NotNode,
    OperandNode,
    PathNode,
    PrimitiveNode,
    ValueNode,
    operands_of,
)

_KEY_PARAMETER: Final = "KeyConditionExpression"
_MIRRORED: Final[Mapping[str, str]] = {"=": "=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
# An attribute, the operator, and the placeholders of the values it is compared with.
_Test: TypeAlias = tuple[str, str, tuple[str, ...]]


class PendingKeyCondition:
    """A key condition that passed the general checks. `read` runs the key-specific ones, which come later."""

    def __init__(self, text: str, placeholders: Placeholders) -> None:
        self._text = text
        self._names = check_condition(text, _KEY_PARAMETER, placeholders)
        self._values = placeholders.values

    def read(self) -> BoundKeyCondition:
        tests = _read_tests(self._text, self._names)
        values = self._values
        return BoundKeyCondition(
            {name: KeyTest(operator, tuple([values[key] for key in keys])) for name, operator, keys in tests}
        )


@lru_cache(maxsize=2048)
def _read_tests(text: str, names: tuple[str, ...]) -> tuple[_Test, ...]:
    plan = plan_condition(text, _KEY_PARAMETER)
    tests: dict[str, _Test] = {}
    for primitive in _conjuncts(plan.root):
        test = _read_test(primitive, plan.resolve_names(names))
        if test[0] in tests:
            raise validation_error("KeyConditionExpressions must only contain one condition per key")
        tests[test[0]] = test
    return tuple(tests.values())


def _read_test(primitive: PrimitiveNode, names: NameMapping) -> _Test:
    operator = _operator_of(primitive)
    operands = operands_of(primitive)
    if operator in ("BETWEEN", "begins_with") and not isinstance(operands[0], PathNode):
        raise _invalid(f"{operator} operator must have the key attribute as its first operand")
    position = _key_position(operands)
    if position:
        operator = _MIRRORED[operator]
    path = resolve_path(_as_path(operands[position]), names)
    return str(path[0]), operator, tuple(operand.name for operand in operands if isinstance(operand, ValueNode))


def _key_position(operands: tuple[OperandNode, ...]) -> int:
    """The index of the operand that is the key attribute. Raises unless there is exactly one top-level attribute."""
    positions: list[int] = []
    for position, operand in enumerate(operands):
        if isinstance(operand, PathNode):
            if positions:
                raise _invalid("Multiple attribute names used in one condition")
            if len(operand.parts) > 1:
                raise validation_error("KeyConditionExpressions cannot have conditions on nested attributes")
            positions.append(position)
        elif isinstance(operand, CallNode):
            raise _nested_key_error()
    if not positions:
        raise _invalid("No key attribute specified")
    return positions[0]


def _as_path(operand: OperandNode) -> PathNode:
    assert isinstance(operand, PathNode)
    return operand


def _invalid(detail: str) -> EngineError:
    return validation_error(f"Invalid condition in KeyConditionExpression: {detail}")


def _nested_key_error() -> EngineError:
    return validation_error("KeyConditionExpressions cannot contain nested operations")


def _unsupported_operator(operator: str) -> EngineError:
    return validation_error(f"Invalid operator used in KeyConditionExpression: {operator}")


def _conjuncts(node: ConditionNode) -> Iterator[PrimitiveNode]:
    if isinstance(node, JunctionNode):
        if node.operator == "OR":
            raise _unsupported_operator("OR")
        for condition in node.conditions:
            yield from _conjuncts(condition)
    elif isinstance(node, NotNode):
        raise _unsupported_operator("NOT")
    else:
        yield node


def _operator_of(primitive: PrimitiveNode) -> str:
    if isinstance(primitive, BetweenNode):
        return "BETWEEN"
    if isinstance(primitive, InNode):
        raise _unsupported_operator("IN")
    operator = primitive.operator if isinstance(primitive, CompareNode) else primitive.function
    if operator == "<>" or (isinstance(primitive, CallNode) and operator != "begins_with"):
        raise _unsupported_operator(operator)
    return operator
