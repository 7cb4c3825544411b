"""The pydantic core schema of an entity, as plain data, so that pydantic isn't imported."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .fields import FieldSchema
from .model import EntitySchema


def core_schema(
    cls: type, schema: EntitySchema, handler: Any, values_of: Callable[[Any], dict[str, Any]]
) -> dict[str, Any]:
    """Validates an instance or a dict of the entity's fields; serializes to a dict of them."""
    members = {field.name: _member(field, handler) for field in schema.fields.values()}
    fields = {
        "type": "typed-dict",
        "fields": members,
        "cls_name": schema.name,
        "ref": f"{cls.__module__}.{cls.__qualname__}",
    }
    from_object = {
        "type": "function-after",
        "function": {"type": "no-info", "function": lambda given: cls(**given)},
        "schema": fields,
    }
    return {
        "type": "json-or-python",
        "json_schema": from_object,
        "python_schema": {
            "type": "function-wrap",
            "function": {
                "type": "no-info",
                "function": lambda given, read: given if isinstance(given, cls) else read(given),
            },
            "schema": from_object,
        },
        "serialization": {"type": "function-plain", "function": values_of, "return_schema": _written(fields)},
    }


def _member(field: FieldSchema, handler: Any) -> dict[str, Any]:
    inner = handler.generate_schema(field.annotation)
    if field.role != "plain":
        inner = {"type": "nullable", "schema": inner}
    return {"type": "typed-dict-field", "schema": inner, "required": field.is_required}


def _written(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: part for name, part in fields.items() if name != "ref"}
