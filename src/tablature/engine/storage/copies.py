"""Copies of a table's items that outlive it, and filling a table from such a copy."""

from tablature.engine.storage.layout import Table, decode_item
from tablature.engine.storage.transaction import Transaction


def copy_items(transaction: Transaction, table: Table, copy: int) -> None:
    """Keep a table's items as they are now under a number from `next_id`."""
    transaction.connection.execute(f"CREATE TABLE copy_{copy} AS SELECT h, r, size, body FROM {table.items}")


def drop_copy(transaction: Transaction, copy: int) -> None:
    transaction.connection.execute(f"DROP TABLE IF EXISTS copy_{copy}")


def fill_from_copy(transaction: Transaction, table: Table, copy: int) -> None:
    """Fill a new, empty table from a copy; its indexes list what they should."""
    _fill(transaction, table, f"copy_{copy}")


def fill_from_table(transaction: Transaction, table: Table, source: Table) -> None:
    """Fill a new, empty table with the items of another."""
    _fill(transaction, table, source.items)


def _fill(transaction: Transaction, table: Table, source: str) -> None:
    rows = transaction.connection.execute(f"SELECT h, r, body FROM {source}")
    while chunk := rows.fetchmany(1000):
        for stored_hash, stored_range, body in chunk:
            transaction.write(table, (stored_hash, stored_range), None, decode_item(body))
