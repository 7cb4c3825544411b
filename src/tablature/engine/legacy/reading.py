"""Reads whatever legacy parameters a request has, in the order the service checks them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tablature.engine.errors import invalid_parameter
from tablature.engine.expressions.bound import Condition, Projection, Update
from tablature.engine.legacy.conditions import (
    read_expected,
    read_filter,
    read_key_conditions,
    refuse_idle_operator,
)
from tablature.engine.legacy.updates import read_updates

__all__ = ["LegacyClauses", "read_key_conditions", "read_legacy"]


@dataclass(frozen=True, slots=True)
class LegacyClauses:
    """What the legacy parameters of a request ask; key conditions are read later, on their own."""

    condition: Condition | None = None
    filter: Condition | None = None
    update: Update | None = None
    projection: Projection | None = None


_NOTHING = LegacyClauses()


def read_legacy(request: Mapping[str, Any], parameters: Sequence[str]) -> LegacyClauses:
    """Check and read the legacy parameters among those the operation takes."""
    given = {name: request[name] for name in parameters if request.get(name) is not None}
    if not given:
        return _NOTHING
    joined_by = given.get("ConditionalOperator")
    update = read_updates(given["AttributeUpdates"]) if "AttributeUpdates" in given else None
    condition = read_expected(given["Expected"], joined_by) if "Expected" in given else None
    filters = [read_filter(name, given[name], joined_by) for name in ("QueryFilter", "ScanFilter") if name in given]
    projection = read_attributes_to_get(given["AttributesToGet"]) if "AttributesToGet" in given else None
    refuse_idle_operator(joined_by, (given.get(name) for name in ("Expected", "QueryFilter", "ScanFilter")))
    return LegacyClauses(condition, filters[0] if filters else None, update, projection)


def read_attributes_to_get(names: Sequence[str]) -> Projection:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise invalid_parameter(f"Duplicate value in attribute name: {name}")
        seen.add(name)
    return Projection.of(tuple((name,) for name in names))
