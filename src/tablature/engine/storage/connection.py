"""Opens SQLite connections with the settings that durability and snapshots need, and creates the file layout."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tablature.engine.storage import changes


class StaleCatalog(Exception):
    """The caller's table object is outdated; fetch it again and retry."""


class UnreadableFile(Exception):
    """The file can't be opened or belongs to another program; the message says what to do."""


BUSY_SECONDS = 60
# Kibibytes. Reads are served from the mapped file, so a larger cache only copies it: it fills memory as the file grows,
# and with 64 MB instead of 4 puts into a million items took a quarter more time.
READER_CACHE = 2_048
WRITER_CACHE = 4_096
MEMORY = ":memory:"
_APPLICATION_ID = 0x7AB1A7
_LAYOUT_VERSION = 1

_TOKENS_BY_AGE = "CREATE INDEX IF NOT EXISTS tokens_by_age ON tokens (at)"
_LAYOUT = (
    "CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID",
    "INSERT OR IGNORE INTO meta VALUES ('catalog_version', 1), ('last_id', 0)",
    """CREATE TABLE IF NOT EXISTS catalog (
        name TEXT PRIMARY KEY, id INTEGER NOT NULL, definition BLOB NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS counts (
        table_id INTEGER, index_number INTEGER, items INTEGER NOT NULL, bytes INTEGER NOT NULL,
        PRIMARY KEY (table_id, index_number)
    ) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS stream_records (
        sequence INTEGER PRIMARY KEY AUTOINCREMENT, stream INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL,
        keys BLOB NOT NULL, old BLOB, new BLOB, size INTEGER NOT NULL, principal TEXT
    )""",
    "CREATE INDEX IF NOT EXISTS stream_records_by_stream ON stream_records (stream, sequence)",
    """CREATE TABLE IF NOT EXISTS tokens (
        operation TEXT, token TEXT, at REAL NOT NULL, digest BLOB NOT NULL, outcome BLOB NOT NULL,
        PRIMARY KEY (operation, token)
    ) WITHOUT ROWID""",
    # Every transaction deletes expired tokens by this index; files without it get it when opened.
    _TOKENS_BY_AGE,
    """CREATE TABLE IF NOT EXISTS documents (
        kind TEXT, name TEXT, body BLOB NOT NULL, PRIMARY KEY (kind, name)
    ) WITHOUT ROWID""",
    f"PRAGMA application_id = {_APPLICATION_ID}",
    f"PRAGMA user_version = {_LAYOUT_VERSION}",
)


def connect(path: str, cache_kibibytes: int = READER_CACHE) -> sqlite3.Connection:
    """Open a connection. Commits are durable when they return, and transactions are started explicitly."""
    connection = sqlite3.connect(
        path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=512
    )
    for pragma in (
        "journal_mode = WAL",
        "synchronous = FULL",
        f"cache_size = -{cache_kibibytes}",
        "temp_store = MEMORY",
        # A large table exceeds any page cache; with mapped pages, reading it costs nearly the same as a small one.
        "mmap_size = 1073741824",
        "journal_size_limit = 67108864",
    ):
        connection.execute(f"PRAGMA {pragma}").close()
    return connection


def open_file(path: str) -> sqlite3.Connection:
    """Open or create a database. Raises UnreadableFile for a file of another program."""
    if path != MEMORY and not Path(path).parent.is_dir():
        raise UnreadableFile(f"The folder of {path} does not exist; create it first or name another file.")
    try:
        connection = connect(path, WRITER_CACHE)
        _prepare(connection, path)
    except sqlite3.DatabaseError as error:
        raise UnreadableFile(f"{path} cannot be opened as a database ({error}); name another file.") from error
    return connection


def _prepare(connection: sqlite3.Connection, path: str) -> None:
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application not in (0, _APPLICATION_ID) or (application == 0 and tables):
        raise UnreadableFile(f"{path} is a database of another program; name another file.")
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout > _LAYOUT_VERSION:
        raise UnreadableFile(f"{path} was written by a newer version of this program; use that one.")
    if application == 0:
        with exclusively(connection):
            for statement in _LAYOUT:
                connection.execute(statement)
    connection.execute(_TOKENS_BY_AGE)
    connection.execute(changes.LAYOUT)


@contextmanager
def exclusively(connection: sqlite3.Connection) -> Iterator[None]:
    """Hold the file's write lock for a block, and commit it, or roll back on an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
