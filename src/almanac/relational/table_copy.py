"""The rows of every table as text, out of and into a database, in a form that each supported server reads and writes.

What the tables look like is not in it: that comes from the migrations.
"""

import hashlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, LiteralString, NamedTuple, TypeAlias

import msgspec
import psycopg
from psycopg import sql

from almanac.errors import Conflict, Unavailable
from almanac.relational.errors import describe_refusal

_PIECE = 1 << 20
_WIDTH = 1 << 128
# Every server writes the same text for the same value with these, whatever its own defaults are.
_FORMS: tuple[LiteralString, ...] = (
    "SET client_encoding = 'UTF8'",
    "SET TIME ZONE 'UTC'",
    "SET datestyle = 'ISO, YMD'",
    "SET intervalstyle = 'postgres'",
    "SET extra_float_digits = 1",
    "SET bytea_output = 'hex'",
    "SET statement_timeout = 0",
    "SET idle_in_transaction_session_timeout = 0",
)
_COLUMNS = """
SELECT c.relname, a.attname FROM pg_class AS c
JOIN pg_namespace AS n ON n.oid = c.relnamespace
JOIN pg_attribute AS a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
WHERE n.nspname = %s AND c.relkind = 'r' AND c.relpersistence = 'p' AND c.relname !~ '^_?yoyo'
AND NOT EXISTS (SELECT FROM pg_depend AS d WHERE d.objid = c.oid AND d.deptype = 'e')
ORDER BY c.relname, a.attnum
"""
_SEQUENCES = "SELECT sequencename, last_value FROM pg_sequences WHERE schemaname = %s ORDER BY 1"
_FOREIGN_KEYS = """
SELECT c.relname, k.conname, pg_get_constraintdef(k.oid) FROM pg_constraint AS k
JOIN pg_class AS c ON c.oid = k.conrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND k.contype = 'f'
"""
_TRIGGERS = """
SELECT c.relname, t.tgname, t.tgenabled::text FROM pg_trigger AS t
JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_namespace AS n ON n.oid = c.relnamespace
WHERE n.nspname = %s AND NOT t.tgisinternal AND t.tgenabled <> 'D'
"""
# Those that no constraint stands for.
_INDEXES = """
SELECT i.relname, pg_get_indexdef(i.oid) FROM pg_index AS x
JOIN pg_class AS i ON i.oid = x.indexrelid JOIN pg_namespace AS n ON n.oid = i.relnamespace
WHERE n.nspname = %s AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.oid)
"""
_ENABLE: dict[str, LiteralString] = {"O": "ENABLE TRIGGER", "A": "ENABLE ALWAYS TRIGGER", "R": "ENABLE REPLICA TRIGGER"}


CopyConnection: TypeAlias = psycopg.Connection[Any]
"""A connection on which values have the form of a copy."""


class CopiedTable(msgspec.Struct, frozen=True):
    """One table's columns, how many rows it has, and a checksum of them that doesn't depend on their order."""

    name: str
    columns: list[str]
    rows: int
    checksum: str


class DatabaseCopy(msgspec.Struct, frozen=True):
    """What a copy of a database holds: the migrations that made its tables, their rows, and the sequences."""

    server: int
    migrations: list[str]
    tables: list[CopiedTable]
    sequences: dict[str, int]


class TableShape(NamedTuple):
    """A table and those of its columns that hold what somebody wrote, not what is computed from others."""

    name: str
    columns: list[str]


class IncompleteDatabase(Conflict, code="incomplete_database"):
    """A database whose tables are not those that its migrations make."""


def find_live_schema(connection: CopyConnection) -> str:
    """The schema that Almanac's statements use: the first of the search path that exists, `public` as a rule."""
    row = connection.execute("SELECT coalesce(current_schema(), 'public')").fetchone()
    return str(row[0]) if row else "public"


def read_shapes(connection: CopyConnection, schema: str) -> list[TableShape]:
    """Every table of a schema but yoyo's own, and those that may be emptied any time (unlogged ones)."""
    shapes: dict[str, list[str]] = {}
    for table, column in connection.execute(_COLUMNS, (schema,)).fetchall():
        shapes.setdefault(table, []).append(column)
    return [TableShape(name, columns) for name, columns in shapes.items()]


def read_sequences(connection: CopyConnection, schema: str) -> dict[str, int]:
    """The last value of each sequence that was used."""
    rows = connection.execute(_SEQUENCES, (schema,)).fetchall()
    return {name: value for name, value in rows if value is not None}


@contextmanager
def snapshot(url: str) -> Iterator[CopyConnection]:
    """A connection that sees one moment for as long as it is open, whatever others write."""
    with connect(url) as connection:
        connection.read_only = True
        connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
        with connection.transaction():
            yield connection


@contextmanager
def connect(url: str) -> Iterator[CopyConnection]:
    """A connection on which values have the form of a copy."""
    try:
        connection = psycopg.connect(url, autocommit=True)
    except psycopg.OperationalError as error:
        raise Unavailable(describe_refusal(url, error)) from error
    with connection:
        for form in _FORMS:
            connection.execute(form)
        yield connection


def copy_out(connection: CopyConnection, shape: TableShape, schema: str, path: Path) -> CopiedTable:
    """Write the rows of a table to a file."""
    with path.open("wb") as file:
        return _measure(shape, _rows(connection, shape, schema), file.write)


def measure_table(connection: CopyConnection, shape: TableShape, schema: str) -> CopiedTable:
    """Count the rows of a table and add up their checksums, without keeping them."""
    return _measure(shape, _rows(connection, shape, schema), len)


def _rows(connection: CopyConnection, shape: TableShape, schema: str) -> Iterator[bytes]:
    statement = sql.SQL("COPY {} ({}) TO STDOUT").format(sql.Identifier(schema, shape.name), _names(shape.columns))
    try:
        with connection.cursor() as cursor, cursor.copy(statement) as copy:
            for row in copy:
                yield bytes(row)
    except (psycopg.errors.UndefinedTable, psycopg.errors.UndefinedColumn) as error:
        raise IncompleteDatabase(
            f"The table {shape.name} isn't as Almanac's migrations make it; run `almanac migrate`, or undo what was"
            " changed by hand."
        ) from error


class _RowSum:
    """Adds up the hash of every line; pieces may end within a line."""

    def __init__(self) -> None:
        self.rows, self._sum, self._rest = 0, 0, b""

    def add(self, piece: bytes) -> None:
        lines = (self._rest + piece).split(b"\n")
        self._rest = lines.pop()
        self.rows += len(lines)
        for line in lines:
            self._sum += int.from_bytes(hashlib.blake2b(line, digest_size=16).digest())

    def checksum(self) -> str:
        return f"{self._sum % _WIDTH:032x}"


@dataclass(slots=True)
class _Buffer:
    """Rows are short: gathered, they cost fewer calls."""

    pieces: list[bytes]
    size: int = 0


def _gathered(rows: Iterable[bytes]) -> Iterator[bytes]:
    buffer = _Buffer([])
    for row in rows:
        buffer.pieces.append(row)
        buffer.size += len(row)
        if buffer.size >= _PIECE:
            yield b"".join(buffer.pieces)
            buffer = _Buffer([])
    yield b"".join(buffer.pieces)


def _measure(shape: TableShape, rows: Iterable[bytes], write: Any) -> CopiedTable:
    total = _RowSum()
    for piece in _gathered(rows):
        total.add(piece)
        write(piece)
    return CopiedTable(shape.name, shape.columns, total.rows, total.checksum())


@contextmanager
def loading(connection: CopyConnection, schema: str) -> Iterator[None]:
    """One transaction in which the tables of a schema are emptied and filled in any order.

    Foreign keys are dropped and made anew at the end, which checks them all, and so are indexes, which is several times
    quicker than to keep them current; triggers rest meanwhile. None of it needs the rights of a superuser.
    """
    with connection.transaction():
        keys = connection.execute(_FOREIGN_KEYS, (schema,)).fetchall()
        triggers = connection.execute(_TRIGGERS, (schema,)).fetchall()
        indexes = connection.execute(_INDEXES, (schema,)).fetchall()
        tables = [shape.name for shape in read_shapes(connection, schema)]
        for table, name, _ in keys:
            _alter(connection, schema, table, "DROP CONSTRAINT", name)
        for table, name, _ in triggers:
            _alter(connection, schema, table, "DISABLE TRIGGER", name)
        for name, _ in indexes:
            connection.execute(sql.SQL("DROP INDEX {}").format(sql.Identifier(schema, name)))
        if tables:
            names = sql.SQL(", ").join(sql.Identifier(schema, table) for table in tables)
            connection.execute(sql.SQL("TRUNCATE {}").format(names))
        yield
        for _, definition in indexes:
            connection.execute(sql.SQL(definition))
        for table, name, mode in triggers:
            _alter(connection, schema, table, _ENABLE[mode], name)
        # The definitions name tables as the search path finds them.
        for table, name, definition in keys:
            _alter(connection, schema, table, "ADD CONSTRAINT", name, definition)


def _alter(
    connection: CopyConnection,
    schema: str,
    table: str,
    action: LiteralString,
    name: str,
    definition: LiteralString = "",
) -> None:
    statement = sql.SQL("ALTER TABLE {} {} {} {}").format(
        sql.Identifier(schema, table),
        sql.SQL(action),
        sql.Identifier(name),
        sql.SQL(definition),
    )
    connection.execute(statement)


def copy_in(connection: CopyConnection, table: CopiedTable, schema: str, path: Path) -> None:
    """Add the rows of a file to a table."""
    target = sql.Identifier(schema, table.name)
    statement = sql.SQL("COPY {} ({}) FROM STDIN").format(target, _names(table.columns))
    with connection.cursor() as cursor, cursor.copy(statement) as copy, path.open("rb") as file:
        while piece := file.read(_PIECE):
            copy.write(piece)


def set_sequences(connection: CopyConnection, schema: str, sequences: dict[str, int]) -> None:
    """Continue each sequence after its last value."""
    for name, value in sequences.items():
        quoted = sql.Identifier(schema, name).as_string(connection)
        connection.execute("SELECT setval(%s::regclass, %s)", (quoted, value))


def _names(columns: Sequence[str]) -> sql.Composed:
    return sql.SQL(", ").join(map(sql.Identifier, columns))
