"""Compiles an update tree, its names resolved, into a closure that turns the old item into the new one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from tablature.engine import numbers
from tablature.engine.errors import validation
from tablature.engine.expressions.bound import Mutator, UsedPaths, Values
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
    PathNode,
    RemoveNode,
    SetNode,
    SetValueNode,
    SumNode,
    UpdateTree,
    ValueNode,
    set_operands,
)
from tablature.engine.expressions.paths import Branch, Path, branch_of, find_clash, read_path
from tablature.engine.expressions.vetting import leaves_in
from tablature.engine.values import AttributeValue, Item

_ValueReader: TypeAlias = Callable[[Item, Values], AttributeValue]
_ChangeReader: TypeAlias = Callable[[Item, Values], Change]


@dataclass(frozen=True, slots=True)
class CompiledUpdate:
    """What an update means once its names are known."""

    mutate: Mutator
    used: UsedPaths
    written: UsedPaths
    branch: Branch
    creates: bool


def leaves_of(tree: UpdateTree) -> Iterator[PathNode | ValueNode]:
    """Every path and value of an update, in the order of the text."""
    for action in tree.actions:
        yield action.path
        if isinstance(action, AdjustNode):
            yield action.value
        elif isinstance(action, SetNode):
            for operand in set_operands(action.value):
                yield from leaves_in(operand)


def refuse_clash(tree: UpdateTree, names: Names) -> None:
    """Refuse an update that writes the same place twice, or a place inside another it writes."""
    clash = find_clash(resolve_path(action.path, names) for action in tree.actions)
    if clash:
        raise validation(clash)


def compile_update(tree: UpdateTree, names: Names) -> CompiledUpdate:
    written = tuple(resolve_path(action.path, names) for action in tree.actions)
    changes = tuple(_compile_action(action, names) for action in tree.actions)
    used = UsedPaths(tuple(resolve_path(leaf, names) for leaf in leaves_of(tree) if isinstance(leaf, PathNode)))
    creates = not {"SET", "ADD"}.isdisjoint(tree.sections)
    return CompiledUpdate(_mutator(written, changes), used, UsedPaths(written), branch_of(written), creates)


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
