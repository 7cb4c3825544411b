"""Compiles an update tree into a closure that makes the new item from the old one.

All values are computed from the old item before any of them is written.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from tablature.engine.encoding import numbers
from tablature.engine.encoding.values import AttributeValue, Item, kind_of
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.bound_expressions import Mutator, UsedPaths, Values
from tablature.engine.expressions.evaluation import NameMapping, resolve_path
from tablature.engine.expressions.paths import Branch, Path, branch_of, find_path_conflict, read_path
from tablature.engine.expressions.syntax_tree import (
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
from tablature.engine.expressions.text_checks import leaves_in

# The new value at a path; None removes it.
NewValue: TypeAlias = AttributeValue | None
_Tree: TypeAlias = dict[str | int, "_Tree | _Leaf"]

SET_TYPES: Final = frozenset({"SS", "NS", "BS"})


class _Leaf:
    """The end of a path in the tree of changes."""

    __slots__ = ("change",)

    def __init__(self, change: NewValue) -> None:
        self.change = change


def wrong_data_type() -> EngineError:
    return validation_error("An operand in the update expression has an incorrect data type")


def missing_attribute() -> EngineError:
    return validation_error("The provided expression refers to an attribute that does not exist in the item")


def _wrong_path() -> EngineError:
    return validation_error("The document path provided in the update expression is invalid for update")


def increase(current: NewValue, value: AttributeValue) -> AttributeValue:
    """ADD: a sum of numbers, or a union of sets; an absent attribute counts as zero or as an empty set."""
    kind = kind_of(value)
    if current is None:
        return value
    if kind not in current:
        raise wrong_data_type()
    if kind == "N":
        return {"N": numbers.add(current["N"], value["N"])}
    return {kind: list(dict.fromkeys((*current[kind], *value[kind])))}


def decrease(current: NewValue, value: AttributeValue) -> NewValue:
    """DELETE: a difference of sets; None if the set becomes empty."""
    kind = kind_of(value)
    if current is None:
        return None
    if kind not in current:
        raise wrong_data_type()
    dropped = set(value[kind])
    rest = [member for member in current[kind] if member not in dropped]
    return {kind: rest} if rest else None


def apply_changes(item: Item, changes: Sequence[tuple[Path, NewValue]]) -> Item:
    """A new item with the changes. Unchanged containers are shared with the old one."""
    root: _Tree = {}
    for path, change in changes:
        node = root
        for step in path[:-1]:
            below = node.setdefault(step, {})
            assert isinstance(below, dict), "paths that overlap were refused"
            node = below
        node[path[-1]] = _Leaf(change)
    return _change_members(item, root)


def _change_members(members: Mapping[str, AttributeValue], tree: _Tree) -> Item:
    changed = dict(members)
    for step, below in tree.items():
        if not isinstance(step, str):
            raise _wrong_path()
        if isinstance(below, dict):
            changed[step] = _change_value(members.get(step), below)
        elif below.change is None:
            changed.pop(step, None)
        else:
            changed[step] = below.change
    return changed


def _change_value(value: NewValue, tree: _Tree) -> AttributeValue:
    if value is not None and "M" in value:
        return {"M": _change_members(value["M"], tree)}
    if value is not None and "L" in value:
        return {"L": _change_elements(value["L"], tree)}
    raise _wrong_path()


def _change_elements(elements: Sequence[AttributeValue], tree: _Tree) -> list[AttributeValue]:
    """Replace by index, append elements past the end in order, then drop the removed ones."""
    changed: list[NewValue] = list(elements)
    for step in _indexes(tree):
        below = tree[step]
        inside = step < len(elements)
        if isinstance(below, dict):
            changed_element: NewValue = _change_value(elements[step] if inside else None, below)
        else:
            changed_element = below.change
        if inside:
            changed[step] = changed_element
        else:
            changed.append(changed_element)
    return [element for element in changed if element is not None]


def _indexes(tree: _Tree) -> list[int]:
    indexes = [step for step in tree if isinstance(step, int)]
    if len(indexes) != len(tree):
        raise _wrong_path()
    return sorted(indexes)


_ValueReader: TypeAlias = Callable[[Item, Values], AttributeValue]
_ChangeReader: TypeAlias = Callable[[Item, Values], NewValue]


@dataclass(frozen=True, slots=True)
class CompiledUpdate:
    """A compiled update with resolved names."""

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


def reject_path_conflict(tree: UpdateTree, names: NameMapping) -> None:
    """Reject an update that writes the same path twice, or a path inside another one."""
    clash = find_path_conflict(resolve_path(action.path, names) for action in tree.actions)
    if clash:
        raise validation_error(clash)


def compile_update(tree: UpdateTree, names: NameMapping) -> CompiledUpdate:
    written = tuple(resolve_path(action.path, names) for action in tree.actions)
    changes = tuple(_compile_action(action, names) for action in tree.actions)
    used = UsedPaths(tuple(resolve_path(leaf, names) for leaf in leaves_of(tree) if isinstance(leaf, PathNode)))
    creates = not {"SET", "ADD"}.isdisjoint(tree.sections)
    return CompiledUpdate(_mutator(written, changes), used, UsedPaths(written), branch_of(written), creates)


def _mutator(paths: tuple[Path, ...], changes: tuple[_ChangeReader, ...]) -> Mutator:
    def mutate(item: Item, values: Values) -> Item:
        return apply_changes(item, [(path, change(item, values)) for path, change in zip(paths, changes, strict=True)])

    return mutate


def _compile_action(action: ActionNode, names: NameMapping) -> _ChangeReader:
    if isinstance(action, RemoveNode):
        return lambda _item, _values: None
    if isinstance(action, SetNode):
        return _compile_value(action.value, names)
    path, key = resolve_path(action.path, names), action.value.name
    adjust: Callable[[NewValue, AttributeValue], NewValue] = increase if action.action == "ADD" else decrease
    return lambda item, values: adjust(read_path(item, path), values[key])


def _compile_value(node: SetValueNode, names: NameMapping) -> _ValueReader:
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


def _compile_sum(node: SumNode, names: NameMapping) -> _ValueReader:
    left, right = _compile_value(node.left, names), _compile_value(node.right, names)
    combine = numbers.add if node.operator == "+" else numbers.subtract

    def compute(item: Item, values: Values) -> AttributeValue:
        left_value, right_value = left(item, values), right(item, values)
        if "N" not in left_value or "N" not in right_value:
            raise wrong_data_type()
        return {"N": combine(left_value["N"], right_value["N"])}

    return compute


def _compile_append(node: CallNode, names: NameMapping) -> _ValueReader:
    first, second = (_compile_value(argument, names) for argument in node.arguments)

    def append(item: Item, values: Values) -> AttributeValue:
        first_list, second_list = first(item, values), second(item, values)
        if "L" not in first_list or "L" not in second_list:
            raise wrong_data_type()
        return {"L": [*first_list["L"], *second_list["L"]]}

    return append


def _compile_default(node: CallNode, names: NameMapping) -> _ValueReader:
    target = node.arguments[0]
    assert isinstance(target, PathNode)
    path, fallback = resolve_path(target, names), _compile_value(node.arguments[1], names)

    def read_or_default(item: Item, values: Values) -> AttributeValue:
        return read_path(item, path) or fallback(item, values)

    return read_or_default
