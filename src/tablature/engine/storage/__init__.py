"""Where everything is kept: one SQLite file with tables, items, index entries, streams and tokens.

`Storage` is what the operations use; `Transaction` and `Snapshot` are what it hands them to write and to read with.
"""

from tablature.engine.storage.errors import StaleCatalog, UnreadableFile
from tablature.engine.storage.layout import IndexLayout, Table
from tablature.engine.storage.reader import Rows, Snapshot, Stored
from tablature.engine.storage.storage import Storage
from tablature.engine.storage.transaction import Change, Transaction

__all__ = [
    "Change",
    "IndexLayout",
    "Rows",
    "Snapshot",
    "StaleCatalog",
    "Storage",
    "Stored",
    "Table",
    "Transaction",
    "UnreadableFile",
]
