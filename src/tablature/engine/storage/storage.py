"""The database: opening, the cached catalog, snapshots for readers, the writer, backup and checks."""

import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import RLock
from typing import Any, TypeVar

import msgspec

from tablature.engine.schema import TableSchema
from tablature.engine.storage import changes
from tablature.engine.storage.connection import MEMORY, connect, exclusively, open_file
from tablature.engine.storage.layout import StoredTable
from tablature.engine.storage.reader import Snapshot
from tablature.engine.storage.transaction import Transaction
from tablature.engine.storage.writer import GroupCommitWriter

Result = TypeVar("Result")

_decode_schema = msgspec.json.Decoder(TableSchema).decode


class _Undone(Exception):
    """Takes back what a check wrote."""


class Storage:
    """One database, in a file or in memory. Safe for many threads and several processes."""

    def __init__(self, path: str = MEMORY, clock: Callable[[], float] = time.time) -> None:
        self.path = path
        self.clock = clock
        self.is_in_memory = path == MEMORY
        self._writing = open_file(path)
        # Never writes, so that SQLite tells it of every change.
        self._watching = self._writing if self.is_in_memory else connect(path)
        self._idle: deque[Snapshot] = deque()
        # A database in memory has a single connection, which readers and the writer share by turns.
        self._turn = RLock()
        self._writer = GroupCommitWriter(
            self._writing, self._begin, self._committed, self._turn if self.is_in_memory else None
        )
        self._tables: dict[str, StoredTable] = {}
        self._version = 0
        self._history_days = 0
        self.refresh()

    def table(self, name: str) -> StoredTable | None:
        """The table with a name, or None. Checks the file again before it returns None."""
        table = self._tables.get(name)
        if table is None:
            self.refresh()
            table = self._tables.get(name)
        return table

    def tables(self) -> list[TableSchema]:
        """All tables, by name."""
        self.refresh()
        return [self._tables[name].schema for name in sorted(self._tables)]

    def write(self, job: Callable[[Transaction], Result]) -> Result:
        """Run a job in a transaction; returns its result once everything it wrote is durable."""
        return self._writer.run(job)

    @contextmanager
    def snapshot(self) -> Iterator[Snapshot]:
        """A consistent view of the current database, for as long as it is held."""
        snapshot = self.take_reader()
        try:
            if self.is_in_memory:
                yield snapshot
            else:
                snapshot.connection.execute("BEGIN")
                yield snapshot
        finally:
            if snapshot.connection.in_transaction and not self.is_in_memory:
                snapshot.connection.execute("COMMIT")
            self.give_back(snapshot)

    def take_reader(self) -> Snapshot:
        """A reader for single statements. Return it with `give_back`."""
        if self.is_in_memory:
            self._turn.acquire()
            return Snapshot(self._writing)
        try:
            return self._idle.pop()
        except IndexError:
            return Snapshot(connect(self.path))

    def give_back(self, snapshot: Snapshot) -> None:
        """Return a reader to the pool."""
        if self.is_in_memory:
            self._turn.release()
        else:
            self._idle.append(snapshot)

    def change_version(self) -> int:
        """Differs after every commit, of whichever process. Read before reading items, it is at most as new as they."""
        if self.is_in_memory:
            return self._watching.total_changes
        version: int = self._watching.execute("PRAGMA data_version").fetchone()[0]
        return version

    def refresh(self) -> None:
        """Read the catalog again if another process has changed it."""
        reader = self.take_reader()
        try:
            self._load(reader.connection)
        finally:
            self.give_back(reader)

    def _load(self, connection: sqlite3.Connection) -> None:
        (version,) = connection.execute("SELECT value FROM meta WHERE name = 'catalog_version'").fetchone()
        if version == self._version:
            return
        schemas = [_decode_schema(row[0]) for row in connection.execute("SELECT definition FROM catalog")]
        # A table that did not change stays the same object, so that jobs that already use it need not retry.
        self._tables = {schema.name: self._same_or_new(schema) for schema in schemas}
        self._history_days = changes.kept_days(connection)
        self._version = version

    def _same_or_new(self, schema: TableSchema) -> StoredTable:
        table = self._tables.get(schema.name)
        return table if table is not None and table.schema == schema else StoredTable(schema)

    def _begin(self) -> Transaction:
        self._writing.execute("BEGIN IMMEDIATE")
        if not self.is_in_memory:
            self._load(self._writing)
        return Transaction(self._writing, self._tables, self.clock(), bool(self._history_days))

    def _committed(self, transaction: Transaction) -> None:
        if transaction.has_changed_catalog:
            self._load(self._writing)

    def back_up(self, path: str) -> None:
        """Copy the database, as it is at some moment during the call, while it stays in use."""
        with_target = sqlite3.connect(path)
        try:
            source = self.take_reader()
            try:
                # In one step: between steps, a write would make SQLite restart the copy.
                source.connection.backup(with_target, pages=-1)
            finally:
                self.give_back(source)
        finally:
            with_target.close()

    def restore(self, path: str) -> None:
        """Replace the content by a backup. No other process may have this database open.

        A history of changes goes on after a break, since the content didn't come from changes.
        """
        days, waiting = changes.kept_days(self._writing), changes.read_changes(self._writing)
        source = sqlite3.connect(path)
        try:
            source.backup(self._writing, pages=-1)
        finally:
            source.close()
        with exclusively(self._writing):
            self._writing.execute(changes.LAYOUT)
            changes.set_kept_days(self._writing, days)
            if days:
                changes.put_back(self._writing, waiting)
                changes.add_break(self._writing, self.clock())
        self._version = -1
        self._load(self._writing)

    @property
    def history_days(self) -> int:
        """For how many days a history is kept; 0 if writes leave no changes to be archived."""
        self.refresh()
        return self._history_days

    def keep_history(self, days: int) -> None:
        """Let every write leave a change from now on, or none with 0 days, in every process that has this file open."""

        def switch(transaction: Transaction) -> None:
            before = changes.kept_days(transaction.connection)
            if before != days:
                changes.set_kept_days(transaction.connection, days)
                transaction.has_changed_catalog = True
            if days and not before:
                changes.add_break(transaction.connection, transaction.now)

        self.write(switch)

    def check(self) -> list[str]:
        """Problems of the file: those that SQLite reports, and counts or indexes that disagree with the items."""
        with self.snapshot() as snapshot:
            findings = [row[0] for row in snapshot.connection.execute("PRAGMA integrity_check") if row[0] != "ok"]
            for table in list(self._tables.values()):
                findings.extend(_findings(snapshot, table))
        return findings

    def check_writable(self) -> None:
        """Write to the file and undo it; raises sqlite3.Error if it can't be written."""

        def write_and_undo(transaction: Transaction) -> None:
            transaction.connection.execute("INSERT OR REPLACE INTO meta VALUES ('write_check', 1)")
            raise _Undone

        with suppress(_Undone):
            self.write(write_and_undo)

    def close(self) -> None:
        """Close every connection; nothing may be using them."""
        while self._idle:
            self._idle.pop().connection.close()
        self._watching.close()
        self._writing.close()


def _findings(snapshot: Snapshot, table: StoredTable) -> Iterator[str]:
    expected: dict[str, set[Any]] = {index.entries: set() for index in table.indexes}
    items = size = 0
    for stored in snapshot.everything(table, None):
        items, size = items + 1, size + stored.size
        key = table.key_of(stored.item)
        for index in table.indexes:
            if (entry := index.key_of(stored.item, key)) is not None:
                expected[index.entries].add(entry)
    if snapshot.counts(table.schema.id)[0] != (items, size):
        yield f"the counts of table {table.name} disagree with its items"
    for index in table.indexes:
        listed = set(snapshot.connection.execute(f"SELECT h, r, t, th, tr FROM {index.entries}"))
        if listed != expected[index.entries]:
            yield f"index {index.schema.name} of table {table.name} disagrees with the items"
