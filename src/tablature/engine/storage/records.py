"""Stored side data of tables: change records of streams, and copies of items for backups."""

from collections.abc import Iterator
from dataclasses import dataclass

from tablature.engine.encoding.values import Item
from tablature.engine.storage.layout import StoredTable, decode_item
from tablature.engine.storage.reader import Snapshot
from tablature.engine.storage.transaction import Transaction


def copy_items(transaction: Transaction, table: StoredTable, copy: int) -> None:
    """Keep a table's items as they are now under a number from `next_id`."""
    transaction.connection.execute(f"CREATE TABLE copy_{copy} AS SELECT h, r, size, body FROM {table.items}")


def drop_copy(transaction: Transaction, copy: int) -> None:
    transaction.connection.execute(f"DROP TABLE IF EXISTS copy_{copy}")


def fill_from_copy(transaction: Transaction, table: StoredTable, copy: int) -> None:
    """Fill a new, empty table and its indexes from a copy."""
    _fill_table(transaction, table, f"copy_{copy}")


def fill_from_table(transaction: Transaction, table: StoredTable, source: StoredTable) -> None:
    """Fill a new, empty table with the items of another."""
    _fill_table(transaction, table, source.items)


def _fill_table(transaction: Transaction, table: StoredTable, source: str) -> None:
    rows = transaction.connection.execute(f"SELECT h, r, body FROM {source}")
    while chunk := rows.fetchmany(1000):
        for stored_hash, stored_range, body in chunk:
            transaction.write(table, (stored_hash, stored_range), None, decode_item(body))


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """One change of one item; `principal` names who made it when that was not a client."""

    sequence: int
    at: float
    kind: str
    keys: Item
    old: Item | None
    new: Item | None
    principal: str | None


def last_sequence(snapshot: Snapshot) -> int:
    """The highest number any record has had, even if it was deleted."""
    row = snapshot.connection.execute("SELECT seq FROM sqlite_sequence WHERE name = 'stream_records'").fetchone()
    return 0 if row is None else int(row[0])


def records_from(snapshot: Snapshot, stream: int, sequence: int, since: float) -> Iterator[ChangeRecord]:
    """A stream's records from a sequence number on that were made after a moment, oldest first."""
    rows = snapshot.connection.execute(
        "SELECT sequence, at, kind, keys, old, new, principal FROM stream_records "
        "WHERE stream = ? AND sequence >= ? AND at > ? ORDER BY sequence",
        (stream, sequence, since),
    )
    for number, at, kind, keys, old, new, principal in rows:
        yield ChangeRecord(number, at, kind, decode_item(keys), _image(old), _image(new), principal)


def first_sequence(snapshot: Snapshot, stream: int, since: float) -> int | None:
    """The number of a stream's oldest record made after a moment."""
    (number,) = snapshot.connection.execute(
        "SELECT min(sequence) FROM stream_records WHERE stream = ? AND at > ?", (stream, since)
    ).fetchone()
    return None if number is None else int(number)


def expire_records(transaction: Transaction, stream: int, before: float) -> int:
    """Remove a stream's records made before a moment; returns how many."""
    return transaction.connection.execute(
        "DELETE FROM stream_records WHERE stream = ? AND at <= ?", (stream, before)
    ).rowcount


def drop_records(transaction: Transaction, stream: int) -> None:
    """Remove every record of a stream."""
    transaction.connection.execute("DELETE FROM stream_records WHERE stream = ?", (stream,))


def _image(body: bytes | None) -> Item | None:
    if body is None:
        return None
    item: Item = decode_item(body)
    return item
