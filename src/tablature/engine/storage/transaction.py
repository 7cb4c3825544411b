"""Writes items, index entries, stream records and the catalog, all inside the writer's one SQLite transaction."""

import sqlite3
from typing import Any, NamedTuple

import msgspec

from tablature.engine.encoding.keys import ItemKey
from tablature.engine.encoding.values import Item, item_size, same_item
from tablature.engine.schema import IndexSchema, TableSchema
from tablature.engine.storage import changes
from tablature.engine.storage.connection import StaleCatalog
from tablature.engine.storage.layout import IndexLayout, StoredTable, encode_item
from tablature.engine.storage.reader import Snapshot, StoredItem

_ITEM_COLUMNS = "(h BLOB, r BLOB, size INTEGER NOT NULL, body BLOB NOT NULL, PRIMARY KEY (h, r)) WITHOUT ROWID"
_ENTRY_COLUMNS = "(h BLOB, r BLOB, t BLOB, th BLOB, tr BLOB, PRIMARY KEY (h, r, t, th, tr)) WITHOUT ROWID"


class ItemChange(NamedTuple):
    """What one write changed: the old and the new item."""

    table: StoredTable
    old: StoredItem | None
    new: StoredItem | None


class Transaction(Snapshot):
    """The interface of a write job. All its writes become durable, or none."""

    def __init__(
        self, connection: sqlite3.Connection, catalog: dict[str, StoredTable], now: float, keeps_changes: bool = False
    ) -> None:
        super().__init__(connection)
        self.catalog = catalog
        self.now = now
        self._keeps_changes = keeps_changes
        self.has_changed_catalog = False
        self._deltas: dict[tuple[int, int], list[int]] = {}
        self._kept: dict[tuple[int, int], list[int]] = {}

    def table(self, name: str) -> StoredTable | None:
        """The current table of a name."""
        return self.catalog.get(name)

    def require_current(self, table: StoredTable) -> None:
        """Raise StaleCatalog if a schema change has replaced the table object."""
        if self.catalog.get(table.schema.name) is not table:
            raise StaleCatalog

    def write(
        self,
        table: StoredTable,
        key: ItemKey,
        old: StoredItem | None,
        new: Item | None,
        *,
        principal: str | None = None,
    ) -> ItemChange:
        """Replace the item with a key (`old` is the stored one) by another, or delete it.

        Writing what is already stored changes nothing and leaves no stream record.
        """
        stored = None if new is None else StoredItem(new, item_size(new))
        change = ItemChange(table, old, stored)
        body: bytes | None = None
        if stored is None:
            if old is None:
                return change
            self._execute(table.delete, key)
        elif old is not None and old.size == stored.size and same_item(old.item, stored.item):
            return change
        else:
            body = encode_item(stored.item)
            self._execute(table.upsert, (*key, stored.size, body))
        if self._keeps_changes:
            self._execute(changes.APPEND, (self.now, changes.ITEM, table.schema.id, *key, body))
        self._count(table.schema.id, 0, old.size if old else None, stored.size if stored else None)
        for index in table.indexes:
            self._write_entry(table, index, key, old, stored)
        for stream in table.streams:
            self._append_record(table, stream, change, principal)
        return change

    def _write_entry(
        self, table: StoredTable, index: IndexLayout, key: ItemKey, old: StoredItem | None, new: StoredItem | None
    ) -> None:
        was = index.key_of(old.item, key) if old else None
        now = index.key_of(new.item, key) if new else None
        if was is None and now is None:
            return
        if was != now:
            if was is not None:
                self._execute(index.delete, was)
            if now is not None:
                self._execute(index.insert, now)
        self._count(
            table.schema.id,
            index.schema.number,
            index.entry_size(*old) if was is not None and old else None,
            index.entry_size(*new) if now is not None and new else None,
        )

    def _count(self, table_id: int, index_number: int, was: int | None, now: int | None) -> None:
        delta = self._deltas.setdefault((table_id, index_number), [0, 0])
        delta[0] += (now is not None) - (was is not None)
        delta[1] += (now or 0) - (was or 0)

    def _append_record(self, table: StoredTable, stream: int, change: ItemChange, principal: str | None) -> None:
        old, new = change.old, change.new
        present = new or old
        assert present is not None
        kind = "INSERT" if old is None else "REMOVE" if new is None else "MODIFY"
        keys = table.key_attributes(present.item)
        self._execute(
            "INSERT INTO stream_records (stream, at, kind, keys, old, new, size, principal) VALUES (?,?,?,?,?,?,?,?)",
            (
                stream,
                self.now,
                kind,
                encode_item(keys),
                encode_item(old.item) if old else None,
                encode_item(new.item) if new else None,
                item_size(keys) + (old.size if old else 0) + (new.size if new else 0),
                principal,
            ),
        )

    def _keep_change(self, kind: str, table_id: int, h: bytes, r: bytes, body: bytes | None) -> None:
        if self._keeps_changes:
            self._execute(changes.APPEND, (self.now, kind, table_id, h, r, body))

    def _execute(self, statement: str, values: tuple[Any, ...] = ()) -> None:
        self.connection.execute(statement, values)

    def record_token(self, operation: str, token: str, digest: bytes, outcome: bytes, forget_before: float) -> None:
        """Record an idempotency token, and delete expired ones."""
        self._execute("DELETE FROM tokens WHERE at <= ?", (forget_before,))
        self._execute(
            "INSERT OR REPLACE INTO tokens VALUES (?, ?, ?, ?, ?)", (operation, token, self.now, digest, outcome)
        )

    def put_document(self, kind: str, name: str, body: bytes) -> None:
        """Store a named document of some kind."""
        self._execute("INSERT OR REPLACE INTO documents VALUES (?, ?, ?)", (kind, name, body))
        self._keep_change(changes.DOCUMENT, 0, kind.encode(), name.encode(), body)

    def delete_document(self, kind: str, name: str) -> None:
        self._execute("DELETE FROM documents WHERE kind = ? AND name = ?", (kind, name))
        self._keep_change(changes.DOCUMENT, 0, kind.encode(), name.encode(), None)

    def next_id(self) -> int:
        """A number that no table or stream of this file has had."""
        self._execute("UPDATE meta SET value = value + 1 WHERE name = 'last_id'")
        (number,) = self.connection.execute("SELECT value FROM meta WHERE name = 'last_id'").fetchone()
        return int(number)

    def reserve_ids(self, number: int) -> None:
        """Let `next_id` go on above a number."""
        self._execute("UPDATE meta SET value = max(value, ?) WHERE name = 'last_id'", (number,))

    def create_table(self, schema: TableSchema) -> None:
        """Create a table (its `id` from `next_id`) and its indexes."""
        self._execute(f"CREATE TABLE items_{schema.id} {_ITEM_COLUMNS}")
        self._execute("INSERT INTO counts VALUES (?, 0, 0, 0)", (schema.id,))
        for index in schema.indexes:
            self._create_entries(schema, index)
        self.save_table(schema)

    def save_table(self, schema: TableSchema) -> None:
        """Store a table's changed schema; indexes are added and removed by their own methods."""
        definition = msgspec.json.encode(schema)
        self._execute("INSERT OR REPLACE INTO catalog VALUES (?, ?, ?)", (schema.name, schema.id, definition))
        self._keep_change(changes.CATALOG, schema.id, b"", b"", definition)
        self._changed_catalog()

    def drop_table(self, table: StoredTable) -> None:
        """Remove a table with everything in it; records of its stream stay readable."""
        for index in table.schema.indexes:
            self._execute(f"DROP TABLE IF EXISTS index_{table.schema.id}_{index.number}")
        self._execute(f"DROP TABLE {table.items}")
        self._execute("DELETE FROM counts WHERE table_id = ?", (table.schema.id,))
        self._execute("DELETE FROM catalog WHERE name = ?", (table.schema.name,))
        self._keep_change(changes.DROP, table.schema.id, b"", b"", None)
        self._changed_catalog()

    def add_index(self, schema: TableSchema, index: IndexSchema) -> None:
        """Create an index of a stored table and list in it every item that has its keys.

        `schema` is the table's schema with the index in it; it is saved.
        """
        self._create_entries(schema, index)
        layout, table = IndexLayout(schema, index), StoredTable(schema)
        for stored in self.everything(table, None):
            entry = layout.key_of(stored.item, table.key_of(stored.item))
            if entry is not None:
                self._execute(layout.insert, entry)
                self._count(schema.id, index.number, None, layout.entry_size(*stored))
        self.save_table(schema)

    def remove_index(self, schema: TableSchema, index: IndexSchema) -> None:
        """Drop an index; `schema` is the table's schema without it, and is saved."""
        self._execute(f"DROP TABLE index_{schema.id}_{index.number}")
        self._execute("DELETE FROM counts WHERE table_id = ? AND index_number = ?", (schema.id, index.number))
        self.save_table(schema)

    def _create_entries(self, schema: TableSchema, index: IndexSchema) -> None:
        self._execute(f"CREATE TABLE index_{schema.id}_{index.number} {_ENTRY_COLUMNS}")
        self._execute("INSERT INTO counts VALUES (?, ?, 0, 0)", (schema.id, index.number))

    def _changed_catalog(self) -> None:
        self._execute("UPDATE meta SET value = value + 1 WHERE name = 'catalog_version'")
        self.has_changed_catalog = True

    def keep_counts(self) -> None:
        """Keep the count changes of the job that just ended."""
        for place, (items, size) in self._deltas.items():
            kept = self._kept.setdefault(place, [0, 0])
            kept[0] += items
            kept[1] += size
        self._deltas.clear()

    def forget_job(self) -> None:
        """Discard the count and catalog changes of a job that was rolled back."""
        self._deltas.clear()
        self.has_changed_catalog = False

    def flush_counts(self) -> None:
        """Add the count changes of this transaction to the stored counts."""
        for (table_id, index_number), (items, size) in self._kept.items():
            if items or size:
                self.connection.execute(
                    "UPDATE counts SET items = items + ?, bytes = bytes + ? WHERE table_id = ? AND index_number = ?",
                    (items, size, table_id, index_number),
                )
