"""Where everything is kept: one SQLite file with tables, items, index entries, streams and tokens.

`Storage` is what the operations use; `Transaction` and `Snapshot` are what it hands them to write and to read with.
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
