"""Checks operand types of conditions and updates, as far as types are known before an item is read."""

from typing import Final

from tablature.engine.encoding.values import TYPES, AttributeValue, binary_length, kind_of, order_key
from tablature.engine.errors import validation_error
from tablature.engine.expressions.bound_expressions import Values
from tablature.engine.expressions.evaluation import NameMapping, resolve_path
from tablature.engine.expressions.syntax_tree import (
    AdjustNode,
    BetweenNode,
    CallNode,
    CompareNode,
    OperandNode,
    PathNode,
    PrimitiveNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
    UpdateTree,
    ValueNode,
    operands_of,
    set_operands,
)
from tablature.engine.expressions.text_checks import (
    UPDATE_FUNCTIONS,
    calls_in,
    needs_path,
    wrong_operand_count,
    wrong_operand_type,
)

_ORDERED_TYPES: Final = frozenset({"S", "N", "B"})
_ORDER_COMPARATORS: Final = frozenset({"<", "<=", ">", ">="})
_UNSIZED_TYPES: Final = frozenset({"N", "BOOL", "NULL"})
_MEMBERLESS_TYPES: Final = _UNSIZED_TYPES | {"M"}


def reject_wrong_condition_types(primitive: PrimitiveNode, values: Values) -> None:
    """Reject the first operand whose known type its operator or function can't take, the inner calls first."""
    if isinstance(primitive, CallNode):
        for call in calls_in(primitive):
            _reject_wrong_arguments(call, values)
        return
    operands = operands_of(primitive)
    for operand in operands:
        for call in calls_in(operand):
            _reject_wrong_arguments(call, values)
    if isinstance(primitive, BetweenNode):
        _reject_unordered("BETWEEN", operands, values)
        _reject_wrong_bounds(primitive, values)
    elif isinstance(primitive, CompareNode) and primitive.operator in _ORDER_COMPARATORS:
        _reject_unordered(primitive.operator, operands, values)


def _operand_type(operand: OperandNode, values: Values) -> str | None:
    if isinstance(operand, ValueNode):
        return kind_of(values[operand.name])
    return "N" if isinstance(operand, CallNode) else None


def _reject_unordered(operator: str, operands: tuple[OperandNode, ...], values: Values) -> None:
    for operand in operands:
        kind = _operand_type(operand, values)
        if kind is not None and kind not in _ORDERED_TYPES:
            raise validation_error(wrong_operand_type(operator, kind))


def _reject_wrong_arguments(call: CallNode, values: Values) -> None:
    if call.function in ("attribute_exists", "attribute_not_exists"):
        if not isinstance(call.arguments[0], PathNode):
            raise validation_error(needs_path(call.function))
    elif call.function == "begins_with":
        for argument in call.arguments:
            kind = _operand_type(argument, values)
            if kind is not None and kind not in ("S", "B"):
                raise validation_error(wrong_operand_type(call.function, kind))
    elif call.function in ("size", "contains"):
        kind = _operand_type(call.arguments[0], values)
        if kind in (_UNSIZED_TYPES if call.function == "size" else _MEMBERLESS_TYPES):
            raise validation_error(wrong_operand_type(call.function, kind))
    elif call.function == "attribute_type":
        if not isinstance(call.arguments[0], PathNode):
            raise validation_error(needs_path(call.function))
        _reject_wrong_type_name(call.arguments[1], values)


def _reject_wrong_type_name(operand: OperandNode, values: Values) -> None:
    kind = _operand_type(operand, values)
    if kind != "S":
        raise validation_error(wrong_operand_type("attribute_type", kind or "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"))
    assert isinstance(operand, ValueNode)
    name = values[operand.name]["S"]
    if name not in TYPES:
        raise validation_error(
            f"Invalid attribute type name found; type: {name}, valid types: {{N,BS,L,B,NULL,M,S,SS,NS,BOOL}}"
        )


def _reject_wrong_bounds(node: BetweenNode, values: Values) -> None:
    if not (isinstance(node.lower, ValueNode) and isinstance(node.upper, ValueNode)):
        return
    lower, upper = values[node.lower.name], values[node.upper.name]
    operands = f"lower bound operand: {_type_list_text(lower)}, upper bound operand: {_type_list_text(upper)}"
    if kind_of(lower) != kind_of(upper):
        raise validation_error(f"The BETWEEN operator requires same data type for lower and upper bounds; {operands}")
    if order_key(lower) > order_key(upper):
        raise validation_error(
            f"The BETWEEN operator requires upper bound to be greater than or equal to lower bound; {operands}"
        )


def _type_list_text(value: AttributeValue) -> str:
    kind = kind_of(value)
    given = value[kind]
    if kind == "B":
        length = binary_length(given)
        given = f"java.nio.HeapByteBuffer[pos=0 lim={length} cap={length}]"
    return f"AttributeValue: {{{kind}:{given}}}"


_LONG_TYPE_NAMES: Final = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "NULL": "NULL",
    "BOOL": "BOOLEAN",
    "L": "LIST",
    "M": "MAP",
}


def reject_wrong_update_types(tree: UpdateTree, values: Values) -> None:
    """Reject the first operand that its action, function or operator can't take."""
    _reject_wrong_adjustments(tree, values)
    _reject_wrong_calls(tree, values)


def _reject_wrong_adjustments(tree: UpdateTree, values: Values) -> None:
    """ADD takes a number or a set, DELETE a set."""
    for action in tree.actions:
        if isinstance(action, AdjustNode):
            kind = kind_of(values[action.value.name])
            if kind in _LONG_TYPE_NAMES and not (action.action == "ADD" and kind == "N"):
                raise validation_error(
                    f"Incorrect operand type for operator or function; operator: {action.action}, "
                    f"operand type: {_LONG_TYPE_NAMES[kind]}, typeSet: ALLOWED_FOR_{action.action}_OPERAND"
                )


def _reject_wrong_calls(tree: UpdateTree, values: Values) -> None:
    for action in tree.actions:
        if not isinstance(action, SetNode):
            continue
        for operand in set_operands(action.value):
            for call in calls_in(operand):
                _reject_wrong_call(call, values)
        if isinstance(action.value, SumNode):
            _reject_wrong_literals(action.value.operator, set_operands(action.value), "N", values)


def _reject_wrong_call(call: CallNode, values: Values) -> None:
    if len(call.arguments) != UPDATE_FUNCTIONS[call.function]:
        raise validation_error(wrong_operand_count(call.function, len(call.arguments)))
    if call.function == "list_append":
        _reject_wrong_literals(call.function, call.arguments, "L", values)
    elif not isinstance(call.arguments[0], PathNode):
        raise validation_error(needs_path(call.function))


def _reject_wrong_literals(operator: str, operands: tuple[OperandNode, ...], wanted: str, values: Values) -> None:
    for operand in operands:
        if isinstance(operand, ValueNode) and wanted not in values[operand.name]:
            raise validation_error(wrong_operand_type(operator, kind_of(values[operand.name])))


def assigned_types(tree: UpdateTree, names: NameMapping, values: Values) -> dict[str, str]:
    """The types of top-level attributes that the update sets to values of known type."""
    types: dict[str, str] = {}
    for action in tree.actions:
        if isinstance(action, RemoveNode) or len(action.path.parts) > 1:
            continue
        kind = _value_type(action.value, values)
        if kind is not None:
            types[str(resolve_path(action.path, names)[0])] = kind
    return types


def _value_type(value: SetValueNode, values: Values) -> str | None:
    while isinstance(value, CallNode) and value.function == "if_not_exists":
        value = value.arguments[1]
    if isinstance(value, ValueNode):
        return kind_of(values[value.name])
    if isinstance(value, PathNode):
        return None
    return "N" if isinstance(value, SumNode) else "L"
