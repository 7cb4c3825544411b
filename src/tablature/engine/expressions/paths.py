"""Resolved document paths: reading values, finding overlaps, and picking parts of an item."""

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeAlias

from tablature.engine.encoding.values import AttributeValue, Item

Path: TypeAlias = tuple[str | int, ...]

# A branch maps a step to the branch below it, or to None where a path ends.
Branch: TypeAlias = dict[str | int, "Branch | None"]


def read_path(item: Item, path: Path) -> AttributeValue | None:
    """The value at a path, or None if there is none."""
    value = item.get(str(path[0]))
    for step in path[1:]:
        if value is None:
            return None
        value = _step_into(value, step)
    return value


def _step_into(value: AttributeValue, step: str | int) -> AttributeValue | None:
    if isinstance(step, str):
        members: Mapping[str, AttributeValue] = value.get("M", {})
        return members.get(step)
    elements: Sequence[AttributeValue] = value.get("L", ())
    return elements[step] if step < len(elements) else None


def describe_path(path: Path) -> str:
    return "[" + ", ".join(f"[{step}]" if isinstance(step, int) else step for step in path) + "]"


class _PathStep:
    """A node in the tree of paths: the path that ends here, and the first that continues by name and by index."""

    __slots__ = ("below", "end", "onward")

    def __init__(self) -> None:
        self.end: Path | None = None
        self.onward: dict[type, Path] = {}
        self.below: dict[str | int, _PathStep] = {}

    def add(self, path: Path) -> tuple[str, Path] | None:
        """Add a path. Returns how it conflicts with an earlier one, and which."""
        conflict: tuple[str, Path] | None = None
        node = self
        for step in path:
            if node.end is not None:
                conflict = conflict or ("overlap", node.end)
            across = node.onward.get(str if isinstance(step, int) else int)
            if across is not None:
                conflict = conflict or ("conflict", across)
            node.onward.setdefault(type(step), path)
            node = node.below.setdefault(step, _PathStep())
        reached = node.end or next(iter(node.onward.values()), None)
        if reached is not None:
            conflict = conflict or ("overlap", reached)
        node.end = node.end or path
        return conflict


def find_path_conflict(paths: Iterable[Path]) -> str | None:
    """The service's message about the first two paths that overlap or conflict; None if there are none."""
    root = _PathStep()
    conflict: str | None = None
    for path in paths:
        overlap = root.add(path)
        if overlap is None:
            continue
        relation, earlier = overlap
        sentence = (
            f"Two document paths {relation} with each other; must remove or rewrite one of these paths; "
            f"path one: {describe_path(earlier)}, path two: {describe_path(path)}"
        )
        if relation == "overlap":
            return sentence
        conflict = conflict or sentence
    return conflict


def branch_of(paths: Iterable[Path]) -> Branch:
    """The paths as a tree, for picking from many items."""
    root: Branch = {}
    for path in paths:
        node = root
        for step in path[:-1]:
            node = node.setdefault(step, {})  # type: ignore[assignment]  # paths that overlap were refused
        node[path[-1]] = None
    return root


def pick(item: Item, branch: Branch) -> Item:
    """The parts of an item in the tree. Lists are compacted and empty containers left out."""
    picked: Item = {}
    for step, below in branch.items():
        name = str(step)
        value = item.get(name)
        if value is not None and below is not None:
            value = _pick_below(value, below)
        if value is not None:
            picked[name] = value
    return picked


def _pick_below(value: AttributeValue, branch: Branch) -> AttributeValue | None:
    if "L" in value:
        parts = [part for step in _in_list_order(branch) if (part := _pick_step(value, step, branch[step])) is not None]
        return {"L": parts} if parts else None
    members = {step: part for step, below in branch.items() if (part := _pick_step(value, step, below)) is not None}
    return {"M": members} if members else None


def _pick_step(value: AttributeValue, step: str | int, below: Branch | None) -> AttributeValue | None:
    inner = _step_into(value, step)
    return inner if inner is None or below is None else _pick_below(inner, below)


def _in_list_order(branch: Branch) -> list[int]:
    return sorted(step for step in branch if isinstance(step, int))
