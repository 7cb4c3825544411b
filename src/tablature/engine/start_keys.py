"""ExclusiveStartKey and LastEvaluatedKey: what a starting key must be, and where in storage it points."""

from collections.abc import Mapping
from typing import Any

from tablature.engine.errors import ServiceError, validation
from tablature.engine.key_rules import check_key, mismatched_key
from tablature.engine.storage import IndexLayout, Table
from tablature.engine.values import Item, normalise_item

_INVALID = "The provided starting key is invalid"
_MISMATCH = f"{_INVALID}: The provided key element does not match the schema"
# Other faults of its values are told without saying that it is the starting key they are in.
_TOLD_OF_THE_KEY = (
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
    except ServiceError as error:
        if error.message.startswith(_TOLD_OF_THE_KEY):
            raise validation(f"{_INVALID}: {error.message}") from error
        raise


def check_start_key(table: Table, index: IndexLayout | None, start: Item, *, is_scan: bool = False) -> None:
    """Refuse a starting key that is not the table's key, with the index's key beside it when an index is read."""
    if len(start) != len(page_key_names(table, index)):
        raise validation(_MISMATCH if is_scan and index is None else _INVALID)
    for key in index.schema.keys if index else ():
        if key.name not in start:
            raise validation(_INVALID)
        if key.type not in start[key.name]:
            raise mismatched_key()
        if not start[key.name][key.type]:
            raise validation(_INVALID)
    try:
        check_key(table.schema, {name: start[name] for name in table.key_names if name in start})
    except ServiceError as error:
        raise validation(_MISMATCH) from error


def page_key_names(table: Table, index: IndexLayout | None) -> tuple[str, ...]:
    """The attributes that say where a page ended: the table's key, after the index's own."""
    if index is None:
        return table.key_names
    return tuple(dict.fromkeys([*(key.name for key in index.schema.keys), *table.key_names]))


def page_key(table: Table, index: IndexLayout | None, item: Item) -> Item:
    """The key under which the next page begins after an item."""
    return {name: item[name] for name in page_key_names(table, index)}


def position_of(table: Table, index: IndexLayout | None, start: Item) -> tuple[bytes, ...]:
    """Where a starting key lies in storage: (h, r) in a table, (h, r, t, th, tr) in an index."""
    key = table.key_of(start)
    if index is None:
        return key
    position = index.key_of(start, key)
    assert position is not None
    return position
