"""The rules a table's and its indexes' key attributes must obey, in the service's words and order."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.errors import ServiceError, invalid_parameter, unsupported_value, validation
from tablature.engine.schema import KeyAttribute, TableSchema
from tablature.engine.values import Item, binary_length, kind_of, text_length

LARGEST_HASH = 2048
LARGEST_RANGE = 1024
_EMPTY_NAMES = {"S": "string", "B": "binary"}


def mismatched_key() -> ServiceError:
    return validation("The provided key element does not match the schema")


def check_key(schema: TableSchema, key: Mapping[str, Any]) -> None:
    """Refuse a Key that is not exactly the table's key attributes, of their types, neither empty nor too long."""
    keys = schema.keys
    if len(key) != len(keys):
        raise mismatched_key()
    for attribute in keys:
        value = key.get(attribute.name)
        if value is None or attribute.type not in value:
            raise mismatched_key()
        _check_scalar(schema, attribute, value)


def _check_scalar(schema: TableSchema, attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    refuse_empty(attribute, value)
    if len(value[attribute.type]) * 4 > LARGEST_RANGE:
        check_length(value, is_hash=attribute is schema.hash)


def refuse_empty(attribute: KeyAttribute, value: Mapping[str, Any]) -> None:
    """Refuse an empty string or binary value where a key attribute's value is needed."""
    if not value[attribute.type]:
        raise unsupported_value(f"{_cannot_be_empty(attribute)} Key: {attribute.name}")


def check_length(value: Mapping[str, Any], *, is_hash: bool) -> None:
    """Refuse a key value that is too long for its place in a key."""
    kind = kind_of(value)
    length = 0 if kind == "N" else text_length(value["S"]) if kind == "S" else binary_length(value["B"])
    if is_hash and length > LARGEST_HASH:
        # The service leaves out the space.
        raise invalid_parameter(f"Size of hashkey has exceeded the maximum size limit of{LARGEST_HASH} bytes")
    if not is_hash and length > LARGEST_RANGE:
        raise invalid_parameter(
            f"Aggregated size of all range keys has exceeded the size limit of {LARGEST_RANGE} bytes"
        )


def check_item_keys(schema: TableSchema, item: Item) -> None:
    """Refuse an item to be put that lacks a key attribute, or has one of another type, empty or too long."""
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
    """Refuse an item whose index key attributes are of another type, empty, or too long."""
    for index in sorted(schema.indexes, key=lambda index: index.name):
        for attribute in index.keys:
            value = item.get(attribute.name)
            if value is None:
                continue
            if attribute.type not in value:
                raise invalid_parameter(
                    f"Type mismatch for Index Key {attribute.name} Expected: {attribute.type} "
                    f"Actual: {kind_of(value)} IndexName: {index.name}"
                )
            if not value[attribute.type]:
                raise unsupported_value(
                    f"A value specified for a secondary index key is not supported. {_cannot_be_empty(attribute)} "
                    f"IndexName: {index.name}, IndexKey: {attribute.name}"
                )
            check_length(value, is_hash=attribute is index.hash)


def _cannot_be_empty(attribute: KeyAttribute) -> str:
    kind = _EMPTY_NAMES[attribute.type]
    return f"The AttributeValue for a key attribute cannot contain an empty {kind} value."


def check_updated_index_keys(schema: TableSchema, item: Item, written: frozenset[str]) -> None:
    """Refuse an update that leaves an index key attribute it wrote of another type, empty, or too long."""
    for index in sorted(schema.indexes, key=lambda index: index.name):
        for attribute in index.keys:
            value = item.get(attribute.name)
            if value is None or attribute.name not in written:
                continue
            if attribute.type not in value:
                raise unsupported_index_key()
            if not value[attribute.type]:
                raise unsupported_value(
                    "The update expression attempted to update a secondary index key to a value that is not "
                    f"supported. {_cannot_be_empty(attribute)}"
                )
            check_length(value, is_hash=attribute is index.hash)


def unsupported_index_key() -> ServiceError:
    return validation("The update expression attempted to update the secondary index key to unsupported type")
