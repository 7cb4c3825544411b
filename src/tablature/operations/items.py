"""Builds items from entities: fills automatic fields, adds derived keys, and keeps attributes of other programs."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

from tablature.errors import ItemTooLarge
from tablature.operations.context import OperationContext
from tablature.schema.codec import VERSION_ATTRIBUTE, stored_value_error
from tablature.schema.entity import Entity, replace
from tablature.schema.fields import FieldSchema
from tablature.schema.model import EntitySchema, IndexPath, PathSchema
from tablature.schema.templates import KeyPart
from tablature.schema.timestamps import truncate
from tablature.wire import LARGEST_ITEM, Item

MARKER = "_kind"
STAGED, GENERATION = "_staged", "_generation"
_INTERNAL_ATTRIBUTES = {VERSION_ATTRIBUTE, STAGED, GENERATION}


def fill_automatic_fields(
    context: OperationContext, entity: Entity, current: Item | None, version: int | None
) -> Entity:
    """A copy with its automatic fields (timestamps, expiry, version) set."""
    schema, now, filled = entity.__schema__, context.now(), dict[str, Any]()
    for field in schema.fields.values():
        value = entity.__dict__[field.name]
        if field.role == "auto_now":
            filled[field.name] = truncate(now, field.options.precision)
        elif field.role == "auto_now_add" and value is None:
            earlier = current_value(schema, field, current)
            filled[field.name] = truncate(now, field.options.precision) if earlier is None else earlier
        elif field.role == "expires" and value is None and field.options.lifetime is not None:
            is_new = current is None or is_expired(schema, current, context.epoch())
            until = truncate(now + field.options.lifetime, "seconds")
            filled[field.name] = until if is_new else current_value(schema, field, current)
        elif field.role == "version":
            filled[field.name] = (version or 0) + 1
    return replace(entity, **filled)


def current_value(schema: EntitySchema, field: FieldSchema, item: Item | None) -> Any:
    """One field of a stored item, or None if the item or the attribute is missing."""
    value = None if item is None else item.get(field.attribute)
    if item is None or value is None or "NULL" in value:
        return None
    try:
        return field.kind.decode(value)
    except (TypeError, ValueError, KeyError, ArithmeticError) as problem:
        raise stored_value_error(schema, field, item, problem) from problem


def build_item(context: OperationContext, entity: Entity, stored: Item | None, overrides: Mapping[str, Any]) -> Item:
    """The item to store for an entity. `stored` is the item it was read from, `overrides` replace attributes."""
    schema, codec = entity.__schema__, entity.__codec__
    item = codec.encode(entity)
    item.update(codec.keys(entity.__dict__))
    _write_unsharded_keys(context, schema, item, entity.__dict__)
    if stored is not None:
        _keep_foreign_attributes(schema, item, stored, entity.__dict__)
    item.update(overrides)
    return item


def _write_unsharded_keys(
    context: OperationContext, schema: EntitySchema, item: Item, values: Mapping[str, Any]
) -> None:
    """Use unsharded partition keys for the indexes that this database doesn't spread."""
    for index in schema.indexes:
        part = index.partition
        if context.shards_of(index) < index.shards and part.attribute in item:
            item[part.attribute] = {part.wire: part.template.render(values)}


def _keep_foreign_attributes(schema: EntitySchema, item: Item, stored: Item, values: Mapping[str, Any]) -> None:
    """Keep unknown attributes, and stored spellings of equal values (another program may write them differently)."""
    derived = {part.attribute: (path, part) for path in _paths(schema) for part in path.parts if not part.is_native}
    for attribute, raw in stored.items():
        field = schema.attributes.get(attribute)
        if field is not None:
            if item.get(attribute) != raw and _has_same_value(field, raw, values):
                item[attribute] = raw
        elif attribute in derived:
            path, part = derived[attribute]
            if attribute in item and _may_keep_key(path, part) and part.means_the_same(raw, values):
                item[attribute] = raw
        elif attribute not in _INTERNAL_ATTRIBUTES:
            item.setdefault(attribute, raw)


def _paths(schema: EntitySchema) -> tuple[PathSchema, ...]:
    return (*schema.indexes, schema.primary)


def _may_keep_key(path: PathSchema, part: KeyPart) -> bool:
    """An unsharded partition key may stay only if readers query it."""
    is_sharded = isinstance(path, IndexPath) and path.shards > 1 and part is path.partition
    return not is_sharded or (isinstance(path, IndexPath) and path.include_unsharded)


def _has_same_value(field: FieldSchema, raw: dict[str, Any], values: Mapping[str, Any]) -> bool:
    if "NULL" in raw:
        return field.optional and values[field.name] is None
    try:
        return bool(field.kind.decode(raw) == values[field.name])
    except (TypeError, ValueError, KeyError, ArithmeticError):
        return False


def check_size(context: OperationContext, schema: EntitySchema, item: Item) -> int:
    """The item's size in bytes. Raises ItemTooLarge above the service's limit, and warns near it."""
    size = schema.cls.__codec__.size(item)  # type: ignore[attr-defined]  # every entity class has a codec
    if size > LARGEST_ITEM:
        raise ItemTooLarge(schema.name, size, LARGEST_ITEM)
    if size > context.warn_over:
        warnings.warn(f"A {schema.name} of {size:,} bytes nears the limit of {LARGEST_ITEM:,}.", stacklevel=2)
    return int(size)


def is_expired(schema: EntitySchema, item: Item, epoch: int) -> bool:
    """Whether the item has expired, even if the service hasn't deleted it yet."""
    ttl = schema.table.ttl
    value = item.get(ttl) if ttl is not None else None
    return value is not None and "N" in value and float(value["N"]) <= epoch
