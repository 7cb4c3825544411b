"""Reads AttributeUpdates into an update; its PUT, ADD and DELETE touch only top-level attributes."""

from collections.abc import Mapping
from typing import Any, Final, TypeAlias

from tablature.engine import numbers
from tablature.engine.errors import ServiceError, invalid_parameter, validation
from tablature.engine.expressions.bound import Update, UsedPaths, Values
from tablature.engine.expressions.mutation import SET_TYPES, Change
from tablature.engine.expressions.paths import branch_of
from tablature.engine.values import AttributeValue, Item, check_name, kind_of, normalise

_ADDABLE: Final = SET_TYPES | {"N", "L"}
_Action: TypeAlias = tuple[str, AttributeValue | None]


def read_updates(updates: Mapping[str, Mapping[str, Any]]) -> Update | None:
    """The update, or None when there is nothing to update."""
    if not updates:
        return None
    for name in updates:
        check_name(name)
    actions = {name: _read_action(update) for name, update in updates.items()}
    paths = tuple((name,) for name in actions)
    types = {name: kind_of(value) for name, (_, value) in actions.items() if value is not None}
    creates = any(action != "DELETE" for action, _ in actions.values())

    def mutate(item: Item, _values: Values) -> Item:
        return _apply(item, actions)

    return Update(mutate, {}, UsedPaths(paths), UsedPaths(paths), branch_of(paths), types, creates)


def _read_action(update: Mapping[str, Any]) -> _Action:
    action, given = update.get("Action") or "PUT", update.get("Value")
    if given is None:
        if action != "DELETE":
            raise invalid_parameter("Only DELETE action is allowed when no attribute value is specified")
        return action, None
    value = normalise(given)
    kind = kind_of(value)
    if action == "DELETE" and kind not in SET_TYPES:
        raise invalid_parameter(f"DELETE action with value is not supported for the type {kind}")
    if action == "ADD" and kind not in _ADDABLE:
        raise invalid_parameter(f"ADD action is not supported for the type {kind}")
    return action, value


def _apply(item: Item, actions: Mapping[str, _Action]) -> Item:
    changed = dict(item)
    for name, (action, value) in actions.items():
        change = _change(item.get(name), action, value)
        if change is None:
            changed.pop(name, None)
        else:
            changed[name] = change
    return changed


def _change(current: Change, action: str, value: AttributeValue | None) -> Change:
    if value is None or action == "PUT":
        return value
    kind = kind_of(value)
    if current is None:
        return value if action == "ADD" else None
    if kind not in current:
        raise _type_mismatch()
    if action == "DELETE":
        rest = [member for member in current[kind] if member not in value[kind]]
        return {kind: rest} if rest else None
    return {kind: _added(kind, current, value)}


def _added(kind: str, current: AttributeValue, value: AttributeValue) -> str | list[Any]:
    if kind == "N":
        return numbers.add(current["N"], value["N"])
    members = [*current[kind], *value[kind]]
    return members if kind == "L" else list(dict.fromkeys(members))


def _type_mismatch() -> ServiceError:
    return validation("Type mismatch for attribute to update")
