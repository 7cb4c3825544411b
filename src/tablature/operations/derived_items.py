"""Items derived from an item: its fan-out copies, and the sentinels that keep its unique values unique."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from tablature.operations.context import OperationContext
from tablature.operations.items import MARKER
from tablature.schema.formats import escape
from tablature.schema.model import EntitySchema, FanoutPath, Table, UniqueSchema
from tablature.wire import AttributeValue, Item

KeyText = tuple[str, ...]
_LONGEST_PLAIN_KEY = 1000
HOLDER, UNTIL = "holder", "until"


def key_text(table: Table, item: Item) -> KeyText:
    """The primary key of an item as a tuple of text, hashable."""
    return tuple(str(next(iter(item[name].values()))) for name in table.key_attributes)


def primary_key(table: Table, item: Item) -> Item:
    return {name: item[name] for name in table.key_attributes}


def fanout_copies(schema: EntitySchema, values: Mapping[str, Any], item: Item) -> dict[KeyText, Item]:
    """The fan-out copies of an item, by key."""
    copies: dict[KeyText, Item] = {}
    for fanout in schema.fanouts:
        for element in fanout.elements(values[fanout.each]):
            copy = _copy(schema, fanout, {**values, "each": element}, item)
            if copy is not None:
                copies[key_text(schema.table, copy)] = copy
    return copies


def _copy(schema: EntitySchema, fanout: FanoutPath, values: Mapping[str, Any], item: Item) -> Item | None:
    copy: Item = {}
    for part in fanout.parts:
        key = part.value(values)
        if key is None:
            return None
        copy[part.attribute] = key
    copy.update({name: {"S": text} for name, text in fanout.constants.items()})
    for name in fanout.fields:
        field = schema.fields[name]
        stored = field.kind.encode(values[name]) if field.options.in_key else item.get(field.attribute)
        if stored is not None:
            copy[field.attribute] = stored
    if schema.expires is not None and schema.expires.attribute in item:
        copy[schema.expires.attribute] = item[schema.expires.attribute]
    return copy


def unique_sentinels(
    context: OperationContext, schema: EntitySchema, values: Mapping[str, Any], item: Item
) -> dict[KeyText, tuple[UniqueSchema, Item]]:
    """The sentinel of each unique constraint whose fields all have values."""
    sentinels = {}
    for unique in schema.uniques:
        if any(values[name] is None for name in unique.fields):
            continue
        sentinel = _sentinel(context, schema, unique, values, item)
        sentinels[key_text(schema.table, sentinel)] = (unique, sentinel)
    return sentinels


def _sentinel(
    context: OperationContext, schema: EntitySchema, unique: UniqueSchema, values: Mapping[str, Any], item: Item
) -> Item:
    table = schema.table
    sentinel = _empty_sentinel(schema, unique, values)
    sentinel[HOLDER] = {"L": [{"S": text} for text in key_text(table, item)]}
    if unique.window is not None:
        until = {"N": str(context.epoch() + int(unique.window.total_seconds()))}
        sentinel[UNTIL] = until
        if table.ttl is not None:
            sentinel[table.ttl] = until
    elif schema.expires is not None and schema.expires.attribute in item:
        sentinel[UNTIL] = sentinel[schema.expires.attribute] = item[schema.expires.attribute]
    return sentinel


def sentinel_key(schema: EntitySchema, unique: UniqueSchema, values: Mapping[str, Any]) -> Item:
    """The key of the sentinel for a unique value."""
    return primary_key(schema.table, _empty_sentinel(schema, unique, values))


def _empty_sentinel(schema: EntitySchema, unique: UniqueSchema, values: Mapping[str, Any]) -> Item:
    table = schema.table
    texts = [str(next(iter(schema.fields[name].kind.encode(values[name]).values()))) for name in unique.fields]
    parts = ["UNIQUE", schema.name, unique.name, *(escape(text, table.delimiter) for text in texts)]
    return bookkeeping_item(table, "unique", table.delimiter.join(parts))


def bookkeeping_item(table: Table, kind: str, key: str) -> Item:
    """An internal item under a key that no entity uses. Its `_kind` attribute marks it as internal."""
    if len(key.encode()) > _LONGEST_PLAIN_KEY:
        key = f"{key[:100]}{table.delimiter}{hashlib.sha256(key.encode()).hexdigest()}"
    item: Item = {table.pk: {"S": key}, MARKER: {"S": kind}}
    if table.sk is not None:
        item[table.sk] = {"S": kind.upper()}
    return item


def sentinel_holder(sentinel: Item | None) -> KeyText | None:
    value: AttributeValue | None = None if sentinel is None else sentinel.get(HOLDER)
    return None if value is None else tuple(part["S"] for part in value["L"])
