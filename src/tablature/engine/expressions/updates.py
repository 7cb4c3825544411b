"""Binds update expressions: every check that needs no table, in the service's order, then the closure."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

from tablature.engine import numbers
from tablature.engine.errors import ServiceError, validation
from tablature.engine.expressions.bound import Mutator, Update, UsedPaths, Values
from tablature.engine.expressions.evaluation import Names, resolve_path
from tablature.engine.expressions.mutation import (
    Change,
    apply_changes,
    decrease,
    increase,
    missing_attribute,
    wrong_data_type,
)
from tablature.engine.expressions.nodes import (
    ActionNode,
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
)
from tablature.engine.expressions.paths import Branch, Path, branch_of, find_clash, read_path
from tablature.engine.expressions.placeholders import Placeholders
from tablature.engine.expressions.tokens import invalid_expression
from tablature.engine.expressions.update_parser import parse_update
from tablature.engine.expressions.vetting import (
    UPDATE_FUNCTIONS,
    calls_in,
    leaves_in,
    needs_path,
    prefixed,
    refuse_deep_paths,
    refuse_foreign_functions,
    refuse_reserved_words,
    refuse_too_many_operators,
    wrong_operand_count,
    wrong_operand_type,
)
from tablature.engine.values import AttributeValue, Item, kind_of

_PARAMETER: Final = "UpdateExpression"
_LONG_TYPE_NAMES: Final = {
    "S": "STRING",
    "N": "NUMBER",
    "B": "BINARY",
    "NULL": "NULL",
    "BOOL": "BOOLEAN",
    "L": "LIST",
    "M": "MAP",
}

_ValueReader: TypeAlias = Callable[[Item, Values], AttributeValue]
_ChangeReader: TypeAlias = Callable[[Item, Values], Change]


@dataclass(frozen=True, slots=True)
class _Plan:
    """An update whose text is sound, with what binding it to a request has to look at."""

    tree: UpdateTree
    leaves: tuple[PathNode | ValueNode, ...]
    name_keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Compiled:
    """What an update means once its names are known."""

    mutate: Mutator
    used: UsedPaths
    written: UsedPaths
    branch: Branch
    creates: bool


def bind_update(text: str, placeholders: Placeholders) -> Update:
    plan = _plan(text)
    try:
        names = tuple(placeholders.use_name(key) for key in plan.name_keys)
        for leaf in plan.leaves:
            if isinstance(leaf, ValueNode):
                placeholders.use_value(leaf.name)
        _refuse_clash(text, names)
        _refuse_wrong_adjustments(plan.tree, placeholders.values)
        _refuse_wrong_calls(plan.tree, placeholders.values)
    except ServiceError as error:
        raise prefixed(_PARAMETER, error) from error
    compiled = _compiled(text, names)
    types = _known_types(plan.tree, placeholders)
    return Update(
        compiled.mutate,
        placeholders.values,
        compiled.used,
        compiled.written,
        compiled.branch,
        types,
        compiled.creates,
    )


@lru_cache(maxsize=2048)
def _plan(text: str) -> _Plan:
    """Parse, and make the checks that depend on the text alone."""
    tree = parse_update(text)
    refuse_too_many_operators(tree.operators, _PARAMETER)
    leaves = tuple(leaf for action in tree.actions for leaf in _leaves_of(action))
    paths = [leaf for leaf in leaves if isinstance(leaf, PathNode)]
    refuse_reserved_words(paths, _PARAMETER)
    refuse_deep_paths(paths, _PARAMETER)
    calls = [call for operand in _operands_in(tree) for call in calls_in(operand)]
    refuse_foreign_functions(calls, UPDATE_FUNCTIONS, _PARAMETER)
    _refuse_repeated_section(tree.sections)
    keys = {part: None for path in paths for part in path.parts if isinstance(part, str) and part.startswith("#")}
    return _Plan(tree, leaves, tuple(keys))


def _refuse_repeated_section(sections: tuple[str, ...]) -> None:
    seen: set[str] = set()
    for section in sections:
        if section in seen:
            detail = f'The "{section}" section can only be used once in an update expression;'
            raise invalid_expression(_PARAMETER, detail)
        seen.add(section)


def _leaves_of(action: ActionNode) -> Iterator[PathNode | ValueNode]:
    yield action.path
    if isinstance(action, AdjustNode):
        yield action.value
    elif isinstance(action, SetNode):
        for operand in _operands_of(action.value):
            yield from leaves_in(operand)


def _operands_of(value: SetValueNode) -> tuple[OperandNode, ...]:
    return (value.left, value.right) if isinstance(value, SumNode) else (value,)


def _operands_in(tree: UpdateTree) -> Iterator[OperandNode]:
    for action in tree.actions:
        if isinstance(action, SetNode):
            yield from _operands_of(action.value)


def _refuse_wrong_adjustments(tree: UpdateTree, values: Values) -> None:
    """ADD takes a number or a set, DELETE a set."""
    for action in tree.actions:
        if isinstance(action, AdjustNode):
            kind = kind_of(values[action.value.name])
            if kind in _LONG_TYPE_NAMES and not (action.action == "ADD" and kind == "N"):
                raise validation(
                    "Incorrect operand type for operator or function; "
                    f"operator: {action.action}, operand type: {_LONG_TYPE_NAMES[kind]}"
                )


def _refuse_wrong_calls(tree: UpdateTree, values: Values) -> None:
    for action in tree.actions:
        if not isinstance(action, SetNode):
            continue
        for operand in _operands_of(action.value):
            for call in calls_in(operand):
                _refuse_wrong_call(call, values)
        if isinstance(action.value, SumNode):
            _refuse_wrong_literals(action.value.operator, _operands_of(action.value), "N", values)


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


def _known_types(tree: UpdateTree, placeholders: Placeholders) -> dict[str, str]:
    types: dict[str, str] = {}
    for action in tree.actions:
        if isinstance(action, RemoveNode) or len(action.path.parts) > 1:
            continue
        kind = _known_type(action.value, placeholders.values)
        if kind is not None:
            types[str(resolve_path(action.path, placeholders.names)[0])] = kind
    return types


def _known_type(value: SetValueNode, values: Values) -> str | None:
    while isinstance(value, CallNode) and value.function == "if_not_exists":
        value = value.arguments[1]
    if isinstance(value, ValueNode):
        return kind_of(values[value.name])
    if isinstance(value, PathNode):
        return None
    return "N" if isinstance(value, SumNode) else "L"


def _written_paths(plan: _Plan, names: Names) -> tuple[Path, ...]:
    return tuple(resolve_path(action.path, names) for action in plan.tree.actions)


@lru_cache(maxsize=2048)
def _refuse_clash(text: str, names: tuple[str, ...]) -> None:
    plan = _plan(text)
    clash = find_clash(_written_paths(plan, dict(zip(plan.name_keys, names, strict=True))))
    if clash:
        raise validation(clash)


@lru_cache(maxsize=2048)
def _compiled(text: str, names: tuple[str, ...]) -> _Compiled:
    plan = _plan(text)
    known = dict(zip(plan.name_keys, names, strict=True))
    written = _written_paths(plan, known)
    changes = tuple(_compile_action(action, known) for action in plan.tree.actions)
    used = UsedPaths(tuple(resolve_path(leaf, known) for leaf in plan.leaves if isinstance(leaf, PathNode)))
    creates = not {"SET", "ADD"}.isdisjoint(plan.tree.sections)
    return _Compiled(_mutator(written, changes), used, UsedPaths(written), branch_of(written), creates)


def _mutator(paths: tuple[Path, ...], changes: tuple[_ChangeReader, ...]) -> Mutator:
    def mutate(item: Item, values: Values) -> Item:
        return apply_changes(item, [(path, change(item, values)) for path, change in zip(paths, changes, strict=True)])

    return mutate


def _compile_action(action: ActionNode, names: Names) -> _ChangeReader:
    if isinstance(action, RemoveNode):
        return lambda _item, _values: None
    if isinstance(action, SetNode):
        return _compile_value(action.value, names)
    path, key = resolve_path(action.path, names), action.value.name
    adjust: Callable[[Change, AttributeValue], Change] = increase if action.action == "ADD" else decrease
    return lambda item, values: adjust(read_path(item, path), values[key])


def _compile_value(node: SetValueNode, names: Names) -> _ValueReader:
    if isinstance(node, ValueNode):
        key = node.name
        return lambda _item, values: values[key]
    if isinstance(node, PathNode):
        return _compile_path(resolve_path(node, names))
    if isinstance(node, SumNode):
        return _compile_sum(node, names)
    if node.function == "list_append":
        return _compile_append(node, names)
    return _compile_default(node, names)


def _compile_path(path: Path) -> _ValueReader:
    def read(item: Item, _values: Values) -> AttributeValue:
        value = read_path(item, path)
        if value is None:
            raise missing_attribute()
        return value

    return read


def _compile_sum(node: SumNode, names: Names) -> _ValueReader:
    left, right = _compile_value(node.left, names), _compile_value(node.right, names)
    combine = numbers.add if node.operator == "+" else numbers.subtract

    def work_out(item: Item, values: Values) -> AttributeValue:
        one, two = left(item, values), right(item, values)
        if "N" not in one or "N" not in two:
            raise wrong_data_type()
        return {"N": combine(one["N"], two["N"])}

    return work_out


def _compile_append(node: CallNode, names: Names) -> _ValueReader:
    first, second = (_compile_value(argument, names) for argument in node.arguments)

    def append(item: Item, values: Values) -> AttributeValue:
        one, two = first(item, values), second(item, values)
        if "L" not in one or "L" not in two:
            raise wrong_data_type()
        return {"L": [*one["L"], *two["L"]]}

    return append


def _compile_default(node: CallNode, names: Names) -> _ValueReader:
    target = node.arguments[0]
    assert isinstance(target, PathNode)
    path, fallback = resolve_path(target, names), _compile_value(node.arguments[1], names)

    def read_or_default(item: Item, values: Values) -> AttributeValue:
        return read_path(item, path) or fallback(item, values)

    return read_or_default
