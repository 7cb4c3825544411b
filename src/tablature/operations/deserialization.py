"""From stored items back to entities: old versions brought up to date, large values fetched, expired ones hidden."""

from __future__ import annotations

from typing import Any

from tablature.errors import Contention, ObjectMissing, StoredItemError
from tablature.operations.blobs import load_blobs
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import primary_key
from tablature.operations.effects import Parallel, Steps, get_item
from tablature.operations.items import MARKER, is_expired
from tablature.schema.codec import VERSION_ATTRIBUTE
from tablature.schema.collections import matches_primary_key
from tablature.schema.model import EntitySchema
from tablature.wire import Item

_MAX_READS = 8


def deserialize(context: OperationContext, schema: EntitySchema, item: Item) -> Steps[Any]:
    """The entity that a stored item is; None where somebody deleted it before its large values were fetched."""
    if not schema.blobs:
        return decode_item(schema, item)
    whole = yield from _with_blobs(context, schema, item)
    return None if whole is None else schema.cls.__codec__.decode(whole)  # type: ignore[attr-defined]  # every entity class has a codec


def _with_blobs(context: OperationContext, schema: EntitySchema, item: Item) -> Steps[Item | None]:
    """The item with its large values. One that was replaced meanwhile is gone, so then the item is read again."""
    for _ in range(_MAX_READS):
        try:
            return (yield from load_blobs(schema, upcast_item(schema, item)))
        except ObjectMissing as missing:
            table = schema.table
            now = yield from get_item(schema.get_name, context.physical(table), primary_key(table, item))
            if now is None:
                return None
            if all(now.get(blob.attribute) == item.get(blob.attribute) for blob in schema.blobs):
                names = ", ".join(blob.name for blob in schema.blobs)
                raise StoredItemError(schema.name, names, "an object it points to is gone", item) from missing
            item = now
    raise Contention(schema.name, _MAX_READS)


def deserialize_all(context: OperationContext, schema: EntitySchema, items: list[Item]) -> Steps[list[Any]]:
    """The entities that stored items are, in their order."""
    if not schema.blobs:
        return [decode_item(schema, item) for item in items]
    found: list[Any] = yield Parallel(tuple(deserialize(context, schema, item) for item in items))
    return [entity for entity in found if entity is not None]


def decode_item(schema: EntitySchema, item: Item) -> Any:
    """The entity that a stored item is, where none of its values are kept elsewhere."""
    if schema.schema_version > 1 or VERSION_ATTRIBUTE in item:
        item = upcast_item(schema, item)
    return schema.cls.__codec__.decode(item)  # type: ignore[attr-defined]  # every entity class has a codec


def upcast_item(schema: EntitySchema, item: Item) -> Item:
    """Apply the upcasters from the item's schema version to the present one."""
    stored = item.get(VERSION_ATTRIBUTE)
    version = int(stored["N"]) if stored is not None and "N" in stored else 1
    if version > schema.schema_version:
        told = f"it is of schema version {version}, newer than {schema.schema_version}; update this program"
        raise StoredItemError(schema.name, VERSION_ATTRIBUTE, told, item)
    while version < schema.schema_version:
        upcaster = schema.upcasters.get(version)
        if upcaster is None:
            raise StoredItemError(schema.name, VERSION_ATTRIBUTE, f"nothing upcasts it from version {version}", item)
        item = upcaster(dict(item))
        version += 1
    return item


def is_visible(context: OperationContext, schema: EntitySchema, item: Item) -> bool:
    """Whether an item is one of this entity's, and still alive."""
    if MARKER in item or not matches_primary_key(schema, item):
        return False
    return schema.table.ttl is None or not is_expired(schema, item, context.epoch())
