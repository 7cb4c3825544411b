"""The rules a table's and its indexes' key attributes must obey, in the service's words and order."""

from collections.abc import Iterator, Mapping
from typing import Any

from tablature.engine.encoding.values import Item, binary_length, kind_of, text_length
from tablature.engine.errors import EngineError, invalid_parameter, unsupported_value, validation_error
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema

LARGEST_HASH = 2048
LARGEST_RANGE = 1024
_EMPTY_NAMES = {"S": "string", "B": "binary"}


def mismatched_key() -> EngineError:
    return validation_error("The provided key element does not match the schema")


def check_key(schema: TableSchema, key: Mapping[str, Any]) -> None:
    """Reject a Key that is not exactly the table's key attributes, of their types, neither empty nor too long."""
    keys = schema.keys
    if len(key) != len(keys):
        raise mismatched_key()
    for attribute in keys:
        value = key.get(attribute.name)
        if value is None or attribute.type not in value:
            raise mismatched_key()
        _check_scalar(schema, attribute, value)


def _check_scalar(schema: TableSchema, attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    reject_empty(attribute, value)
    if len(value[attribute.type]) * 4 > LARGEST_RANGE:
        check_length(value, is_hash=attribute is schema.hash)


def reject_empty(attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    """Reject an empty string or binary value where a key attribute's value is needed."""
    if not value[attribute.type]:
        raise unsupported_value(f"{_cannot_be_empty(attribute)} Key: {attribute.name}")


def check_length(value: Mapping[str, Any], *, is_hash: bool) -> None:
    """Reject a key value that is too long for its place in a key."""
    length = _length(value)
    if is_hash and length > LARGEST_HASH:
        # The service's message has no space here.
        raise invalid_parameter(f"Size of hashkey has exceeded the maximum size limit of{LARGEST_HASH} bytes")
    if not is_hash and length > LARGEST_RANGE:
        raise invalid_parameter(
            f"Aggregated size of all range keys has exceeded the size limit of {LARGEST_RANGE} bytes"
        )


def _length(value: Mapping[str, Any]) -> int:
    kind = kind_of(value)
    return 0 if kind == "N" else text_length(value["S"]) if kind == "S" else binary_length(value["B"])


def check_item_keys(schema: TableSchema, item: Item) -> None:
    """Reject an item to be put that lacks a key attribute, or has one of another type, empty or too long."""
    for attribute in schema.keys:
        value = item.get(attribute.name)
        if value is None:
            raise invalid_parameter(f"Missing the key {attribute.name} in the item")
        if attribute.type not in value:
            raise invalid_parameter(
                f"Type mismatch for key {attribute.name} expected: {attribute.type} actual: {kind_of(value)}"
            )
        _check_scalar(schema, attribute, value)
    if schema.indexes:
        check_index_keys(schema, item)


def check_index_keys(schema: TableSchema, item: Item) -> None:
    """Reject an item whose index key attributes are of another type, empty, or too long."""
    for index, attribute in _index_keys(schema):
        value = item.get(attribute.name)
        if value is None:
            continue
        _check_index_type(index, attribute, value)
        if not value[attribute.type]:
            raise unsupported_value(
                f"A value specified for a secondary index key is not supported. {_cannot_be_empty(attribute)} "
                f"IndexName: {index.name}, IndexKey: {attribute.name}"
            )
        _check_index_length(index, attribute, value)


def check_updated_index_keys(schema: TableSchema, item: Item, before: Item) -> None:
    """Reject an update that changes an index key attribute to another type, to nothing, or to something too long."""
    for index, attribute in _index_keys(schema):
        value = item.get(attribute.name)
        if value is None or value == before.get(attribute.name):
            continue
        _check_index_type(index, attribute, value)
        if not value[attribute.type]:
            raise unsupported_value(
                "The update expression attempted to update a secondary index key to a value that is not supported. "
                f"{_cannot_be_empty(attribute)}"
            )
        _check_index_length(index, attribute, value)


def _index_keys(schema: TableSchema) -> Iterator[tuple[IndexSchema, KeyAttribute]]:
    """Key attributes of every index, in order of index names, as the service reports errors."""
    for index in sorted(schema.indexes, key=lambda index: index.name):
        for attribute in index.keys:
            yield index, attribute


def _check_index_type(index: IndexSchema, attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    if attribute.type not in value:
        raise invalid_parameter(
            f"Type mismatch for Index Key {attribute.name} Expected: {attribute.type} "
            f"Actual: {kind_of(value)} IndexName: {index.name}"
        )


def _check_index_length(index: IndexSchema, attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    length = _length(value)
    most = LARGEST_HASH if attribute in index.hashes else LARGEST_RANGE
    if length > most:
        raise invalid_parameter(
            f"Size limit exceeded for Index Key {attribute.name} Actual Size: {length} bytes "
            f"Max Size: {most} bytes IndexName: {index.name}"
        )


def _cannot_be_empty(attribute: KeyAttribute) -> str:
    kind = _EMPTY_NAMES[attribute.type]
    return f"The AttributeValue for a key attribute cannot contain an empty {kind} value."
