"""Resolved document paths: reading through them, telling overlaps, and picking them out of an item."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from tablature.engine.values import AttributeValue, Item

Path: TypeAlias = tuple[str | int, ...]

# A branch maps a step to the branch under it; a wanted value has None.
Branch: TypeAlias = dict[str | int, "Branch | None"]


def read_path(item: Item, path: Path) -> AttributeValue | None:
    """The value at a path, or None where the document has nothing there."""
    value: AttributeValue | None = item.get(path[0])  # type: ignore[arg-type]  # the first step is always a name
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


def find_clash(paths: Sequence[Path]) -> str | None:
    """The service's sentence about the first two paths that overlap, or else conflict; None when all are apart."""
    conflict: str | None = None
    for later, second in enumerate(paths):
        for first in paths[:later]:
            relation = _relation(first, second)
            if relation is None:
                continue
            sentence = (
                f"Two document paths {relation} with each other; must remove or rewrite one of these paths; "
                f"path one: {describe_path(first)}, path two: {describe_path(second)}"
            )
            if relation == "overlap":
                return sentence
            conflict = conflict or sentence
    return conflict


def _relation(first: Path, second: Path) -> str | None:
    for one, two in zip(first, second, strict=False):
        if isinstance(one, int) is not isinstance(two, int):
            return "conflict"
        if one != two:
            return None
    return "overlap"


def branch_of(paths: Iterable[Path]) -> Branch:
    """The tree of the paths, to be picked from many items."""
    root: Branch = {}
    for path in paths:
        node = root
        for step in path[:-1]:
            node = node.setdefault(step, {})  # type: ignore[assignment]  # paths that overlap were refused
        node[path[-1]] = None
    return root


def pick(item: Item, branch: Branch) -> Item:
    """The parts of an item that the branch names; lists close up and empty containers are left out."""
    picked: Item = {}
    for name, below in branch.items():
        value = item.get(name)  # type: ignore[call-overload]  # the first step is always a name
        if value is not None:
            part = value if below is None else _pick_below(value, below)
            if part is not None:
                picked[name] = part  # type: ignore[index]  # the same
    return picked


def _pick_below(value: AttributeValue, branch: Branch) -> AttributeValue | None:
    parts: list[tuple[str | int, Any]] = []
    steps = sorted(branch) if isinstance(next(iter(branch)), int) else branch  # type: ignore[type-var]  # all int
    for step in steps:
        inner = _step_into(value, step)
        below = branch[step]
        if inner is not None and below is not None:
            inner = _pick_below(inner, below)
        if inner is not None:
            parts.append((step, inner))
    if not parts:
        return None
    if "L" in value:
        return {"L": [part for _, part in parts]}
    return {"M": dict(parts)}
