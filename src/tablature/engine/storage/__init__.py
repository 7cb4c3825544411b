"""The storage: one SQLite file with tables, items, index entries, streams and tokens.

Operations use `Storage`, and the `Transaction` and `Snapshot` that it provides for writing and reading.
"""

from tablature.engine.storage.connection import StaleCatalog, UnreadableFile
from tablature.engine.storage.layout import IndexLayout, StoredTable
from tablature.engine.storage.reader import Rows, Snapshot, StoredItem
from tablature.engine.storage.storage import Storage
from tablature.engine.storage.transaction import ItemChange, Transaction

__all__ = [
    "IndexLayout",
    "ItemChange",
    "Rows",
    "Snapshot",
    "StaleCatalog",
    "Storage",
    "StoredItem",
    "StoredTable",
    "Transaction",
    "UnreadableFile",
]
