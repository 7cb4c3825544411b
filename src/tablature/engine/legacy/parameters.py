"""Reads the legacy parameters of a request, in the order in which the service checks them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from tablature.engine.encoding import numbers
from tablature.engine.encoding.values import AttributeValue, Item, check_name, kind_of, normalise
from tablature.engine.errors import invalid_parameter, validation_error
from tablature.engine.expressions.bound_expressions import (
    BoundCondition,
    BoundProjection,
    BoundUpdate,
    UsedPaths,
    Values,
)
from tablature.engine.expressions.paths import branch_of
from tablature.engine.expressions.update_compiler import SET_TYPES, NewValue
from tablature.engine.legacy.conditions import read_expected, read_filter, read_key_conditions, reject_idle_operator

_ADDABLE: Final = SET_TYPES | {"N", "L"}
_UpdateAction: TypeAlias = tuple[str, AttributeValue | None]


def read_updates(updates: Mapping[str, Mapping[str, Any]]) -> BoundUpdate | None:
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
        return _apply_actions(item, actions)

    return BoundUpdate(mutate, {}, UsedPaths(paths), UsedPaths(paths), branch_of(paths), types, creates)


def _read_action(update: Mapping[str, Any]) -> _UpdateAction:
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


def _apply_actions(item: Item, actions: Mapping[str, _UpdateAction]) -> Item:
    changed = dict(item)
    for name, (action, value) in actions.items():
        change = _new_value(item.get(name), action, value)
        if change is None:
            changed.pop(name, None)
        else:
            changed[name] = change
    return changed


def _new_value(current: NewValue, action: str, value: AttributeValue | None) -> NewValue:
    if value is None or action == "PUT":
        return value
    kind = kind_of(value)
    if current is None:
        return value if action == "ADD" else None
    if kind not in current:
        raise validation_error("Type mismatch for attribute to update")
    if action == "DELETE":
        rest = [member for member in current[kind] if member not in value[kind]]
        return {kind: rest} if rest else None
    return {kind: _add_values(kind, current, value)}


def _add_values(kind: str, current: AttributeValue, value: AttributeValue) -> str | list[Any]:
    if kind == "N":
        return numbers.add(current["N"], value["N"])
    members = [*current[kind], *value[kind]]
    return members if kind == "L" else list(dict.fromkeys(members))


__all__ = ["LegacyExpressions", "read_key_conditions", "read_legacy_parameters"]


@dataclass(frozen=True, slots=True)
class LegacyExpressions:
    """The bound legacy parameters of a request. Key conditions are read later."""

    condition: BoundCondition | None = None
    filter: BoundCondition | None = None
    update: BoundUpdate | None = None
    projection: BoundProjection | None = None


_NO_LEGACY = LegacyExpressions()


def read_legacy_parameters(request: Mapping[str, Any], parameters: Sequence[str]) -> LegacyExpressions:
    """Check and read the legacy parameters among those the operation takes."""
    given = {name: request[name] for name in parameters if request.get(name) is not None}
    if not given:
        return _NO_LEGACY
    joined_by = given.get("ConditionalOperator")
    update = read_updates(given["AttributeUpdates"]) if "AttributeUpdates" in given else None
    condition = read_expected(given["Expected"], joined_by) if "Expected" in given else None
    filters = [read_filter(name, given[name], joined_by) for name in ("QueryFilter", "ScanFilter") if name in given]
    projection = read_attributes_to_get(given["AttributesToGet"]) if "AttributesToGet" in given else None
    reject_idle_operator(joined_by, (given.get(name) for name in ("Expected", "QueryFilter", "ScanFilter")))
    return LegacyExpressions(condition, filters[0] if filters else None, update, projection)


def read_attributes_to_get(names: Sequence[str]) -> BoundProjection:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise invalid_parameter(f"Duplicate value in attribute name: {name}")
        seen.add(name)
    return BoundProjection.from_paths(tuple((name,) for name in names))
