"""Finding the item that holds a unique value, through the sentinel that keeps the value unique: two reads by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from tablature.errors import InputError
from tablature.operations.context import Context
from tablature.operations.copies import holder_of, sentinel_key
from tablature.operations.effects import Call, Steps
from tablature.operations.reads import get
from tablature.schema.model import EntitySchema, UniqueSchema
from tablature.schema.refs import Ref
from tablature.wire import Item, Request

E = TypeVar("E")


def find_unique(context: Context, cls: type[E], values: Mapping[str, Any]) -> Steps[E | None]:
    """The entity with these values of a unique constraint, or None."""
    schema: EntitySchema = cls.__schema__  # type: ignore[attr-defined]  # every entity class has a schema
    unique, table = _constraint(schema, values), schema.table
    key: Item = sentinel_key(schema, unique, values)
    request: Request = {"TableName": context.physical(table), "Key": key, "ReturnConsumedCapacity": "TOTAL"}
    response = yield Call(f"{schema.name}.{unique.name}", "GetItem", {**request, "ConsistentRead": True})
    holder = holder_of(response.get("Item"))
    if holder is None:
        return None
    held: Item = {name: {"S": text} for name, text in zip(table.key_attributes, holder, strict=True)}
    found = yield from get(context, Ref(cls, schema, held, values), consistent=True)
    # A window leaves its sentinel behind; what it names may say something else by now.
    same = found is not None and all(getattr(found, name) == value for name, value in values.items())
    return found if same else None


def _constraint(schema: EntitySchema, values: Mapping[str, Any]) -> UniqueSchema:
    for unique in schema.uniques:
        if set(unique.fields) == set(values):
            return unique
    raise InputError(f"{schema.name} has nothing unique made of {', '.join(sorted(values)) or 'nothing'}.")
