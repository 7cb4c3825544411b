"""Applies the changes of an update to an item: every value is worked out on the old item, then all are put in place."""

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from tablature.engine import numbers
from tablature.engine.errors import ServiceError, validation
from tablature.engine.expressions.paths import Path
from tablature.engine.values import AttributeValue, Item, kind_of

# What a path becomes; None removes it.
Change: TypeAlias = AttributeValue | None
_Tree: TypeAlias = dict[str | int, "_Tree | _Leaf"]

SET_TYPES: Final = frozenset({"SS", "NS", "BS"})


class _Leaf:
    """The end of a path in the tree of changes."""

    __slots__ = ("change",)

    def __init__(self, change: Change) -> None:
        self.change = change


def wrong_data_type() -> ServiceError:
    return validation("An operand in the update expression has an incorrect data type")


def missing_attribute() -> ServiceError:
    return validation("The provided expression refers to an attribute that does not exist in the item")


def _wrong_path() -> ServiceError:
    return validation("The document path provided in the update expression is invalid for update")


def increase(current: Change, value: AttributeValue) -> AttributeValue:
    """ADD: a sum of numbers, or a union of sets; an absent attribute counts as zero or as an empty set."""
    kind = kind_of(value)
    if current is None:
        return value
    if kind not in current:
        raise wrong_data_type()
    if kind == "N":
        return {"N": numbers.add(current["N"], value["N"])}
    return {kind: list(dict.fromkeys((*current[kind], *value[kind])))}


def decrease(current: Change, value: AttributeValue) -> Change:
    """DELETE: a difference of sets; nothing remains when the set has been emptied."""
    kind = kind_of(value)
    if current is None:
        return None
    if kind not in current:
        raise wrong_data_type()
    dropped = set(value[kind])
    rest = [member for member in current[kind] if member not in dropped]
    return {kind: rest} if rest else None


def apply_changes(item: Item, changes: Sequence[tuple[Path, Change]]) -> Item:
    """A new item with the changes in place; containers that no change touches are shared with the old one."""
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


def _change_value(value: Change, tree: _Tree) -> AttributeValue:
    if value is not None and "M" in value:
        return {"M": _change_members(value["M"], tree)}
    if value is not None and "L" in value:
        return {"L": _change_elements(value["L"], tree)}
    raise _wrong_path()


def _change_elements(elements: Sequence[AttributeValue], tree: _Tree) -> list[AttributeValue]:
    """Replace by index, append what lies past the end in index order, and only then drop the removed."""
    changed: list[Change] = list(elements)
    for step in _indexes(tree):
        below = tree[step]
        inside = step < len(elements)
        if isinstance(below, dict):
            changed_element: Change = _change_value(elements[step] if inside else None, below)
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
