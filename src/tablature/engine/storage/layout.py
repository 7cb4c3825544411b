"""The layout of a table in SQLite: names of its item and index tables, and the stored keys of an item."""

from collections.abc import Mapping
from typing import Any

import msgspec

from tablature.engine.encoding.keys import (
    PREFIX_LENGTH,
    ItemKey,
    encode,
    join_key_parts,
    stored_partition_key,
    tiebreak,
)
from tablature.engine.encoding.values import Item, item_size
from tablature.engine.schema import IndexSchema, KeyAttribute, TableSchema

IndexKey = tuple[bytes, bytes, bytes, bytes, bytes]

_NOTHING: dict[str, Any] = {}

encode_item = msgspec.json.Encoder().encode
decode_item: Any = msgspec.json.Decoder(dict[str, dict[str, Any]]).decode


class StoredTable:
    """A table in storage. A new object replaces it whenever the schema changes."""

    def __init__(self, schema: TableSchema) -> None:
        self.schema = schema
        self.items = f"items_{schema.id}"
        self.hash_name, self.hash_type = schema.hash.name, schema.hash.type
        self.range_name = schema.range.name if schema.range else None
        self.range_type = schema.range.type if schema.range else None
        self.key_names = tuple(key.name for key in schema.keys)
        self.streams = _streams(schema)
        self.indexes = tuple(IndexLayout(schema, index) for index in schema.indexes)
        self.by_index_name = {index.schema.name: index for index in self.indexes}
        self.select = f"SELECT size, body FROM {self.items} WHERE h = ? AND r = ?"
        self.upsert = f"INSERT OR REPLACE INTO {self.items} (h, r, size, body) VALUES (?, ?, ?, ?)"
        self.delete = f"DELETE FROM {self.items} WHERE h = ? AND r = ?"

    @property
    def name(self) -> str:
        return self.schema.name

    def key_of(self, item: Mapping[str, Any]) -> ItemKey:
        """Where an item is stored, given its (already checked) key attributes."""
        stored_hash = stored_partition_key(encode(self.hash_type, item[self.hash_name][self.hash_type]))
        if self.range_name is None or self.range_type is None:
            return stored_hash, b""
        return stored_hash, encode(self.range_type, item[self.range_name][self.range_type])

    def key_attributes(self, item: Mapping[str, Any]) -> Item:
        """The primary key of an item, in wire form."""
        return {name: item[name] for name in self.key_names}


def _streams(schema: TableSchema) -> tuple[int, ...]:
    """The numbers under which changes are recorded: for the table's stream, and for its continuous backups."""
    history = schema.settings.get("history")
    return (*([schema.stream.id] if schema.stream else []), *([history["stream"]] if history else []))


class IndexLayout:
    """An index in storage. Its entries point to items, which are projected when read."""

    def __init__(self, table: TableSchema, index: IndexSchema) -> None:
        self.schema = index
        self.entries = f"index_{table.id}_{index.number}"
        self.table_keys = table.keys
        self.is_whole = index.projection.kind == "ALL"
        self.carried = frozenset(
            [key.name for key in (*table.keys, *index.keys)]
            + (list(index.projection.attributes) if index.projection.kind == "INCLUDE" else [])
        )
        self.insert = f"INSERT OR REPLACE INTO {self.entries} (h, r, t, th, tr) VALUES (?, ?, ?, ?, ?)"
        self.delete = f"DELETE FROM {self.entries} WHERE h = ? AND r = ? AND t = ? AND th = ? AND tr = ?"

    def key_of(self, item: Mapping[str, Any], key: ItemKey) -> IndexKey | None:
        """The position of an item in the index, or None if it isn't in the index."""
        raw_hash, stored_range = _encode_key(self.schema.hashes, item), _encode_key(self.schema.ranges, item)
        if raw_hash is None or stored_range is None:
            return None
        return stored_partition_key(raw_hash), stored_range, tiebreak(key[0][PREFIX_LENGTH:], key[1]), *key

    def lists(self, item: Mapping[str, Any]) -> bool:
        """Whether the index has an entry for an item."""
        return all(item.get(key.name, _NOTHING).get(key.type) for key in self.schema.keys)

    def project(self, item: Item) -> Item:
        """The projected part of an item."""
        if self.is_whole:
            return item
        carried = self.carried
        return {name: value for name, value in item.items() if name in carried}

    def entry_size(self, item: Item, whole_size: int) -> int:
        """The size of an item's index entry as the service counts it."""
        return whole_size if self.is_whole else item_size(self.project(item))


def _encode_key(attributes: tuple[KeyAttribute, ...], item: Mapping[str, Any]) -> bytes | None:
    """The bytes of a key, or None if an attribute has no valid value."""
    if not attributes:
        return b""
    parts: list[bytes] = []
    for attribute in attributes:
        text = item.get(attribute.name, _NOTHING).get(attribute.type)
        if not text:
            return None
        parts.append(encode(attribute.type, text))
    return join_key_parts(parts)
