"""The types an operator or function of a condition accepts, as far as its operands' types are known before any item."""

from typing import Final

from tablature.engine.errors import validation
from tablature.engine.expressions.bound import Values
from tablature.engine.expressions.nodes import (
    BetweenNode,
    CallNode,
    CompareNode,
    OperandNode,
    PathNode,
    PrimitiveNode,
    ValueNode,
    operands_of,
)
from tablature.engine.expressions.vetting import calls_in, needs_path, wrong_operand_type
from tablature.engine.values import TYPES, AttributeValue, binary_length, kind_of, order_key

_ORDERED_TYPES: Final = frozenset({"S", "N", "B"})
_ORDER_COMPARATORS: Final = frozenset({"<", "<=", ">", ">="})
_UNSIZED_TYPES: Final = frozenset({"N", "BOOL", "NULL"})
_MEMBERLESS_TYPES: Final = _UNSIZED_TYPES | {"M"}


def refuse_wrong_types(primitive: PrimitiveNode, values: Values) -> None:
    """Refuse the first operand whose known type its operator or function can't take, the inner calls first."""
    if isinstance(primitive, CallNode):
        for call in calls_in(primitive):
            _refuse_wrong_arguments(call, values)
        return
    operands = operands_of(primitive)
    for operand in operands:
        for call in calls_in(operand):
            _refuse_wrong_arguments(call, values)
    if isinstance(primitive, BetweenNode):
        _refuse_unordered("BETWEEN", operands, values)
        _refuse_wrong_bounds(primitive, values)
    elif isinstance(primitive, CompareNode) and primitive.operator in _ORDER_COMPARATORS:
        _refuse_unordered(primitive.operator, operands, values)


def _known_type(operand: OperandNode, values: Values) -> str | None:
    if isinstance(operand, ValueNode):
        return kind_of(values[operand.name])
    return "N" if isinstance(operand, CallNode) else None


def _refuse_unordered(operator: str, operands: tuple[OperandNode, ...], values: Values) -> None:
    for operand in operands:
        kind = _known_type(operand, values)
        if kind is not None and kind not in _ORDERED_TYPES:
            raise validation(wrong_operand_type(operator, kind))


def _refuse_wrong_arguments(call: CallNode, values: Values) -> None:
    if call.function in ("attribute_exists", "attribute_not_exists"):
        if not isinstance(call.arguments[0], PathNode):
            raise validation(needs_path(call.function))
    elif call.function == "begins_with":
        for argument in call.arguments:
            kind = _known_type(argument, values)
            if kind is not None and kind not in ("S", "B"):
                raise validation(wrong_operand_type(call.function, kind))
    elif call.function in ("size", "contains"):
        kind = _known_type(call.arguments[0], values)
        if kind in (_UNSIZED_TYPES if call.function == "size" else _MEMBERLESS_TYPES):
            raise validation(wrong_operand_type(call.function, kind))
    elif call.function == "attribute_type":
        if not isinstance(call.arguments[0], PathNode):
            raise validation(needs_path(call.function))
        _refuse_wrong_type_name(call.arguments[1], values)


def _refuse_wrong_type_name(operand: OperandNode, values: Values) -> None:
    kind = _known_type(operand, values)
    if kind != "S":
        raise validation(wrong_operand_type("attribute_type", kind or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"))
    assert isinstance(operand, ValueNode)
    name = values[operand.name]["S"]
    if name not in TYPES:
        raise validation(
            f"Invalid attribute type name found; type: {name}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}"
        )


def _refuse_wrong_bounds(node: BetweenNode, values: Values) -> None:
    if not (isinstance(node.lower, ValueNode) and isinstance(node.upper, ValueNode)):
        return
    lower, upper = values[node.lower.name], values[node.upper.name]
    operands = f"lower bound operand: {_shown(lower)}, upper bound operand: {_shown(upper)}"
    if kind_of(lower) != kind_of(upper):
        raise validation(f"The BETWEEN operator requires same data type for lower and upper bounds; {operands}")
    if order_key(lower) > order_key(upper):
        raise validation(
            f"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; {operands}"
        )


def _shown(value: AttributeValue) -> str:
    kind = kind_of(value)
    given = value[kind]
    if kind == "B":
        length = binary_length(given)
        given = f"java.nio.HeapByteBuffer[pos=0 lim={length} cap={length}]"
    return f"AttributeValue: {{{kind}:{given}}}"
