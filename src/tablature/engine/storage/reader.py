"""Reads items by key and by range, in one consistent view of the database."""

import sqlite3
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from tablature.engine.encoding.keys import ItemKey
from tablature.engine.encoding.values import Item
from tablature.engine.storage.connection import StaleCatalog
from tablature.engine.storage.layout import IndexLayout, StoredTable, decode_item


class StoredItem(NamedTuple):
    """An item as stored, and its size."""

    item: Item
    size: int


# Close it when stopping early: an open cursor would keep its connection at an old state of the database.
Rows = Generator[StoredItem, None, None]


@dataclass(frozen=True, slots=True)
class SortKeyBounds:
    """Which stored sort keys of a partition to read: bytes from `low` to `high`, each end open or closed."""

    low: bytes | None = None
    high: bytes | None = None
    low_is_open: bool = False
    high_is_open: bool = False


class Snapshot:
    """A consistent view of the whole database, for as long as it is held."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection

    def get(self, table: StoredTable, key: ItemKey) -> StoredItem | None:
        """The item under a key."""
        try:
            row = self.connection.execute(table.select, key).fetchone()
        except sqlite3.OperationalError as error:
            raise as_stale_catalog(error) from error
        return None if row is None else StoredItem(decode_item(row[1]), row[0])

    def partition(
        self,
        table: StoredTable,
        index: IndexLayout | None,
        stored_hash: bytes,
        bounds: SortKeyBounds,
        *,
        forward: bool = True,
        after: tuple[bytes, ...] | None = None,
    ) -> Rows:
        """The items of one partition within bounds, ascending or descending, starting after a position.

        A position is (r,) in a table and (r, t, th, tr) in an index, and lies within the bounds.
        """
        source = _Source(table, index)
        conditions, values = [f"{source.alias}h = ?"], [stored_hash]
        # The position replaces the bound on its side: with both, SQLite might search from the farther one.
        low = bounds.low if after is None or not forward else None
        high = bounds.high if after is None or forward else None
        for bound, symbol in (
            (low, ">" if bounds.low_is_open else ">="),
            (high, "<" if bounds.high_is_open else "<="),
        ):
            if bound is not None:
                conditions.append(f"{source.alias}r {symbol} ?")
                values.append(bound)
        if after is not None:
            conditions.append(source.past(source.order[1:], forward=forward))
            values.extend(after)
        return self._rows(source, conditions, values, source.order[1:], forward=forward)

    def everything(
        self,
        table: StoredTable,
        index: IndexLayout | None,
        *,
        low: bytes | None = None,
        high: bytes | None = None,
        after: tuple[bytes, ...] | None = None,
    ) -> Rows:
        """Every item of a table or index in hash order, within a range of partition keys, starting after a position."""
        source = _Source(table, index)
        conditions: list[str] = []
        values: list[bytes] = []
        if after is not None:
            conditions.append(source.past(source.order, forward=True))
            values.extend(after)
        elif low is not None:
            conditions.append(f"{source.alias}h >= ?")
            values.append(low)
        if high is not None:
            conditions.append(f"{source.alias}h < ?")
            values.append(high)
        return self._rows(source, conditions, values, source.order, forward=True)

    def _rows(
        self, source: "_Source", conditions: list[str], values: list[bytes], order: tuple[str, ...], *, forward: bool
    ) -> Rows:
        direction = "" if forward else " DESC"
        where = f" WHERE {' AND '.join(conditions)}" if conditions else ""
        ordering = ", ".join(f"{source.alias}{column}{direction}" for column in order)
        try:
            for size, body in self.connection.execute(f"{source.text}{where} ORDER BY {ordering}", values):
                yield StoredItem(decode_item(body), size)
        except sqlite3.OperationalError as error:
            raise as_stale_catalog(error) from error

    def counts(self, table_id: int) -> dict[int, tuple[int, int]]:
        """How many items and bytes a table holds (under 0) and each of its indexes (under its number)."""
        rows = self.connection.execute(
            "SELECT index_number, items, bytes FROM counts WHERE table_id = ?", (table_id,)
        ).fetchall()
        return {number: (items, size) for number, items, size in rows}

    def document(self, kind: str, name: str) -> bytes | None:
        """A named document of some kind, such as a backup's description."""
        row = self.connection.execute("SELECT body FROM documents WHERE kind = ? AND name = ?", (kind, name)).fetchone()
        return None if row is None else row[0]

    def documents(self, kind: str) -> list[tuple[str, bytes]]:
        """Every document of a kind, by name."""
        return self.connection.execute(
            "SELECT name, body FROM documents WHERE kind = ? ORDER BY name", (kind,)
        ).fetchall()

    def token(self, operation: str, token: str, since: float) -> tuple[bytes, bytes] | None:
        """The (digest, outcome) recorded under an idempotency token after a moment."""
        row: Any = self.connection.execute(
            "SELECT digest, outcome FROM tokens WHERE operation = ? AND token = ? AND at > ?", (operation, token, since)
        ).fetchone()
        return row  # type: ignore[no-any-return]  # two blobs or nothing


class _Source:
    """The rows of a table, or of an index joined to the items its entries point at."""

    def __init__(self, table: StoredTable, index: IndexLayout | None) -> None:
        if index is None:
            self.alias = ""
            self.order: tuple[str, ...] = ("h", "r")
            self.text = f"SELECT size, body FROM {table.items}"
        else:
            self.alias = "i."
            self.order = ("h", "r", "t", "th", "tr")
            self.text = (
                f"SELECT b.size, b.body FROM {index.entries} AS i "
                f"CROSS JOIN {table.items} AS b ON b.h = i.th AND b.r = i.tr"
            )

    def past(self, columns: tuple[str, ...], *, forward: bool) -> str:
        named = ", ".join(self.alias + column for column in columns)
        marks = ", ".join("?" for _ in columns)
        return f"({named}) {'>' if forward else '<'} ({marks})"


def as_stale_catalog(error: sqlite3.OperationalError) -> Exception:
    """StaleCatalog if a SQLite table is missing because another process dropped it; otherwise the error itself."""
    return StaleCatalog() if str(error).startswith("no such table: i") else error
