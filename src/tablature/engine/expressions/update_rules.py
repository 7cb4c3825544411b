"""The types and counts that the operators and functions of an update accept, as far as they show before any item."""

from typing import Final

from tablature.engine.errors import validation
from tablature.engine.expressions.bound import Values
from tablature.engine.expressions.evaluation import Names, resolve_path
from tablature.engine.expressions.nodes import (
    AdjustNode,
    CallNode,
    OperandNode,
    PathNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
    UpdateTree,
    ValueNode,
    set_operands,
)
from tablature.engine.expressions.vetting import (
    UPDATE_FUNCTIONS,
    calls_in,
    needs_path,
    wrong_operand_count,
    wrong_operand_type,
)
from tablature.engine.values import kind_of

_LONG_TYPE_NAMES: Final = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "NULL": "NULL",
    "BOOL": "BOOLEAN",
    "L": "LIST",
    "M": "MAP",
}


def refuse_wrong_operands(tree: UpdateTree, values: Values) -> None:
    """Refuse the first operand that its action, function or operator can't take."""
    _refuse_wrong_adjustments(tree, values)
    _refuse_wrong_calls(tree, values)


def _refuse_wrong_adjustments(tree: UpdateTree, values: Values) -> None:
    """ADD takes a number or a set, DELETE a set."""
    for action in tree.actions:
        if isinstance(action, AdjustNode):
            kind = kind_of(values[action.value.name])
            if kind in _LONG_TYPE_NAMES and not (action.action == "ADD" and kind == "N"):
                raise validation(
                    f"Incorrect operand type for operator or function; operator: {action.action}, "
                    f"operand type: {_LONG_TYPE_NAMES[kind]}, typeSet: ALLOWED_FOR_{action.action}_OPERAND"
                )


def _refuse_wrong_calls(tree: UpdateTree, values: Values) -> None:
    for action in tree.actions:
        if not isinstance(action, SetNode):
            continue
        for operand in set_operands(action.value):
            for call in calls_in(operand):
                _refuse_wrong_call(call, values)
        if isinstance(action.value, SumNode):
            _refuse_wrong_literals(action.value.operator, set_operands(action.value), "N", values)


def _refuse_wrong_call(call: CallNode, values: Values) -> None:
    if len(call.arguments) != UPDATE_FUNCTIONS[call.function]:
        raise validation(wrong_operand_count(call.function, len(call.arguments)))
    if call.function == "list_append":
        _refuse_wrong_literals(call.function, call.arguments, "L", values)
    elif not isinstance(call.arguments[0], PathNode):
        raise validation(needs_path(call.function))


def _refuse_wrong_literals(operator: str, operands: tuple[OperandNode, ...], wanted: str, values: Values) -> None:
    for operand in operands:
        if isinstance(operand, ValueNode) and wanted not in values[operand.name]:
            raise validation(wrong_operand_type(operator, kind_of(values[operand.name])))


def known_types(tree: UpdateTree, names: Names, values: Values) -> dict[str, str]:
    """The types of top-level attributes that the update sets to values of known type."""
    types: dict[str, str] = {}
    for action in tree.actions:
        if isinstance(action, RemoveNode) or len(action.path.parts) > 1:
            continue
        kind = _known_type(action.value, values)
        if kind is not None:
            types[str(resolve_path(action.path, names)[0])] = kind
    return types


def _known_type(value: SetValueNode, values: Values) -> str | None:
    while isinstance(value, CallNode) and value.function == "if_not_exists":
        value = value.arguments[1]
    if isinstance(value, ValueNode):
        return kind_of(values[value.name])
    if isinstance(value, PathNode):
        return None
    return "N" if isinstance(value, SumNode) else "L"
