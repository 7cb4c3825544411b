"""Changes that wait in the file to be archived: written in the transaction that makes them, so none is ever lost.

A change has everything needed to make it again. Numbers are consecutive and never reused, because the newest row is
never deleted; a break says that the content was replaced by other means, so that changes before and after it don't
belong together.
"""

from __future__ import annotations

import sqlite3
from typing import NamedTuple

LAYOUT = """CREATE TABLE IF NOT EXISTS changes (
    sequence INTEGER PRIMARY KEY, at REAL NOT NULL, kind TEXT NOT NULL, table_id INTEGER NOT NULL,
    h BLOB, r BLOB, body BLOB
)"""
ITEM, CATALOG, DROP, DOCUMENT, BREAK = "item", "catalog", "drop", "document", "break"
APPEND = "INSERT INTO changes (at, kind, table_id, h, r, body) VALUES (?, ?, ?, ?, ?, ?)"
_DAYS = "history_days"
_COLUMNS = "sequence, at, kind, table_id, h, r, body"


class StoredChange(NamedTuple):
    """One change: of an item (no body: deleted), of a table's definition, of a document; or a break."""

    sequence: int
    at: float
    kind: str
    table_id: int
    h: bytes | None
    r: bytes | None
    body: bytes | None


def kept_days(connection: sqlite3.Connection) -> int:
    """For how many days changes are archived; 0 if writes leave none. It holds for every process."""
    row = connection.execute("SELECT value FROM meta WHERE name = ?", (_DAYS,)).fetchone()
    return 0 if row is None else int(row[0])


def set_kept_days(connection: sqlite3.Connection, days: int) -> None:
    """Switch the keeping of changes on or off for all processes, in the caller's transaction."""
    connection.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_DAYS, days))
    connection.execute("UPDATE meta SET value = value + 1 WHERE name = 'catalog_version'")
    if not days:
        connection.execute("DELETE FROM changes")


def add_break(connection: sqlite3.Connection, at: float, after: int = 0) -> None:
    """Say that the content was replaced, with a number above all earlier ones."""
    number = max(after, last_change(connection)) + 1
    connection.execute(f"INSERT INTO changes ({_COLUMNS}) VALUES (?, ?, ?, 0, x'', x'', NULL)", (number, at, BREAK))


def put_back(connection: sqlite3.Connection, waiting: list[StoredChange]) -> None:
    """Let the waiting changes of replaced content wait in the content that replaced it."""
    connection.execute("DELETE FROM changes")
    connection.executemany(f"INSERT INTO changes ({_COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?)", waiting)


def last_change(connection: sqlite3.Connection) -> int:
    """The number of the newest change, 0 if there never was one."""
    (number,) = connection.execute("SELECT max(sequence) FROM changes").fetchone()
    return number or 0


def read_change(connection: sqlite3.Connection, sequence: int) -> StoredChange | None:
    row = connection.execute(f"SELECT {_COLUMNS} FROM changes WHERE sequence = ?", (sequence,)).fetchone()
    return None if row is None else StoredChange(*row)


def read_changes(
    connection: sqlite3.Connection, after: int = 0, most: int = -1, most_bytes: float = float("inf")
) -> list[StoredChange]:
    """The oldest changes after a number: so many, or fewer if they are large."""
    changes: list[StoredChange] = []
    size = 0
    cursor = connection.execute(
        f"SELECT {_COLUMNS} FROM changes WHERE sequence > ? ORDER BY sequence LIMIT ?", (after, most)
    )
    for row in cursor:
        change = StoredChange(*row)
        changes.append(change)
        size += len(change.body or b"")
        if size > most_bytes:
            break
    cursor.close()
    return changes


def forget_before(connection: sqlite3.Connection, sequence: int) -> None:
    """Delete the changes before a number that is archived; the row with that number stays, as proof of belonging."""
    connection.execute("DELETE FROM changes WHERE sequence < ?", (sequence,))


def latest_moment(connection: sqlite3.Connection) -> float:
    """The latest time of a waiting change, 0 if there is none."""
    (moment,) = connection.execute("SELECT max(at) FROM changes").fetchone()
    return moment or 0.0


def oldest_waiting(connection: sqlite3.Connection) -> float | None:
    """The time of the oldest change that still waits. The first row doesn't count: it may be archived and kept."""
    (moment,) = connection.execute(
        "SELECT min(at) FROM changes WHERE sequence > (SELECT min(sequence) FROM changes)"
    ).fetchone()
    return None if moment is None else float(moment)
