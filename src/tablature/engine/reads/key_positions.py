"""Where key conditions and ExclusiveStartKey point in storage, and the checks of a start key."""

from collections.abc import Mapping, Sequence
from typing import Any

from tablature.engine.encoding.keys import encode, join_key_parts, stored_partition_key, successor, terminate_part
from tablature.engine.encoding.values import AttributeValue, Item, normalise_item
from tablature.engine.errors import EngineError, validation_error
from tablature.engine.expressions.bound_expressions import KeyRange
from tablature.engine.schema import KeyAttribute
from tablature.engine.storage import IndexLayout, StoredTable
from tablature.engine.storage.reader import SortKeyBounds
from tablature.engine.validation.key_rules import check_key, mismatched_key


def stored_partition(key_range: KeyRange, hashes: Sequence[KeyAttribute]) -> bytes:
    """The partition that the condition names."""
    return stored_partition_key(join_key_parts(_encode_values(hashes, key_range.hash_values)))


def sort_bounds(key_range: KeyRange, ranges: Sequence[KeyAttribute]) -> SortKeyBounds:
    """Which sort keys of the partition the condition allows."""
    if key_range.operator is None:
        return SortKeyBounds()
    kind = ranges[len(key_range.leading)].type
    values = [encode(kind, bound[kind]) for bound in key_range.bounds]
    if len(ranges) == 1:
        return _single_attribute_bounds(key_range.operator, values)
    leading = b"".join(map(terminate_part, _encode_values(ranges, key_range.leading)))
    return _joined_attribute_bounds(key_range.operator, values, leading)


def _encode_values(attributes: Sequence[KeyAttribute], values: Sequence[AttributeValue]) -> list[bytes]:
    return [encode(key.type, value[key.type]) for key, value in zip(attributes, values, strict=False)]


def _single_attribute_bounds(operator: str, values: list[bytes]) -> SortKeyBounds:
    """The bounds if the sort key is one attribute."""
    first = values[0]
    match operator:
        case "=":
            return SortKeyBounds(first, first)
        case "<" | "<=":
            return SortKeyBounds(None, first, high_is_open=operator == "<")
        case ">" | ">=":
            return SortKeyBounds(first, None, low_is_open=operator == ">")
        case "BETWEEN":
            return SortKeyBounds(first, values[1])
    return SortKeyBounds(first, successor(first), high_is_open=True)


def _joined_attribute_bounds(operator: str, values: list[bytes], leading: bytes) -> SortKeyBounds:
    """The bounds if the sort key is several attributes: from the first matching key up to the next one.

    Every key with the same leading attributes lies between their bytes and the successor of these bytes.
    """
    first, last = leading + terminate_part(values[0]), leading + terminate_part(values[-1])
    low: bytes | None = first
    high: bytes | None = successor(last)
    match operator:
        case "<" | "<=":
            low, high = leading, first if operator == "<" else successor(first)
        case ">" | ">=":
            low, high = successor(first) if operator == ">" else first, successor(leading)
        case "begins_with":
            # Anything may follow the prefix, so it has no terminator.
            low = first[: -len(terminate_part(b""))]
            high = successor(low)
    return SortKeyBounds(low, high, high_is_open=True)


_INVALID = "The provided starting key is invalid"
_MISMATCH = f"{_INVALID}: The provided key element does not match the schema"
# Other errors in its values are reported without naming the start key.
_KEY_ERROR_PREFIXES = (
    "Supplied AttributeValue ",
    "One or more parameter values were invalid: Null attribute",
    "One or more parameter values were invalid: An string set",
    "One or more parameter values were invalid: Binary sets",
)


def read_start_key(request: Mapping[str, Any]) -> Item | None:
    """The starting key of a request in normal form, or None when it starts at the beginning."""
    given = request.get("ExclusiveStartKey")
    if given is None:
        return None
    try:
        return normalise_item(given)
    except EngineError as error:
        if error.message.startswith(_KEY_ERROR_PREFIXES):
            raise validation_error(f"{_INVALID}: {error.message}") from error
        raise


def check_start_key(table: StoredTable, index: IndexLayout | None, start: Item, *, is_scan: bool = False) -> None:
    """Reject a starting key that is not the table's key, with the index's key beside it when an index is read."""
    if len(start) != len(page_key_names(table, index)):
        raise validation_error(_MISMATCH if is_scan and index is None else _INVALID)
    for key in index.schema.keys if index else ():
        if key.name not in start:
            raise validation_error(_INVALID)
        if key.type not in start[key.name]:
            raise mismatched_key()
        if not start[key.name][key.type]:
            raise validation_error(_INVALID)
    try:
        check_key(table.schema, {name: start[name] for name in table.key_names if name in start})
    except EngineError as error:
        raise validation_error(_MISMATCH) from error


def page_key_names(table: StoredTable, index: IndexLayout | None) -> tuple[str, ...]:
    """The attributes of a start key: the index key, then the table key."""
    if index is None:
        return table.key_names
    return tuple(dict.fromkeys([*(key.name for key in index.schema.keys), *table.key_names]))


def page_key(table: StoredTable, index: IndexLayout | None, item: Item) -> Item:
    """The start key of the page after an item."""
    return {name: item[name] for name in page_key_names(table, index)}


def position_of(table: StoredTable, index: IndexLayout | None, start: Item) -> tuple[bytes, ...]:
    """The stored position of a start key: (h, r) in a table, (h, r, t, th, tr) in an index."""
    key = table.key_of(start)
    if index is None:
        return key
    position = index.key_of(start, key)
    assert position is not None
    return position
