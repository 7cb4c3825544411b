"""Turns stored items into entities: upcasts old versions, loads blobs, and hides expired items."""

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
    """The entity of a stored item; None if it was deleted before its blobs were loaded."""
    if not schema.blobs:
        return decode_item(schema, item)
    loaded = yield from _with_blobs(context, schema, item)
    return None if loaded is None else schema.cls.__codec__.decode(loaded)  # type: ignore[attr-defined]  # every entity class has a codec


def _with_blobs(context: OperationContext, schema: EntitySchema, item: Item) -> Steps[Item | None]:
    """The item with its blobs. If a blob was replaced meanwhile, the item is read again."""
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
    """The entities of stored items, in the same order. Items deleted meanwhile are left out."""
    if not schema.blobs:
        return [decode_item(schema, item) for item in items]
    entities: list[Any] = yield Parallel(tuple(deserialize(context, schema, item) for item in items))
    return [entity for entity in entities if entity is not None]


def decode_item(schema: EntitySchema, item: Item) -> Any:
    """The entity of a stored item that has no blobs."""
    if schema.schema_version > 1 or VERSION_ATTRIBUTE in item:
        item = upcast_item(schema, item)
    return schema.cls.__codec__.decode(item)  # type: ignore[attr-defined]  # every entity class has a codec


def upcast_item(schema: EntitySchema, item: Item) -> Item:
    """Apply the upcasters from the item's schema version to the current one."""
    stored = item.get(VERSION_ATTRIBUTE)
    version = int(stored["N"]) if stored is not None and "N" in stored else 1
    if version > schema.schema_version:
        problem = f"it is of schema version {version}, newer than {schema.schema_version}; update this program"
        raise StoredItemError(schema.name, VERSION_ATTRIBUTE, problem, item)
    while version < schema.schema_version:
        upcaster = schema.upcasters.get(version)
        if upcaster is None:
            raise StoredItemError(schema.name, VERSION_ATTRIBUTE, f"nothing upcasts it from version {version}", item)
        item = upcaster(dict(item))
        version += 1
    return item


def is_visible(context: OperationContext, schema: EntitySchema, item: Item) -> bool:
    """Whether an item belongs to this entity and hasn't expired."""
    return bool(visible_items(context, schema, [item]))


def visible_items(context: OperationContext, schema: EntitySchema, items: list[Item]) -> list[Item]:
    """The items that belong to this entity and haven't expired."""
    own = [item for item in items if MARKER not in item and matches_primary_key(schema, item)]
    if schema.table.ttl is None or not own:
        return own
    epoch = context.epoch()
    return [item for item in own if not is_expired(schema, item, epoch)]
