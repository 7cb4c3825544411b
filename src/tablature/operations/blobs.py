"""Large values in the object store: uploaded before a write, loaded on a read, deleted when replaced."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tablature.errors import InputError, StoredItemError
from tablature.operations.context import OperationContext
from tablature.operations.derived_items import key_text
from tablature.operations.effects import DeleteObject, GetObject, Parallel, PutObject, Steps
from tablature.operations.writes import Write
from tablature.records import mutable_record, record_field
from tablature.schema.fields import FieldSchema
from tablature.schema.model import EntitySchema
from tablature.wire import AttributeValue, Item, size_of

POINTER = "_blob"


@mutable_record
class OffloadedValues:
    """Values uploaded to the object store, and the pointers that are stored in their place."""

    pointers: dict[str, AttributeValue] = record_field(default_factory=dict)
    values: dict[str, AttributeValue] = record_field(default_factory=dict)


def pointer_key(value: AttributeValue | None) -> str | None:
    """The object key that a stored attribute points to; None if it isn't a pointer."""
    content = value.get("M") if value is not None else None
    pointer = content.get(POINTER) if isinstance(content, dict) else None
    return pointer.get("S") if isinstance(pointer, dict) else None


def offload_blobs(
    context: OperationContext, write: Write[Any], current: Item | None, offloaded: OffloadedValues
) -> Steps[None]:
    """Upload every value over its size limit. A value that is already stored isn't uploaded again."""
    for blob, value in _blob_values(write):
        if blob.attribute in offloaded.pointers or size_of(value) <= (blob.options.blob_over or 0):
            continue
        if not context.has_objects:
            raise InputError(f"{blob.name!r} is too large to keep in the item, and the database has no object store.")
        data = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        digest = hashlib.sha256(data).hexdigest()
        stored = (current or {}).get(blob.attribute)
        if pointer_key(stored) is not None and stored is not None and stored["M"].get("sha256") == {"S": digest}:
            offloaded.pointers[blob.attribute] = stored
        else:
            key = _object_key(write, blob, context.token())
            yield PutObject(key, data)
            pointer = {POINTER: {"S": key}, "sha256": {"S": digest}, "bytes": {"N": str(len(data))}}
            offloaded.pointers[blob.attribute] = {"M": pointer}
        offloaded.values[blob.attribute] = value


def _blob_values(write: Write[Any]) -> Iterable[tuple[FieldSchema, AttributeValue]]:
    """Every blob field that the write sets, with its value in wire form."""
    for blob in write.schema.blobs:
        if write.entity is not None:
            value = write.entity.__dict__[blob.name]
            if value is not None:
                yield blob, blob.kind.encode(value)
        for change in write.changes:
            if change.field == blob.name and not change.is_nested and change.value is not None:
                yield blob, change.value


def _object_key(write: Write[Any], blob: FieldSchema, token: str) -> str:
    schema = write.schema
    place = hashlib.sha256("\0".join(key_text(schema.table, write.ref.key)).encode()).hexdigest()[:32]
    return f"{schema.table.name}/{schema.name}/{blob.attribute}/{place}/{token}"


def delete_unused_blobs(old: Item | None, new: Item | dict[str, AttributeValue], schema: EntitySchema) -> Steps[None]:
    """Delete the objects that the old item pointed to and the new one does not."""
    for blob in schema.blobs:
        key = pointer_key((old or {}).get(blob.attribute))
        if key is not None and key != pointer_key(new.get(blob.attribute)):
            yield DeleteObject(key)


def load_blobs(schema: EntitySchema, item: Item) -> Steps[Item]:
    """The item with every pointer replaced by the value it points to."""
    pointed = [(blob, key) for blob in schema.blobs if (key := pointer_key(item.get(blob.attribute))) is not None]
    if not pointed:
        return item
    objects = yield Parallel(tuple(_get_object(key) for _, key in pointed))
    loaded = dict(item)
    for (blob, _), data in zip(pointed, objects, strict=True):
        if hashlib.sha256(data).hexdigest() != item[blob.attribute]["M"]["sha256"]["S"]:
            raise StoredItemError(schema.name, blob.name, "the object it points to has other content", item)
        loaded[blob.attribute] = json.loads(data)
    return loaded


def _get_object(key: str) -> Steps[bytes]:
    data: bytes = yield GetObject(key)
    return data
