"""Copies fields of the same name between stored records and model values."""

from collections.abc import Mapping
from dataclasses import fields
from datetime import datetime
from functools import cache
from typing import Any

from almanac.kit.json_text import to_builtins
from tablature import Entity
from tablature.schema.entity import values_of


def model_fields(kind: type, stored: Entity | Mapping[str, Any]) -> dict[str, Any]:
    """The stored values that a model class has fields for. Absent and null values are left to the class's defaults.

    Records written by other programs may lack any field and hold fields that the model doesn't know.
    """
    values = stored if isinstance(stored, Mapping) else values_of(stored)
    names = _field_names(kind)
    present = {name: value for name, value in values.items() if name in names and value is not None}
    return {name: tuple(value) if isinstance(value, list) else value for name, value in present.items()}


@cache
def _field_names(kind: type) -> frozenset[str]:
    return frozenset(field.name for field in fields(kind))


def stored_fields(value: object, *, optional: tuple[str, ...] = ()) -> dict[str, Any]:
    """The fields of a model value as they are stored: tuples as lists, nested values as dicts.

    `optional` names the fields that are left out when they are empty.
    """
    members: dict[str, Any] = to_builtins(value, builtin_types=(datetime,))
    return {name: member for name, member in members.items() if member or name not in optional}
